// One generation: which tokens it runs next, and what follows from their logits. It runs in passes that it may share with others
// (runtime/scheduler.hpp); the text is the same.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  bool stop_at_end = true;                      // end at an end-of-generation token; otherwise, continue after it
  std::vector<TokenId> end_tokens;              // more tokens that end the text, with stop_at_end
  bool special = false;                         // control tokens are part of the text, where stop strings may match them
  std::size_t top_logprobs = 0;                 // number of the most probable tokens to report with each token
  Changes changes;                              // adapters and edits, for the prompt and what follows
  std::optional<AttentionSelection> attention;  // report the attention of the position that predicts each token
  bool speculate = true;                        // run guesses of the next tokens if that is faster; the text is the same
  /// When the context is full: keep this many tokens from the beginning and the later half of the others, run the latter again, and
  /// continue. Absent: end with FinishReason::context.
  std::optional<std::size_t> context_shift;
};

enum class FinishReason : std::uint8_t { stop, length, context, abort };
std::string_view to_string(FinishReason reason) noexcept;

struct GeneratedToken {
  TokenId id = 0;
  /// The text that is certain with this token: whole UTF-8 characters, no part of a stop string; may be empty. The generated text is
  /// the concatenation of these.
  std::string text;
  float logprob = 0;                                     // natural log of the model's own probability
  std::vector<sampling::TokenProbability> alternatives;  // top_logprobs of them, most probable first
  std::size_t allowed = 0;                               // tokens that the constraint allowed in its place; 0 without one
  /// [layers][heads][keys]: the weights of the position that predicted this token, for all positions up to it.
  std::vector<float> attention;
  std::size_t attention_keys = 0;
};

struct Timings {
  std::size_t prompt_tokens = 0;  // of the prompt
  std::size_t reused_tokens = 0;  // of these, found in the KV cache
  std::size_t generated_tokens = 0;
  std::size_t guessed_tokens = 0;                   // guesses that were run
  std::size_t accepted_tokens = 0;                  // right guesses
  double prompt_seconds = 0, generate_seconds = 0;  // of passes, including those shared with others
};

class PrefixCache;

class Generation {
 public:
  /// Truncates the sequence to its common prefix with `prompt`, or replaces it by a copy from `prefix_cache` that has a longer one.
  /// `constraint` restricts the generated text, which ends where nothing may follow. The generation holds the pictures of the prompt, which
  /// something else must hold until then. The sequence must outlive the generation and must not be used otherwise
  /// meanwhile. Throws context_overflow, with both numbers, for a prompt longer than the context, and invalid_argument for an empty
  /// prompt or an option out of range; the sequence is then unchanged.
  Generation(Sequence& sequence, std::vector<TokenId> prompt, GenerateOptions options,
             std::unique_ptr<sampling::Constraint> constraint = nullptr, PrefixCache* prefix_cache = nullptr);
  ~Generation();

  Sequence& sequence() const noexcept;
  /// Whether it needs no further pass.
  bool ended() const noexcept { return finish_reason().has_value() || error().has_value(); }
  /// Whether more than one token must run before the next one can be sampled.
  bool prefilling() const noexcept;
  /// How many of the tokens that are left may be in a pass that has room for `most`: more than that if a tile comes next whose rows must
  /// all be in one pass, and which there is no room for.
  std::size_t portion(std::size_t most) const noexcept;
  /// Runs the encoder, if there is one and it has not run yet; must come before the first pass. False if it was interrupted.
  bool run_encoder();
  /// Guesses of the next tokens, at most `most`; none while it prefills.
  std::vector<Guess> guesses(std::size_t most) const;
  /// The input of the next pass: portion(most) tokens while it prefills; otherwise one token, and the first `guessed` of its guesses.
  /// Valid until finish_pass().
  ForwardInput next_input(std::size_t most, std::size_t guessed = 0);
  /// Must follow the pass with next_input(). logits: the rows x V of that input; seconds: the time of the pass.
  void finish_pass(std::span<const float> logits, double seconds);
  /// Ends the generation after the tokens that it has.
  void abort();
  /// The same, because a pass failed.
  void fail(Error why) noexcept;
  /// Removes and returns the next finished token, if there is one. The last token is not finished while text is held back because it
  /// may become part of a stop string or of a character; if the generation ends then, this text is added to it.
  std::optional<GeneratedToken> pop_token();

  /// Present after the end, unless the generation failed.
  std::optional<FinishReason> finish_reason() const noexcept;
  /// Why it failed: what its constraint or a pass threw.
  const std::optional<Error>& error() const noexcept;
  /// The end-of-generation token that ended it, if any; it does not belong to the text.
  std::optional<TokenId> end_token() const noexcept;
  const Timings& timings() const noexcept;
  /// How many of the prompt's tokens have been read, reused ones among them: all of them as soon as there is a token.
  std::size_t prompt_read() const noexcept;
  /// The tokens that were generated.
  std::span<const TokenId> generated() const noexcept;
  /// The tokens of the prompt and the generated ones, without those that a context shift dropped.
  std::span<const TokenId> text() const noexcept;
  /// The pictures of the prompt.
  const PlacedTiles& tiles() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::runtime
