// A loaded model: weights in packed layout, tokenizer, and what people want to know of it. Immutable after load.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/thread_pool.hpp"
#include "tensor/kv_type.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::nn {
class Decoder;
}

namespace heed::runtime {

/// Known as soon as the file's header is read, before any weight is.
struct ModelInfo {
  std::string architecture;           // general.architecture: "llama", "gpt2", ...
  std::string name;                   // general.name, or empty
  std::string weights;                // the dtype that most weight bytes have: "Q4_0"
  std::uint64_t parameters = 0;
  std::uint64_t file_bytes = 0;
  std::size_t layers = 0, heads = 0, kv_heads = 0, head_dim = 0;
  std::size_t width = 0;              // D, the model dimension
  std::size_t feed_forward = 0;       // F
  std::size_t vocabulary = 0;         // V
  std::size_t trained_context = 0;    // positions that the model was trained for
  std::size_t context = 0;            // positions that this load has room for
  KvType kv_cache = KvType::f32;
  std::uint64_t memory_bytes = 0;     // weights + KV cache + scratch, as they will be held
  std::size_t threads = 1;
  std::string target;                 // kernel target: "scalar", "avx2", "simd128", "relaxed-usdot", ...
  bool has_chat_template = false;
};

class Model {
 public:
  Model(ModelInfo info, std::unique_ptr<tokenizer::Tokenizer> tokenizer, std::unique_ptr<nn::Decoder> decoder,
        std::unique_ptr<ThreadPool> pool);
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const ModelInfo& info() const noexcept { return info_; }
  const tokenizer::Tokenizer& tokenizer() const noexcept { return *tokenizer_; }
  const nn::Decoder& decoder() const noexcept { return *decoder_; }
  ThreadPool& pool() const noexcept { return *pool_; }

 private:
  ModelInfo info_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  std::unique_ptr<nn::Decoder> decoder_;
  std::unique_ptr<ThreadPool> pool_;
};

}  // namespace heed::runtime
