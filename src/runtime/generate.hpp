// One generation: chooses the tokens of each pass, and interprets their logits. It may share passes with other generations
// (runtime/scheduler.hpp), which does not change its text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/drafts/drafter.hpp"
#include "runtime/reasoning_budget.hpp"
#include "runtime/requests.hpp"
#include "runtime/sequence.hpp"
#include "runtime/speculation/guesser.hpp"
#include "sampling/constraint.hpp"
#include "sampling/logprobs.hpp"
#include "sampling/sampler.hpp"

namespace heed::runtime {

struct GenerateOptions {
  std::size_t max_tokens = 256;
  sampling::SamplerOptions sampling;
  std::vector<std::string> stop;                // generation ends before the first of these in the new text; non-empty strings
  bool stop_at_end = true;                      // stop at an end token; otherwise, continue after it
  std::vector<TokenId> end_tokens;              // further end tokens; used with stop_at_end
  bool special = false;                         // include control tokens in the text, where stop strings may match them
  std::size_t top_logprobs = 0;                 // number of most probable alternatives to report with each token
  Changes changes;                              // adapters and edits, for the prompt and the generated text
  std::optional<AttentionSelection> attention;  // report the attention of the position that predicts each token
  bool speculate = true;                        // run guesses of the next tokens if that is faster; the text is the same
  std::optional<std::size_t> drafts;  // draft exactly this many tokens whenever that is possible, whether it is faster or not
  /// When the context is full: keep this many tokens from the beginning and the later half of the others, run that half again, and
  /// continue. Absent: end with FinishReason::context.
  std::optional<std::size_t> context_shift;
  std::vector<TokenId> expected;             // tokens that the text probably begins with: the first guesses, with `speculate`
  std::optional<ReasoningBudget> reasoning;  // ends the reasoning at its limit, unless a constraint forbids that
};

enum class FinishReason : std::uint8_t { stop, length, context, abort };
std::string_view to_string(FinishReason reason) noexcept;

struct GeneratedToken {
  TokenId id = 0;
  /// The text that this token makes certain: whole UTF-8 characters that cannot be part of a stop string; may be empty. The
  /// generated text is the concatenation of these.
  std::string text;
  float logprob = 0;                                     // natural logarithm of the model's own probability
  std::vector<sampling::TokenProbability> alternatives;  // top_logprobs entries, most probable first
  std::size_t allowed = 0;                               // tokens that the constraint allowed here; 0 without one
  std::uint8_t draft = 0;                                // its place in the draft that proposed it, from 1; 0 without one
  /// [layers][heads][keys]: the attention weights of the position that predicted this token, over all positions up to it.
  std::vector<float> attention;
  std::size_t attention_keys = 0;
};

/// What guesses the next tokens of a text, or why nothing is guessed.
enum class Speculation : std::uint8_t {
  drafts,     // heads or a model that drafts, and repetitions
  lookup,     // repetitions alone: the model was loaded without drafts
  off,        // nothing: the options forbid it
  attention,  // nothing: attention is reported
  state,      // nothing: wrong guesses change recurrent state, which only models loaded with drafts can restore
  unread,     // repetitions alone: the heads have not read this text, or it is too long for the model that drafts
};
std::string_view to_string(Speculation speculation) noexcept;

/// How many tokens were drafted at one place in drafts, and how many of them were right.
struct DraftPlace {
  std::uint32_t drafted = 0, right = 0;
};

struct Timings {
  std::size_t prompt_tokens = 0;  // tokens of the prompt
  std::size_t reused_tokens = 0;  // prompt tokens found in the KV cache
  std::size_t generated_tokens = 0;
  std::size_t guessed_tokens = 0;                       // guesses that were run
  std::size_t accepted_tokens = 0;                      // guesses that turned out right
  std::array<DraftPlace, Drafter::kMost> draft_places;  // by place in a draft
  Speculation speculation = Speculation::lookup;
  double prompt_seconds = 0, generate_seconds = 0;  // time of passes, including passes shared with other generations

  /// The sum over all places.
  DraftPlace drafts() const noexcept;
};

class PrefixCache;

class Generation {
 public:
  /// Truncates the sequence to its common prefix with `prompt`, or replaces it with a copy from `prefix_cache` if that shares a
  /// longer prefix. `constraint` restricts the generated text, which ends when nothing may follow. The generation keeps the images
  /// of the prompt alive; the caller must keep them alive until this call returns. The sequence must outlive the generation and
  /// must not be used otherwise meanwhile. Throws context_overflow, with both numbers, for a prompt longer than the context, and
  /// invalid_argument for an empty prompt or an option out of range; the sequence is then unchanged.
  Generation(Sequence& sequence, std::vector<TokenId> prompt, GenerateOptions options,
             std::unique_ptr<sampling::Constraint> constraint = nullptr, PrefixCache* prefix_cache = nullptr);
  ~Generation();

  Sequence& sequence() const noexcept;
  /// Whether it has finished: no further pass is needed.
  bool ended() const noexcept { return finish_reason().has_value() || error().has_value(); }
  /// Whether more than one token must run before the next one can be sampled.
  bool prefilling() const noexcept;
  /// The number of remaining tokens to run in a pass with room for `most`; exceeds `most` only for a tile that must be run whole
  /// and comes next.
  std::size_t portion(std::size_t most) const noexcept;
  /// Runs the encoder if there is one and it has not run yet; must be called before the first pass. Returns false if interrupted.
  bool run_encoder();
  /// Whether it may use a drafter.
  bool drafts() const noexcept;
  /// At most `most` guesses of the next tokens; empty during prefill. Returns certain tokens if there are any; otherwise a draft,
  /// if it pays with `others` other tokens in the pass; otherwise repetitions. Drafts at most once before each pass. `open`:
  /// whether drafts pay at all in this pass.
  std::vector<Guess> guesses(std::size_t most, std::size_t others, bool open);
  /// How many of the draft's guesses must run, whether they pay or not.
  std::size_t due_guesses() const noexcept;
  /// The input of the next pass: portion(most) tokens during prefill; afterwards one token and some of its guesses, from the first
  /// on. Valid until finish_pass().
  ForwardInput next_input(std::size_t most, std::span<const Guess> guesses = {});
  /// Must be called after the pass over next_input(). logits: rows x V of that input; seconds: the time of the pass.
  void finish_pass(std::span<const float> logits, double seconds);
  /// Ends the generation with the tokens that it has.
  void abort();
  /// Ends it because a pass failed.
  void fail(Error why) noexcept;
  /// Removes and returns the next finished token, if there is one. The last token is unfinished while its text is held back as a
  /// possible part of a stop string or of a character; if the generation ends then, that text is added to it.
  std::optional<GeneratedToken> pop_token();

  /// Set once the generation has ended, unless it failed.
  std::optional<FinishReason> finish_reason() const noexcept;
  /// The error of a failed generation, thrown by its constraint or by a pass.
  const std::optional<Error>& error() const noexcept;
  /// The end token that ended it, if any; it is not part of the text.
  std::optional<TokenId> end_token() const noexcept;
  const Timings& timings() const noexcept;
  /// The number of prompt tokens processed so far, including reused ones; complete once there is a token.
  std::size_t prompt_read() const noexcept;
  /// The generated tokens.
  std::span<const TokenId> generated() const noexcept;
  /// The tokens of the prompt and of the generated text, without those that a context shift dropped.
  std::span<const TokenId> text() const noexcept;
  /// The images of the prompt.
  const PlacedTiles& tiles() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::runtime
