// A loaded model: packed weights, tokenizer, and its description. Immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/thread_pool.hpp"
#include "kernels/kernels.hpp"
#include "nn/stored_matrix.hpp"
#include "tensor/kv_type.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::nn {
class Assistant;
class AudioEncoder;
class Decoder;
class Drafts;
class Encoder;
class PictureReader;
class SoundReader;
class VisionEncoder;
struct ModelSpec;
enum class Pooling : std::uint8_t;
}  // namespace heed::nn

namespace heed::runtime {

/// The description of a model, available once the header of the file is complete.
struct ModelInfo {
  std::string architecture;  // general.architecture: "llama", "gpt2", ...
  bool generates = false;    // has a decoder
  bool embeds = false;       // has an encoder
  bool reranks = false;      // has a score head for pairs of texts
  bool sees = false;         // has a vision encoder
  bool transcribes = false;  // has an audio tower, and a decoder that attends to it
  std::string name;          // general.name, or empty
  std::string weights;       // the dtype of most bytes of the weights: "Q4_0"
  std::uint64_t parameters = 0;
  std::uint64_t file_bytes = 0;
  std::size_t layers = 0, heads = 0, kv_heads = 0, head_dim = 0;  // of the decoder, if there is one
  std::vector<std::uint32_t> recurrent_layers = {};               // indices of the recurrent layers: Mamba, RWKV, delta rules
  std::size_t recurrent_heads = 0;                                // of each recurrent layer
  std::size_t width = 0;                                          // D, the model dimension
  std::size_t feed_forward = 0;                                   // F, of one expert if there are experts
  std::size_t experts = 0, experts_used = 0;                      // per layer; 0 for dense models
  std::size_t encoder_layers = 0;                                 // 0 without an encoder, or an audio tower
  std::optional<nn::Pooling> pooling = {};                        // the file's pooling of the encoder's output
  std::size_t embedding_length = 0;                               // floats in a text's or an image's embedding; 0 if it has none
  std::int32_t decoder_start = 0;                                 // the decoder's first token, after an encoder
  std::optional<std::int32_t> mask_token = {};                    // of a model that writes by unmasking (runtime/unmasking.hpp)
  std::size_t vision_layers = 0, vision_heads = 0;
  std::size_t patches = 0;                 // per side of an image
  std::size_t vocabulary = 0;              // V
  std::size_t trained_context_length = 0;  // positions that the model was trained for
  std::size_t context_length = 0;          // maximum positions of a sequence
  KvType kv_cache = KvType::f32;
  std::size_t parallel = 1;              // maximum sequences in a pass
  std::uint64_t memory_bytes = 0;        // allocated at load: weights and scratch
  std::uint64_t context_bytes = 0;       // size of a sequence that fills the context
  std::uint64_t sequence_bytes = 0;      // maximum of all sequences together
  std::uint64_t prefix_cache_bytes = 0;  // size at which the prefix cache drops sequences
  std::size_t threads = 1;
  std::uint64_t fingerprint = 0;  // of the file; set once it is complete
  std::string target;             // kernel target: "scalar", "avx2", "simd128", "relaxed-usdot", ...
  /// Jinja templates for chats, by name; the default has an empty name.
  std::vector<std::pair<std::string, std::string>> chat_templates;
};

class Model {
 public:
  /// Networks that the file lacks are nullptr.
  struct Parts {
    ModelInfo info;
    std::unique_ptr<nn::ModelSpec> spec;
    std::unique_ptr<tokenizer::Tokenizer> tokenizer;
    std::unique_ptr<nn::Encoder> encoder;
    std::unique_ptr<nn::Decoder> decoder;
    std::unique_ptr<nn::Drafts> draft;
    std::unique_ptr<nn::Assistant> assistant;
    std::unique_ptr<nn::VisionEncoder> vision;
    std::unique_ptr<nn::AudioEncoder> audio;
    std::shared_ptr<nn::PictureReader> reader;  // a shared_ptr, so that programs that never create one do not link its code
    std::shared_ptr<nn::SoundReader> sound_reader;
    std::vector<nn::StoredMatrix> matrices;  // by name
    std::vector<nn::StoredVector> vectors;
    std::vector<std::string> labels;   // names of image classes
    std::shared_ptr<ThreadPool> pool;  // a projector shares its text model's pool
    const kernels::Kernels* kernels = nullptr;

    Parts();
    Parts(Parts&&) noexcept;
    ~Parts();
  };
  explicit Model(Parts parts);
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// Shares the other model's embeddings and output matrix where its own are equal. The other must outlive it.
  void share_tables(const Model& other) noexcept;

  const ModelInfo& info() const noexcept { return parts_.info; }
  const nn::ModelSpec& spec() const noexcept { return *parts_.spec; }
  /// Throws unsupported for a model without a vocabulary.
  const tokenizer::Tokenizer& tokenizer() const;
  const std::vector<std::string>& labels() const noexcept { return parts_.labels; }
  const nn::Encoder* encoder() const noexcept { return parts_.encoder.get(); }  // nullptr if there is none
  const nn::Decoder* decoder() const noexcept { return parts_.decoder.get(); }
  const nn::Assistant* assistant() const noexcept { return parts_.assistant.get(); }
  const nn::Drafts* draft() const noexcept { return parts_.draft.get(); }
  const nn::VisionEncoder* vision() const noexcept { return parts_.vision.get(); }
  const nn::AudioEncoder* audio() const noexcept { return parts_.audio.get(); }
  const nn::PictureReader* reader() const noexcept { return parts_.reader.get(); }
  const nn::SoundReader* sound_reader() const noexcept { return parts_.sound_reader.get(); }
  /// The location of each matrix row of the file, by tensor name.
  std::span<const nn::StoredMatrix> matrices() const noexcept { return parts_.matrices; }
  /// As matrices(), for the tensors that are kept as floats.
  std::span<const nn::StoredVector> vectors() const noexcept { return parts_.vectors; }
  const kernels::Kernels& kernels() const noexcept { return *parts_.kernels; }
  ThreadPool& pool() const noexcept { return *parts_.pool; }
  const std::shared_ptr<ThreadPool>& shared_pool() const noexcept { return parts_.pool; }

 private:
  Parts parts_;
};

}  // namespace heed::runtime
