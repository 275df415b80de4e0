// What a session needs for a model and a context: asked before anything is made, and again when it is made.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nn/kv_cache.hpp"
#include "nn/scratch.hpp"
#include "nn/spec.hpp"

namespace heed::runtime {

/// Largest number of tokens that a decoder takes at once. An encoder takes all there are.
inline constexpr std::size_t kMaxBatch = 128;

class SessionPlan {
 public:
  SessionPlan(const nn::ModelSpec& spec, KvType type, std::size_t context, std::size_t threads);

  /// Of all that follows, in bytes.
  std::uint64_t bytes() const;

  // Those that the model has no use for are absent. Each throws std::bad_alloc.
  std::optional<nn::KvMemory> make_cache() const;          // of the decoder
  std::optional<nn::KvMemory> make_memory() const;         // of the encoder's output, for the decoder
  std::optional<nn::KvMemory> make_encoder_cache() const;  // within a pass
  std::optional<nn::KvMemory> make_vision_cache() const;
  nn::Scratch make_scratch() const { return nn::Scratch(need_, threads_); }

  std::uint64_t hidden() const noexcept { return hidden_; }  // floats of an encoder's output

 private:
  struct Cache {
    std::vector<nn::CacheLayer> layers;
    std::size_t positions, batch;
    bool shared;
  };
  std::optional<nn::KvMemory> make(const std::optional<Cache>& cache) const;

  KvType type_;
  std::size_t threads_;
  std::uint64_t hidden_ = 0;
  nn::ScratchNeed need_;
  std::optional<Cache> cache_, memory_, encoder_, vision_;
};

}  // namespace heed::runtime
