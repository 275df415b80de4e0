// Runs the decoder on a given text, pass by pass, for its logits, attention or gates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/gates.hpp"
#include "runtime/generate.hpp"
#include "runtime/prefix_cache.hpp"
#include "runtime/sequence.hpp"

namespace heed::engine {

class DecoderRun {
 public:
  /// Throws unsupported for a model without a decoder. Both arguments must outlive it.
  DecoderRun(runtime::Workspace& workspace, runtime::PrefixCache& prefix_cache);
  /// Leaves the sequence to the prefix cache.
  ~DecoderRun();
  DecoderRun(const DecoderRun&) = delete;
  DecoderRun& operator=(const DecoderRun&) = delete;

  /// Records the attention of the first `tokens` tokens to the first `keys` tokens: the decoder's or, with AttentionOf::cross, the
  /// encoder's. Throws invalid_argument, naming what the model lacks, and out_of_memory.
  void watch(runtime::AttentionSelection selection, std::size_t tokens, std::size_t keys);
  /// Records the gates of recurrent layers instead; an empty selection means all.
  void watch_gates(std::vector<std::uint32_t> layers, std::size_t tokens);
  /// The recording: attention as [layers][heads][tokens][keys], gates as [layers][2][heads][tokens]. Valid until the next call.
  std::span<const float> watched() const noexcept;

  /// Runs the encoder of an encoder-decoder on the text that the decoder attends to. False if interrupted.
  bool encode(std::span<const runtime::TokenId> tokens);

  /// Starts from a cached prefix of these tokens, of at most `most` tokens. Returns its length.
  std::size_t reuse(std::span<const runtime::TokenId> tokens, std::size_t most);

  /// Runs the next tokens, at most runtime::kMaxBatch. Returns the logits of the last `rows` of them, rows x V, valid until the next call;
  /// absent if interrupted. Throws as Sequence::forward does, and invalid_argument for more rows than tokens.
  std::optional<std::span<const float>> forward(std::span<const runtime::TokenId> tokens, std::size_t rows);

 private:
  runtime::PrefixCache& prefix_cache_;
  runtime::Sequence sequence_;
  std::unique_ptr<runtime::AttentionProbe> attention_;  // at most one of these two
  std::unique_ptr<runtime::GateProbe> gates_;
  std::vector<float> logits_;
};

}  // namespace heed::engine
