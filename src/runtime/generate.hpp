// One text being written: what it would have run next, and what becomes of the logits. Passes are its own (next_token) or shared with
// others (runtime/scheduler.hpp): the text is the same.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inspect.hpp"
#include "runtime/sequence.hpp"
#include "runtime/speculation/guesser.hpp"
#include "sampling/constraint.hpp"
#include "sampling/logprobs.hpp"
#include "sampling/sampler.hpp"

namespace heed::runtime {

struct AttentionSelection {
  std::vector<std::uint32_t> layers, heads;  // empty = all
  std::optional<AttentionOf> of = {};        // absent: as AttentionProbe has it
};

struct GenerateOptions {
  std::size_t max_tokens = 256;
  sampling::SamplerOptions sampling;
  std::vector<std::string> stop;                // generation ends before the first of these in the new text; non-empty strings
  bool stop_at_end = true;                      // end at an end-of-generation token; otherwise go on past it
  bool special = false;                         // show control tokens as their text, in which stop strings are found too
  std::size_t top_logprobs = 0;                 // most probable alternatives to report with each token
  std::optional<AttentionSelection> attention;  // report what each new token's predecessor position attended to
  bool speculate = true;                        // run guessed tokens along where that is quicker; the text is the same
  /// Where the context is full: keep so many tokens from the beginning and the later half of the others, read these anew, and
  /// go on. Absent: end.
  std::optional<std::size_t> context_shift;
};

enum class FinishReason : std::uint8_t { stop, length, context, abort };
std::string_view to_string(FinishReason reason) noexcept;

struct GeneratedToken {
  TokenId id = 0;
  /// The text that this token makes certain: whole UTF-8, never part of a stop string; may be empty. The texts of all tokens
  /// joined are the generated text.
  std::string text;
  float logprob = 0;                                     // natural log of the model's own probability
  std::vector<sampling::TokenProbability> alternatives;  // top_logprobs of them, most probable first
  /// [layers][heads][keys]: weights of the position that predicted this token, over the positions before and itself.
  std::vector<float> attention;
  std::size_t attention_keys = 0;
};

struct Timings {
  std::size_t prompt_tokens = 0;  // of the prompt
  std::size_t reused_tokens = 0;  // of those, found in the KV cache
  std::size_t generated_tokens = 0;
  std::size_t guessed_tokens = 0;                   // that were run before they were certain
  std::size_t accepted_tokens = 0;                  // of those, right
  double prompt_seconds = 0, generate_seconds = 0;  // of passes, shared ones too
};

class PrefixCache;

class Generation {
 public:
  /// Keeps of the sequence what `prompt` begins with, and drops the rest; where `kept` has a sequence that has read more of the
  /// prompt, goes on from a copy of that. A `constraint` says what the generated text may
  /// be; the generation ends where nothing may follow.
  /// Throws context_overflow, with both numbers, for a prompt longer than the context, and invalid_argument for an empty prompt
  /// or an option out of range; the sequence is then as it was. The sequence must outlive it, and belongs to it while it runs.
  Generation(Sequence& sequence, std::vector<TokenId> prompt, GenerateOptions options,
             std::unique_ptr<sampling::Constraint> constraint = nullptr, PrefixCache* kept = nullptr);
  ~Generation();

  /// The next token, in passes of its own where there is none yet; absent once the generation has ended. Where a pass is
  /// interrupted, the generation ends with FinishReason::abort.
  std::optional<GeneratedToken> next_token();

  // For passes with others.

  Sequence& sequence() const noexcept;
  /// Whether it has come to its end, and needs no pass any more.
  bool ended() const noexcept { return finish_reason().has_value() || error().has_value(); }
  /// Whether there is more than one token to be run before the next one is known.
  bool reads() const noexcept;
  /// What has to be run before all else, in a pass of its own: the encoder. False where that was interrupted.
  bool prepare();
  /// What it may guess of the tokens to come; nothing while it reads.
  std::vector<Guess> guesses(std::size_t most) const;
  /// What it runs next: at most `most` tokens while it reads, and otherwise one and the first `guessed` of its guesses. Good
  /// until took().
  Reading next(std::size_t most, std::size_t guessed = 0);
  /// The pass with that is done. logits: the reading's rows, each of V.
  void took(std::span<const float> logits, double seconds);
  /// Ends it; it keeps what it has.
  void abort();
  /// The next token that can be shown, if there is one. The last token waits for its successor while some of the text is held
  /// back, because it may become a stop string or is part of a character; if the generation ends first, it gets that text.
  std::optional<GeneratedToken> take_token();

  /// Set once it has ended, unless it failed.
  std::optional<FinishReason> finish_reason() const noexcept;
  /// Why it failed: what its constraint threw.
  const std::optional<Error>& error() const noexcept;
  /// The end-of-generation token that it ended at, if any; it is no part of the text.
  std::optional<TokenId> end_token() const noexcept;
  const Timings& timings() const noexcept;
  /// The tokens that were generated.
  std::span<const TokenId> generated() const noexcept;
  /// The tokens of the prompt and those that were generated, but for what a context shift dropped.
  std::span<const TokenId> text() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::runtime
