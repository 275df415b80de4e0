// Runs the decoder on a given text, pass by pass, for its logits and for values at points of the passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/lens.hpp"
#include "runtime/attribution.hpp"
#include "runtime/generate.hpp"
#include "runtime/prefix_cache.hpp"
#include "runtime/sequence.hpp"

namespace heed::engine {

class DecoderRun {
 public:
  /// Throws unsupported for a model without a decoder. Both arguments must outlive it.
  DecoderRun(runtime::Workspace& workspace, runtime::PrefixCache& prefix_cache);
  /// Gives its sequence to the prefix cache.
  ~DecoderRun();
  DecoderRun(const DecoderRun&) = delete;
  DecoderRun& operator=(const DecoderRun&) = delete;

  /// Records the requested values (runtime/requests.hpp) for the first `tokens` tokens, and for the `source` tokens of the
  /// encoder's text. Call before either is read. Throws invalid_argument for a position out of range or a point of images, and
  /// out_of_memory.
  void watch(std::vector<runtime::Request> requests, std::size_t tokens, std::size_t source = 0);
  /// The recorded values; nullptr if nothing is recorded.
  const runtime::Recorder* recorded() const noexcept { return recorder_ ? &*recorder_ : nullptr; }
  /// All recorded values, request by request; empty if nothing is watched. Valid until the next call. Throws out_of_memory.
  std::span<const float> watched() const { return recorder_ ? recorder_->values() : std::span<const float>(); }

  /// The attribution (runtime/attribution.hpp) of the logit of `token`, minus that of `against` if given, at a position that has
  /// run while its runtime::attribution_requests were watched. Throws invalid_argument for a token outside the vocabulary, or if
  /// there is no such position.
  runtime::Attribution attribute(runtime::TokenId token, std::optional<runtime::TokenId> against = {});

  struct Variant {
    std::vector<float> logits;                    // of the tokens `read`, or all V
    std::unique_ptr<runtime::Recorder> recorded;  // nullptr if nothing is watched
  };
  /// Runs variants of the text, which has been run: the same tokens with the same changes, plus the edits of each variant. Does not
  /// repeat what these edits cannot affect: earlier tokens and, if the states after a layer are watched at all positions, the
  /// layers up to it. Runs as many variants, from the first on, as fit into one pass, or the first alone in several passes. Returns
  /// for each the logits at `position`, of the tokens `read` (empty: all), and the values at `watch` up to that position, which are
  /// zeros below the first edited layer. Results have the same bits as separate runs. Absent if interrupted. Throws
  /// invalid_argument for edits that do not fit the model, for a position beyond the text and for a token outside the vocabulary;
  /// out_of_memory.
  std::optional<std::vector<Variant>> vary(std::span<const std::vector<runtime::Edit>> variants, std::size_t position,
                                           std::span<const runtime::TokenId> read = {},
                                           const std::vector<runtime::Request>& watch = {});

  /// The logit lens (runtime/states.hpp): next-token probabilities read from rows [first, first + rows) of the watched states, with
  /// the adapters of each row's position. Throws invalid_argument for rows out of range, for more than runtime::kMaxBatch, and for
  /// a watched token outside the vocabulary; and std::bad_alloc.
  std::vector<LensRow> lens(std::size_t first, std::size_t rows, const LensForm& form);

  /// Runs the encoder of an encoder-decoder on the text that the decoder attends to. False if interrupted.
  bool encode(std::span<const runtime::TokenId> tokens);

  /// Sets the changes for the text; call first. text: the tokens to be read, or their beginning, in which adapters look for their
  /// invocation tokens. Throws invalid_argument as runtime::placed() does, and unsupported.
  void change(runtime::Changes changes, std::span<const runtime::TokenId> text);

  /// Starts from a cached prefix of these tokens, of at most `most` tokens. Returns its length.
  std::size_t reuse(std::span<const runtime::TokenId> tokens, std::size_t most);

  /// How many of these next tokens forward() reads at once (Sequence::next_pass).
  std::size_t next_pass(std::span<const runtime::TokenId> tokens) const { return sequence_.next_pass(tokens); }

  /// Runs the next tokens, as many as next_pass() says or fewer. Returns the logits of the last `rows` of them, rows x V, valid
  /// until the next call; absent if interrupted. Throws as Sequence::forward does, and invalid_argument for more rows than tokens.
  std::optional<std::span<const float>> forward(std::span<const runtime::TokenId> tokens, std::size_t rows);

  /// Runs all of the next tokens but the last, as many as next_pass() says or fewer. Returns the natural log-probability of each
  /// token after the first, given all tokens before it; absent if interrupted. Rows of images have none, and are left out. To go
  /// on, begin with the last of these tokens. Throws as forward() does, and invalid_argument for fewer than two tokens.
  std::optional<std::vector<float>> score(std::span<const runtime::TokenId> tokens);

 private:
  runtime::PrefixCache& prefix_cache_;
  runtime::Sequence sequence_;
  std::optional<runtime::Recorder> recorder_;
  std::vector<float> logits_;

  struct Plan;
  std::span<const float> states_before(std::size_t layer) const;
  Plan plan(const std::vector<runtime::Edit>& edits, std::size_t position, const std::vector<runtime::Request>& watch) const;
  bool run(std::span<Plan> plans, std::size_t position, std::span<float> logits, std::span<const runtime::TokenId> read);
};

}  // namespace heed::engine
