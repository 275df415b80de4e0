// What it takes to run a model: asked before anything is made, and again when it is made.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nn/kv_cache.hpp"
#include "nn/scratch.hpp"
#include "nn/spec.hpp"

namespace heed::runtime {

/// Largest number of tokens that a decoder takes at once. An encoder takes as many as the context has.
inline constexpr std::size_t kMaxBatch = 128;

/// How much runs at once.
struct WorkspaceSize {
  std::size_t context = 0;   // positions of a sequence
  std::size_t parallel = 1;  // sequences in a pass
  std::size_t threads = 1;
  KvType kv_type = KvType::f32;
};

class WorkspacePlan {
 public:
  WorkspacePlan(const nn::ModelSpec& spec, const WorkspaceSize& size);

  /// Bytes of all that follows, with one sequence as long as it gets.
  std::uint64_t bytes() const { return bytes_beside_sequences() + sequence_bytes(); }
  std::uint64_t bytes_beside_sequences() const;
  /// Of a decoder's sequence that is as long as it gets.
  std::uint64_t sequence_bytes() const { return bytes_of(cache_) + bytes_of(memory_); }
  /// The states that it saves besides, as far as memory allows.
  std::uint64_t saved_state_bytes() const;

  // Those that the model has no use for are absent. Each throws std::bad_alloc.
  std::optional<nn::KvMemory> make_cache() const { return make(cache_); }            // of the decoder
  std::optional<nn::KvMemory> make_memory() const { return make(memory_); }          // of the encoder's output, for the decoder
  std::optional<nn::KvMemory> make_encoder_cache() const { return make(encoder_); }  // within a pass
  std::optional<nn::KvMemory> make_vision_cache() const { return make(vision_); }
  nn::Scratch make_scratch() const { return nn::Scratch(need_, size_.threads); }

  std::uint64_t hidden() const noexcept { return hidden_; }  // floats of an encoder's output

 private:
  struct Cache {
    std::vector<nn::CacheLayer> layers;
    std::size_t positions, batch;
    bool shared;
    std::size_t sequences = 1;  // of these positions together; each has a state of its own
  };
  std::optional<nn::KvMemory> make(const std::optional<Cache>& cache) const;
  std::uint64_t bytes_of(const std::optional<Cache>& cache) const;

  WorkspaceSize size_;
  std::uint64_t hidden_ = 0;
  nn::ScratchNeed need_;
  std::optional<Cache> cache_, memory_, encoder_, vision_;
};

}  // namespace heed::runtime
