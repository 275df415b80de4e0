#include "writer.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "guard.hpp"

namespace heed::bindings {
namespace {

val step_of(int id, const char* kind) {
  val step = val::object();
  step.set("id", id);
  step.set("kind", std::string(kind));
  return step;
}

std::size_t common(std::span<const TokenId> a, std::span<const TokenId> b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

Writer::Writer(runtime::Workspace& workspace)
    : workspace_(workspace), kept_(workspace, workspace.model().info().kept_bytes), scheduler_(workspace, kept_) {}

void Writer::begin(int id, int held, std::vector<TokenId> prompt, runtime::GenerateOptions options) {
  Text text{held, nullptr, nullptr};
  runtime::Sequence* sequence;
  if (held != 0) {
    runtime::Session& from = session(held);
    prompt.insert(prompt.begin(), from.tokens.begin(), from.tokens.end());
    sequence = &from.sequence;
    if (runtime::Sequence other = kept_.find(prompt); common(other.tokens(), prompt) > common(sequence->tokens(), prompt))
      *sequence = std::move(other);
  } else {
    text.own = std::make_unique<runtime::Sequence>(kept_.find(prompt));
    sequence = text.own.get();
  }
  text.generation = std::make_unique<runtime::Generation>(*sequence, std::move(prompt), std::move(options));
  scheduler_.add(*texts_.emplace(id, std::move(text)).first->second.generation);
}

val Writer::pass() {
  val steps = val::array();
  for (const auto& [generation, error] : scheduler_.step()) {
    const auto text = std::ranges::find_if(texts_, [&](const auto& entry) { return entry.second.generation.get() == generation; });
    Failure what;
    try {
      std::rethrow_exception(error);
    } catch (...) {
      what = failure();
    }
    val step = step_of(text->first, "failed");
    step.set("code", what.code);
    step.set("message", what.message);
    steps.call<void>("push", step);
    finish(text);
  }
  for (auto text = texts_.begin(); text != texts_.end();) {
    const auto next = std::next(text);
    tell_steps(text->first, text->second, steps);
    if (text->second.generation->ended()) finish(text);
    text = next;
  }
  return steps;
}

void Writer::tell_steps(int id, Text& text, val& steps) {
  runtime::Generation& generation = *text.generation;
  while (const auto said = generation.take_step()) {
    using Kind = runtime::Step::Kind;
    val step = step_of(id, said->kind == Kind::prompt ? "prompt" : said->kind == Kind::token ? "token" : "end");
    if (said->kind == Kind::prompt) step.set("promptDone", static_cast<double>(said->prompt_done));
    if (said->kind == Kind::token) {
      step.set("holdsText", said->token.holds_text);
      step.set("token", describe(said->token));
    }
    if (said->kind == Kind::end) {
      step.set("rest", said->rest);
      if (said->end_token) step.set("endToken", token_object(workspace_.model().tokenizer(), *said->end_token));
      step.set("finishReason", std::string(to_string(*generation.finish_reason())));
      step.set("timings", to_javascript(generation.timings()));
    }
    steps.call<void>("push", step);
  }
}

/// A session goes on holding what was written; what nobody holds is kept for prompts that begin alike.
void Writer::finish(std::map<int, Text>::iterator text) {
  scheduler_.remove(*text->second.generation);
  const auto written = text->second.generation->text();
  if (const auto session = sessions_.find(text->second.session); session != sessions_.end())
    session->second.tokens.assign(written.begin(), written.end());
  const std::unique_ptr<runtime::Sequence> own = std::move(text->second.own);
  texts_.erase(text);
  if (own) kept_.keep(std::move(*own));
}

void Writer::abort(int id) {
  if (const auto text = texts_.find(id); text != texts_.end()) text->second.generation->abort();
}

runtime::Session& Writer::session(int id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) throw Error(ErrorCode::invalid_argument, "no session has this number", "session");
  return found->second;
}

void Writer::close_session(int id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return;
  for (auto text = texts_.begin(); text != texts_.end();) {  // one that still goes on from it ends
    const auto next = std::next(text);
    if (text->second.session == id) finish(text);
    text = next;
  }
  kept_.keep(std::move(found->second.sequence));
  sessions_.erase(found);
}

val Writer::describe(const runtime::GeneratedToken& token) const {
  const auto& tokenizer = workspace_.model().tokenizer();
  val object = val::object();
  object.set("id", token.id);
  object.set("text", token.text);
  object.set("logprob", token.logprob);
  if (!token.alternatives.empty()) {
    val alternatives = val::array();
    for (const auto& other : token.alternatives) {
      val alternative = val::object();
      alternative.set("id", other.id);
      alternative.set("text", tokenizer.token_bytes(other.id, true));
      alternative.set("logprob", other.logprob);
      alternatives.call<void>("push", alternative);
    }
    object.set("alternatives", alternatives);
  }
  if (!token.attention.empty()) object.set("attention", copy(std::span(token.attention)));
  return object;
}

}  // namespace heed::bindings
