// Generation, one step at a time, so that a caller on one thread can show progress and stop between steps.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/session.hpp"
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
  std::vector<std::string> stop;       // generation ends before the first of these in the new text; non-empty strings
  bool stop_at_end = true;             // end at an end-of-generation token; otherwise go on past it
  std::size_t top_logprobs = 0;        // most probable alternatives to report with each token
  std::optional<AttentionSelection> attention;  // report what each new token's predecessor position attended to
};

enum class FinishReason : std::uint8_t { stop, length, context, abort };
std::string_view to_string(FinishReason reason) noexcept;

struct GeneratedToken {
  tokenizer::TokenId id = 0;
  /// Text that this token made certain: whole UTF-8, never part of a stop string; may be empty. The texts of all tokens
  /// joined are the generated text.
  std::string text;
  bool holds_text = false;  // some of its text is held back: the next tokens, or Step::rest, bring it
  float logprob = 0;                                      // natural log of the model's own probability
  std::vector<sampling::TokenProbability> alternatives;   // top_logprobs of them, most probable first
  /// [layers][heads][keys]: weights of the position that predicted this token, over the positions before and itself.
  std::vector<float> attention;
  std::size_t attention_keys = 0;
};

struct Step {
  enum class Kind : std::uint8_t { prompt, token, end } kind = Kind::end;
  std::size_t prompt_done = 0;   // prompt tokens read so far
  GeneratedToken token;          // kind == token
  /// kind == end: text that was held back because it might have become a stop string.
  std::string rest;
};

struct Timings {
  std::size_t prompt_tokens = 0;      // of the prompt
  std::size_t reused_tokens = 0;      // of those, found in the KV cache
  std::size_t generated_tokens = 0;
  double prompt_seconds = 0, generate_seconds = 0;
};

class Generation {
 public:
  /// Keeps of the session's cache what `prompt` begins with, and drops the rest. Throws context_overflow, with both
  /// numbers, for a prompt longer than the context, and invalid_argument for an empty prompt or an option out of range.
  Generation(Session& session, std::vector<tokenizer::TokenId> prompt, GenerateOptions options);
  ~Generation();

  /// Reads the next chunk of the prompt, or makes the next token. After Kind::end only Kind::end comes.
  /// A raised cancel flag of the session ends the generation with FinishReason::abort.
  Step step();

  /// Set once a step was Kind::end.
  std::optional<FinishReason> finish_reason() const noexcept;
  const Timings& timings() const noexcept;
  std::span<const tokenizer::TokenId> generated() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::runtime
