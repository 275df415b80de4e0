// Runs the decoder on a given text, pass by pass, for its logits, its attention, its gates or its residual stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "engine/lens.hpp"
#include "runtime/attention_parts.hpp"
#include "runtime/attribution.hpp"
#include "runtime/gates.hpp"
#include "runtime/generate.hpp"
#include "runtime/heads.hpp"
#include "runtime/prefix_cache.hpp"
#include "runtime/sequence.hpp"
#include "runtime/states.hpp"
#include "runtime/value_norms.hpp"

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
  /// Records what the weights of one query are computed from instead. Throws likewise, and invalid_argument for a query beyond the tokens.
  void watch_attention_parts(std::uint32_t layer, std::uint32_t head, std::size_t query, std::optional<runtime::AttentionOf> of,
                             std::size_t tokens, std::size_t keys);
  /// What has been recorded of them. Throws invalid_argument if nothing is watched, and out_of_memory.
  runtime::AttentionParts attention_parts() const;
  /// Records the values of self-attention instead. Throws as runtime::ValueProbe does.
  void watch_values(runtime::AttentionSelection selection, std::size_t tokens);
  /// Their norms (runtime/value_norms.hpp). Throws invalid_argument if nothing is watched, and out_of_memory.
  std::vector<float> value_norms() const;
  /// Records the gates of recurrent layers instead; an empty selection means all.
  void watch_gates(std::vector<std::uint32_t> layers, std::size_t tokens);
  /// Records the residual stream of the first `tokens` tokens instead. Throws invalid_argument for a layer or a position that there is
  /// not, and out_of_memory.
  void watch_states(runtime::StateSelection selection, std::size_t tokens);
  /// Records what the heads of a layer's softmax attention give for the first `tokens` tokens instead. Throws unsupported for a layer
  /// without it, and invalid_argument for one that there is not.
  void watch_heads(std::size_t layer, std::size_t tokens);
  /// Records what attribute() needs of a position instead. Throws as runtime::AttributionProbe does.
  void watch_attribution(std::size_t position);
  /// The recording: attention as [layers][heads][tokens][keys], gates as [layers][2][heads][tokens], states as [layers][positions][D],
  /// heads as [tokens][heads][size of a value]. Valid until the next call.
  std::span<const float> watched() const noexcept;

  /// Where the logit of `token` comes from (runtime/attribution.hpp) at the position that is watched, which must have run. Throws
  /// invalid_argument for a token outside the vocabulary, or if it has not run.
  runtime::Attribution attribute(runtime::TokenId token);

  /// The logit lens (runtime/states.hpp): the next token as rows [first, first + rows) of the states that are watched have it, read out
  /// by the adapters of each row's position. Throws invalid_argument for rows that there are not, for more than runtime::kMaxBatch, and
  /// for a watched token outside the vocabulary; and std::bad_alloc.
  std::vector<LensRow> lens(std::size_t first, std::size_t rows, const LensForm& form);

  /// What a head of the layer that is watched gives, on average over the tokens. Throws invalid_argument for a head that there is not.
  std::vector<float> mean_of_head(std::size_t head) const;

  /// Runs the encoder of an encoder-decoder on the text that the decoder attends to. False if interrupted.
  bool encode(std::span<const runtime::TokenId> tokens);

  /// Reads by these changes; to be called first. text: the tokens that it is going to read, or their beginning, in which adapters are
  /// invoked. Throws invalid_argument as runtime::placed() does, and unsupported.
  void change(runtime::Changes changes, std::span<const runtime::TokenId> text);

  /// Starts from a cached prefix of these tokens, of at most `most` tokens. Returns its length.
  std::size_t reuse(std::span<const runtime::TokenId> tokens, std::size_t most);

  /// How many of the tokens to come forward() reads at once (Sequence::next_pass).
  std::size_t next_pass(std::span<const runtime::TokenId> tokens) const { return sequence_.next_pass(tokens); }

  /// Runs the next tokens, as many as next_pass() says or fewer. Returns the logits of the last `rows` of them, rows x V, valid until the next call;
  /// absent if interrupted. Throws as Sequence::forward does, and invalid_argument for more rows than tokens.
  std::optional<std::span<const float>> forward(std::span<const runtime::TokenId> tokens, std::size_t rows);

  /// Runs all of the next tokens but the last, as many as next_pass() says or fewer, and returns the log-probability (natural) of each
  /// after the first, given all before it; absent if interrupted. Rows of pictures have none, and are left out. To go on, begin with the
  /// token that was last. Throws as forward() does, and invalid_argument for fewer than two tokens.
  std::optional<std::vector<float>> score(std::span<const runtime::TokenId> tokens);

 private:
  runtime::PrefixCache& prefix_cache_;
  runtime::Sequence sequence_;
  std::variant<std::monostate, std::unique_ptr<runtime::AttentionProbe>, std::unique_ptr<runtime::GateProbe>,
               std::unique_ptr<runtime::StateProbe>, std::unique_ptr<runtime::HeadProbe>,
               std::unique_ptr<runtime::AttributionProbe>, std::unique_ptr<runtime::AttentionPartsProbe>,
               std::unique_ptr<runtime::ValueProbe>>
      probe_;
  std::vector<float> logits_;
};

}  // namespace heed::engine
