// The memory for running a model: computed first to check that it fits, then to allocate it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nn/kv_cache.hpp"
#include "nn/scratch.hpp"
#include "nn/spec.hpp"
#include "runtime/drafts/own_heads.hpp"

namespace heed::runtime {

/// The maximum number of tokens in a decoder pass. An encoder pass may have as many as the context.
inline constexpr std::size_t kMaxBatch = 128;

struct WorkspaceSize {
  std::size_t context_length = 0;  // positions of a sequence
  std::size_t parallel = 1;        // sequences in a pass
  std::size_t threads = 1;
  KvType kv_type = KvType::f32;
  const kernels::Kernels* kernels = nullptr;
  bool heads = true;  // whether the model's own heads draft, if the spec has some
};

class WorkspacePlan {
 public:
  WorkspacePlan(const nn::ModelSpec& spec, const WorkspaceSize& size);

  /// Bytes of everything below, with one sequence that fills the context.
  std::uint64_t bytes() const { return bytes_beside_sequences() + sequence_bytes(); }
  std::uint64_t bytes_beside_sequences() const;
  /// Bytes of a decoder sequence that fills the context.
  std::uint64_t sequence_bytes() const { return bytes_of(decoder_) + bytes_of(cross_) + heads_.sequence; }
  /// The most that a sequence additionally uses for saved states, if memory allows.
  std::uint64_t saved_state_bytes() const;

  // Absent if the model does not need them. Each throws std::bad_alloc.
  std::optional<nn::KvCachePool> make_decoder_caches() const { return make(decoder_); }  // for the decoder
  std::optional<nn::KvCachePool> make_cross_caches() const { return make(cross_); }      // for the encoder's output in the decoder
  std::optional<nn::KvCachePool> make_encoder_caches() const { return make(encoder_); }  // within a pass
  std::optional<nn::KvCachePool> make_vision_caches() const { return make(vision_); }
  nn::Scratch make_scratch() const { return nn::Scratch(need_, size_.threads, *size_.kernels); }

  std::uint64_t hidden() const noexcept { return hidden_; }  // floats of an encoder's output

 private:
  struct Caches {
    std::vector<nn::CacheLayer> layers;
    std::size_t positions, batch;
    bool shared;
    std::size_t sequences = 1;  // those that share `positions`; each has a recurrent state of its own
  };
  KvType type_of(const Caches& caches) const noexcept { return caches.shared ? within_a_pass(size_.kv_type) : size_.kv_type; }
  std::optional<nn::KvCachePool> make(const std::optional<Caches>& caches) const;
  std::uint64_t bytes_of(const std::optional<Caches>& caches) const;

  WorkspaceSize size_;
  std::uint64_t hidden_ = 0;
  nn::ScratchNeed need_;
  std::optional<Caches> decoder_, cross_, encoder_, vision_;
  HeadBytes heads_;  // bytes that the heads allocate themselves (runtime/drafts/head_drafter.hpp)
};

}  // namespace heed::runtime
