// Loads a model from the bytes of its file as they arrive: each row of a tensor is packed at once, so that there is never a second
// copy of the weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/model.hpp"

namespace heed::formats {
class TensorFile;
}
namespace heed::nn {
class Weights;
}

namespace heed::runtime {

inline constexpr std::size_t kMostParallel = 32;

/// Heads for drafts in a model's own file.
enum class OwnHeads : std::uint8_t {
  off,
  automatic,  // if the file has them, and they fit in memory without changing any other choice
  required,   // unsupported if it has none
};

struct LoadOptions {
  std::size_t threads = 1;
  /// Positions per sequence. Absent: the model's context length, or as many as fit in a quarter of memory_limit. Throws
  /// invalid_argument if it exceeds the length that the model was trained for.
  std::optional<std::size_t> context_length;
  /// The maximum number of sequences in a pass, 1 to kMostParallel; others wait. Absent: 8, or fewer if memory is short.
  std::optional<std::size_t> parallel;
  /// Bytes of keys and values above which the prefix cache drops sequences. Absent: the size of one sequence that fills the
  /// context.
  std::optional<std::uint64_t> prefix_cache_bytes;
  /// Absent: f32 for F32, F16 and BF16 weights, int16 otherwise; if the context does not fit into the memory limit, the first of
  /// int16, q8 and q4 with which it does.
  std::optional<KvType> kv_cache;
  /// Whether an absent kv_cache may become q8 or q4; otherwise a context that does not fit is an error.
  bool narrows_cache = true;
  /// Maximum bytes of weights, KV cache and scratch together. Absent: three quarters of the machine's memory. At most three
  /// quarters of the address space.
  std::optional<std::uint64_t> memory_limit;
  /// Whether to read the file's heads for drafts (nn/draft_heads.hpp).
  OwnHeads draft_heads = OwnHeads::off;
  /// For kDraftFile: the model that the file drafts for, which must outlive the loading.
  const Model* drafts_for = nullptr;
  /// The name of a kernel target (kernels/dispatch.hpp); empty: the best that this machine supports.
  std::string target;
};

/// A kind of file that is not a model by itself (runtime/pictures/projector_file.hpp). Its functions are only linked into programs
/// that use it.
struct FileKind {
  nn::ModelSpec (*spec)(const formats::TensorFile& file, const LoadOptions& options);
  void (*complete)(Model::Parts& parts,
                   nn::Weights& weights);  // requests tensors that are not part of the spec's networks; or nullptr
};

class Loader {
 public:
  /// `kind` must outlive the loader; nullptr for models. `pool`: threads to share with another model; nullptr to start `threads`
  /// new ones. Throws invalid_argument for a target that does not exist or that this machine does not support, or threads outside
  /// [1, ThreadPool::kMaxThreads].
  explicit Loader(LoadOptions options, const FileKind* kind = nullptr, std::shared_ptr<ThreadPool> pool = nullptr);
  ~Loader();

  /// Appends the next bytes of the file, any number of them. Allocates everything once the header is complete; throws
  /// out_of_memory, with the figures, if it does not fit, so that the rest need not be fetched. Also throws invalid_file and
  /// unsupported. After an exception, the loader may only be destroyed, except if the extra module was needed (base/extra.hpp):
  /// then, the same call may be made again.
  void write(std::span<const std::byte> chunk);

  /// Requires a complete header. Runs the kernels that the model needs for about 50 ms, so that a WebAssembly engine has optimized
  /// them by the time the weights are complete (runtime/warm_up.hpp).
  void warm_up();

  /// nullptr until the header is complete.
  const ModelInfo* info() const noexcept;

  /// The size that the file must have; 0 until the header is complete. Further bytes are ignored.
  std::uint64_t bytes_expected() const noexcept;
  std::uint64_t bytes_written() const noexcept;

  /// The model. Throws invalid_file, with both sizes, if the file is incomplete.
  std::unique_ptr<Model> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Loads a file by path. Throws what Loader throws, and io.
std::unique_ptr<Model> load_file(const std::string& path, LoadOptions options, const FileKind* kind = nullptr);
/// Loads a file with a loader made for it. Throws like the loader, and io.
std::unique_ptr<Model> load_file(const std::string& path, Loader& loader);

}  // namespace heed::runtime
