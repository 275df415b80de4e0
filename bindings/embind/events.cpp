#include "events.hpp"

#include <string>

#include "guard.hpp"
#include "results.generated.hpp"

namespace heed::bindings {
namespace {

val describe(const runtime::GeneratedToken& token, const tokenizer::Tokenizer& tokenizer) {
  val object = val::object();
  object.set("id", token.id);
  object.set("text", token.text);
  object.set("logprob", token.logprob);
  if (!token.alternatives.empty()) {
    val alternatives = val::array();
    for (const auto& other : token.alternatives) {
      val alternative = token_object(tokenizer, other.id);
      alternative.set("logprob", other.logprob);
      alternatives.call<void>("push", alternative);
    }
    object.set("alternatives", alternatives);
  }
  if (token.allowed > 0) object.set("allowed", static_cast<double>(token.allowed));
  if (token.draft > 0) object.set("draft", static_cast<int>(token.draft));
  if (!token.attention.empty()) object.set("attention", copy(std::span(token.attention)));
  return object;
}

val describe(const engine::Event& event, const tokenizer::Tokenizer& tokenizer) {
  val step = val::object();
  step.set("id", static_cast<int>(event.id));
  if (event.token) {
    step.set("token", describe(*event.token, tokenizer));
  } else if (event.ended) {
    if (event.ended->end_token) step.set("endToken", token_object(tokenizer, *event.ended->end_token));
    step.set("finishReason", std::string(to_string(event.ended->reason)));
    step.set("timings", to_javascript(event.ended->timings));
  } else {
    const Failure what = failure_of(*event.error);
    step.set("code", what.code);
    step.set("message", what.message);
  }
  return step;
}

}  // namespace

val to_javascript(std::span<const engine::Event> events, const tokenizer::Tokenizer& tokenizer) {
  val steps = val::array();
  for (const engine::Event& event : events) steps.call<void>("push", describe(event, tokenizer));
  return steps;
}

}  // namespace heed::bindings
