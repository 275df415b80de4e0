#include "runtime/generate.hpp"

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "nn/spec.hpp"

namespace heed::runtime {
namespace {

/// Tokens of the prompt that one step reads: large enough to share the weights' reading, small enough to stop soon.
constexpr std::size_t kPromptChunk = 128;

/// Memory for so many tokens is taken beside the prompt's; most generations end before they reach what they may.
constexpr std::size_t kExpectedTokens = 512;

using Clock = std::chrono::steady_clock;

/// Adds the time that a scope takes.
class Timer {
 public:
  explicit Timer(double& seconds) : seconds_(seconds) {}
  ~Timer() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  double& seconds_;
  Clock::time_point start_ = Clock::now();
};

/// Holds back the end of a text while it may still become a stop string.
class StopFilter {
 public:
  explicit StopFilter(std::vector<std::string> stops) : stops_(std::move(stops)) {
    for (const std::string& stop : stops_)
      if (stop.empty()) throw Error(ErrorCode::invalid_argument, "a stop string must not be empty", "stop");
  }

  /// Takes more text; returns what can no longer be part of a stop string.
  std::string push(const std::string& text) {
    held_ += text;
    std::size_t end = held_.size();
    for (const std::string& stop : stops_) {
      const std::size_t at = held_.find(stop);
      if (at == std::string::npos) continue;
      found_ = true;
      end = std::min(end, at);
    }
    if (!found_)
      for (const std::string& stop : stops_) end = std::min(end, held_.size() - begun(stop));
    std::string certain = held_.substr(0, end);
    held_ = found_ ? std::string() : held_.substr(end);
    return certain;
  }

  bool found() const noexcept { return found_; }
  bool holds() const noexcept { return !held_.empty(); }
  std::string take_rest() { return std::exchange(held_, {}); }

 private:
  /// Length of the longest end of the held text that begins `stop`.
  std::size_t begun(const std::string& stop) const {
    for (std::size_t n = std::min(stop.size() - 1, held_.size()); n > 0; --n)
      if (held_.compare(held_.size() - n, n, stop, 0, n) == 0) return n;
    return 0;
  }

  std::vector<std::string> stops_;
  std::string held_;
  bool found_ = false;
};

/// Judged before anything else: a model without a decoder may have no vocabulary either.
Session& with_decoder(Session& session) {
  if (session.model().decoder()) return session;
  throw Error(ErrorCode::unsupported, "has no decoder to generate with", session.model().info().architecture);
}

}  // namespace

std::string_view to_string(FinishReason reason) noexcept {
  switch (reason) {
    case FinishReason::stop: return "stop";
    case FinishReason::length: return "length";
    case FinishReason::context: return "context";
    case FinishReason::abort: return "abort";
  }
  return "unknown";
}

struct Generation::State {
  Session& session;
  std::vector<TokenId> source;  // what an encoder reads; the prompt is then the decoder's start token
  std::vector<TokenId> prompt;
  GenerateOptions options;
  sampling::Sampler sampler;
  tokenizer::StreamDecoder decoder;
  StopFilter stop;
  std::optional<AttentionProbe> probe;
  std::vector<float> logits;  // V: of the token to come
  std::vector<TokenId> generated;
  std::optional<FinishReason> finish;
  Timings timings;

  State(Session& s, std::vector<TokenId> p, GenerateOptions o)
      : session(with_decoder(s)),
        prompt(std::move(p)),
        options(std::move(o)),
        sampler(options.sampling, s.model().info().vocabulary),
        decoder(s.model().tokenizer()),
        stop(options.stop),
        logits(s.model().info().vocabulary) {
    if (options.attention) probe.emplace(s, options.attention->layers, options.attention->heads, options.attention->of);
    if (probe && probe->of() == AttentionOf::encoder)
      throw Error(ErrorCode::invalid_argument, "a generation has attention of the decoder and cross-attention", "of");
    if (prompt.empty()) throw Error(ErrorCode::invalid_argument, "must have at least one token", "prompt");
    if (prompt.size() > s.capacity())
      throw Error(ErrorCode::context_overflow,
                  "has " + std::to_string(prompt.size()) + " tokens, but the context has room for " +
                      std::to_string(s.capacity()),
                  "prompt");
    for (const TokenId id : prompt) sampler.accept(id);
    timings.prompt_tokens = prompt.size();
    if (s.model().encoder()) {
      source = std::exchange(prompt, {s.model().spec().decoder_start});
      return;
    }

    // What the cache has in common with the prompt stays; the last token must be run, for its logits.
    const auto cached = s.tokens();
    const std::size_t most = std::min(cached.size(), prompt.size() - 1);
    const auto common = std::mismatch(prompt.begin(), prompt.begin() + static_cast<std::ptrdiff_t>(most), cached.begin());
    s.truncate(static_cast<std::size_t>(common.first - prompt.begin()));
    timings.reused_tokens = s.tokens().size();
    s.expect(prompt.size() + std::min(options.max_tokens, kExpectedTokens));
  }

  bool read_prompt();
  Step end(FinishReason reason);
  Step next_token();
};

Step Generation::State::end(FinishReason reason) {
  finish = reason;
  Step step;
  step.prompt_done = std::min(session.tokens().size(), prompt.size());
  if (!stop.found()) {
    step.rest = stop.push(decoder.finish());
    step.rest += stop.take_rest();
  }
  return step;
}

/// Runs the next chunk; the last token on its own where its attention is asked for. False if it was cancelled.
bool Generation::State::read_prompt() {
  const Timer timer(timings.prompt_seconds);
  if (!source.empty()) {
    if (session.encode(source).empty()) return false;
    source.clear();
  }
  const std::size_t done = session.tokens().size(), left = prompt.size() - done;
  std::size_t count = std::min(left, kPromptChunk);
  if (probe && count == left && count > 1) --count;
  const bool last = count == left;
  return session.forward(std::span(prompt).subspan(done, count), last ? std::span<float>(logits) : std::span<float>(),
                         last && probe ? &*probe : nullptr);
}

Step Generation::State::next_token() {
  const Timer timer(timings.generate_seconds);
  if (generated.size() >= options.max_tokens) return end(FinishReason::length);
  if (!generated.empty()) {
    if (session.tokens().size() == session.capacity()) return end(FinishReason::context);
    if (!session.forward(std::span(generated).last(1), logits, probe ? &*probe : nullptr))
      return end(FinishReason::abort);
  }

  const tokenizer::Tokenizer& tokenizer = session.model().tokenizer();
  const TokenId id = sampler.sample(logits);
  if (options.stop_at_end && tokenizer.ends_generation(id)) return end(FinishReason::stop);
  sampler.accept(id);
  generated.push_back(id);
  ++timings.generated_tokens;

  Step step;
  step.kind = Step::Kind::token;
  step.prompt_done = prompt.size();
  GeneratedToken& token = step.token;
  token.id = id;
  token.text = stop.push(decoder.push(id));
  token.holds_text = !stop.found() && (stop.holds() || decoder.holds());
  const auto ranked = sampling::top_logprobs(logits, options.top_logprobs, id);
  const auto chosen = std::find_if(ranked.begin(), ranked.end(), [&](const auto& entry) { return entry.id == id; });
  token.logprob = chosen->logprob;
  const std::size_t asked = std::min(options.top_logprobs, ranked.size());
  token.alternatives.assign(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(asked));
  if (probe) {
    token.attention.assign(probe->weights().begin(), probe->weights().end());
    token.attention_keys = probe->keys();
  }
  return step;
}

Generation::Generation(Session& session, std::vector<TokenId> prompt, GenerateOptions options)
    : state_(std::make_unique<State>(session, std::move(prompt), std::move(options))) {}
Generation::~Generation() = default;

Step Generation::step() {
  State& s = *state_;
  if (s.finish) return {};
  if (s.session.cancel_flag().load(std::memory_order_relaxed)) return s.end(FinishReason::abort);
  if (s.stop.found()) return s.end(FinishReason::stop);
  if (s.source.empty() && s.session.tokens().size() >= s.prompt.size()) return s.next_token();

  if (!s.read_prompt()) return s.end(FinishReason::abort);
  Step step;
  step.kind = Step::Kind::prompt;
  step.prompt_done = s.session.tokens().size();
  return step;
}

std::optional<FinishReason> Generation::finish_reason() const noexcept { return state_->finish; }
const Timings& Generation::timings() const noexcept { return state_->timings; }
std::span<const TokenId> Generation::generated() const noexcept { return state_->generated; }

}  // namespace heed::runtime
