// From the bytes of a model file, as they arrive, to a Model: each tensor row is packed the moment it is there, so no
// second copy of the weights ever exists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/model.hpp"

namespace heed::runtime {

inline constexpr std::size_t kMostParallel = 32;

struct LoadOptions {
  std::size_t threads = 1;
  /// Positions to make room for. Absent: the model's own, or as many as a quarter of memory_limit holds.
  /// More than the model was trained for is invalid_argument.
  std::optional<std::size_t> context;
  /// Sequences that go through the model in one pass, 1 to kMostParallel; others wait. Absent: 8, or fewer where memory is
  /// short.
  std::optional<std::size_t> parallel;
  /// Bytes of keys and values to keep for prompts that begin alike, once nobody needs them. Absent: as many as one sequence
  /// takes that fills the context.
  std::optional<std::uint64_t> keep;
  /// Absent: f32 for F32, F16 and BF16 weights, int16 otherwise.
  std::optional<KvType> kv_cache;
  /// What weights, KV cache and scratch may take together, in bytes. Absent: three quarters of the machine's memory.
  /// Never more than three quarters of the address space.
  std::optional<std::uint64_t> memory_limit;
  /// Kernel target by name (kernels/dispatch.hpp); empty takes the best that this machine runs.
  std::string target;
};

class Loader {
 public:
  /// Throws invalid_argument for a target that does not exist or does not run here, or threads out of
  /// [1, ThreadPool::kMaxThreads].
  explicit Loader(LoadOptions options);
  ~Loader();

  /// The next bytes of the file, in order, any number. Once the header is complete, allocates everything, and throws
  /// out_of_memory, with the figures, where it cannot fit: before the rest of the file is fetched. Also throws
  /// invalid_file and unsupported. After a throw the loader is only good for destruction.
  void write(std::span<const std::byte> chunk);

  /// Once the header is complete: runs the kernels that the model needs, so that an engine which compiles while code
  /// runs (WebAssembly) has done so when the weights are there. Takes some 50 ms.
  void warm_up();

  /// nullptr until the header is complete.
  const ModelInfo* info() const noexcept;

  /// Bytes that the file must have; 0 until the header is complete. More bytes than that are ignored.
  std::uint64_t bytes_expected() const noexcept;
  std::uint64_t bytes_written() const noexcept;

  /// Throws invalid_file, with both sizes, if the file ended early.
  std::unique_ptr<Model> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Loads a file by path (native, and Node). Throws io as well.
std::unique_ptr<Model> load_file(const std::string& path, LoadOptions options);

}  // namespace heed::runtime
