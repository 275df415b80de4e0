#include "runtime/session.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "nn/encoder.hpp"
#include "runtime/thread_tuner.hpp"

namespace heed::runtime {

struct Session::State {
  const Model& model;
  std::optional<nn::KvCache> cache, memory, encoder_cache;
  nn::Scratch scratch;
  Buffer<float> hidden;         // T x D: the encoder's output
  std::size_t encoded = 0;      // T
  ThreadTuner reading, writing; // many tokens a pass, bound by arithmetic; one, bound by memory
  std::vector<TokenId> tokens;
  std::atomic<bool> cancel{false};

  State(const Model& owner, const SessionPlan& plan)
      : model(owner),
        cache(plan.make_cache()),
        memory(plan.make_memory()),
        encoder_cache(plan.make_encoder_cache()),
        scratch(plan.make_scratch()),
        hidden(plan.hidden()),
        reading(owner.pool().threads(), 64, 1),
        writing(owner.pool().threads(), 64, 3) {
    tokens.reserve(owner.info().context);
  }

  nn::Pass make_pass(nn::KvCache& keys_and_values, std::size_t count) noexcept {
    return {.kernels = model.kernels(),
            .pool = model.pool(),
            .scratch = scratch,
            .cache = keys_and_values,
            .tokens = count,
            .memory = memory ? &*memory : nullptr,
            .memory_positions = encoded,
            .cancel = &cancel};
  }

  void check(std::span<const TokenId> ids, std::size_t position, std::size_t vocabulary) const;

  /// Runs the pass on as many threads as are fastest.
  template <class Forward>
  bool run(std::size_t count, Forward forward) noexcept {
    constexpr std::size_t kTelling = 32;  // passes of fewer tokens, but for one, say little about either kind
    ThreadTuner& tuner = count == 1 ? writing : reading;
    const bool tells = count == 1 || count >= kTelling;
    model.pool().use(tells ? tuner.choose() : tuner.fastest());

    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const bool done = forward();
    if (done && tells)
      tuner.record(std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(count));
    return done;
  }
};

Session::Session(const Model& model) {
  try {
    state_ = std::make_unique<State>(
        model, SessionPlan(model.spec(), model.info().kv_cache, model.info().context, model.pool().threads()));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory,
                "no memory for a context of " + std::to_string(model.info().context) + " tokens; ask for a smaller one",
                "context");
  }
}

Session::~Session() = default;

const Model& Session::model() const noexcept { return state_->model; }
std::span<const TokenId> Session::tokens() const noexcept { return state_->tokens; }
std::size_t Session::capacity() const noexcept { return state_->model.info().context; }
std::size_t Session::encoded() const noexcept { return state_->encoded; }
std::atomic<bool>& Session::cancel_flag() noexcept { return state_->cancel; }

void Session::truncate(std::size_t length) noexcept {
  if (length < state_->tokens.size()) state_->tokens.resize(state_->cache->keep(length));
}

/// Throws where `ids` cannot be run at `position`.
void Session::State::check(std::span<const TokenId> ids, std::size_t position, std::size_t vocabulary) const {
  const std::size_t room = model.info().context;
  if (position + ids.size() > room)
    throw Error(ErrorCode::context_overflow,
                std::to_string(position + ids.size()) + " tokens do not fit a context of " + std::to_string(room), "tokens");
  for (const TokenId id : ids)
    if (id < 0 || static_cast<std::size_t>(id) >= vocabulary)
      throw Error(ErrorCode::invalid_argument,
                  "token " + std::to_string(id) + " is outside the vocabulary of " + std::to_string(vocabulary),
                  "tokens");
}

std::span<const float> Session::encode(std::span<const TokenId> tokens, AttentionProbe* probe) {
  State& s = *state_;
  const nn::Encoder* encoder = s.model.encoder();
  if (!encoder) throw Error(ErrorCode::unsupported, "has no encoder", s.model.info().architecture);
  if (tokens.empty()) throw Error(ErrorCode::invalid_argument, "must have at least one token", "tokens");
  s.check(tokens, 0, encoder->spec().embedding.vocabulary);
  if (probe) probe->prepare(0, tokens.size(), tokens.size());

  truncate(0);
  s.encoded = 0;
  nn::Pass pass = s.make_pass(*s.encoder_cache, tokens.size());
  pass.attention = probe;
  const std::size_t width = encoder->spec().stack.width;
  const bool done = s.run(tokens.size(), [&] {
    if (!encoder->forward(tokens, pass, s.hidden.data())) return false;
    if (s.memory) s.model.decoder()->stack().remember({s.hidden.data(), tokens.size(), width}, pass);
    return true;
  });
  if (!done) return {};
  s.encoded = tokens.size();
  return {s.hidden.data(), tokens.size() * width};
}

bool Session::forward(std::span<const TokenId> tokens, std::span<float> logits, AttentionProbe* probe) {
  State& s = *state_;
  const nn::Decoder* decoder = s.model.decoder();
  if (!decoder) throw Error(ErrorCode::unsupported, "has no decoder", s.model.info().architecture);
  const std::size_t position = s.tokens.size(), vocabulary = decoder->spec().embedding.vocabulary;
  if (tokens.empty() || tokens.size() > kMaxBatch)
    throw Error(ErrorCode::invalid_argument, "a batch has from 1 to " + std::to_string(kMaxBatch) + " tokens", "tokens");
  if (logits.size() % vocabulary != 0 || logits.size() / vocabulary > tokens.size())
    throw Error(ErrorCode::invalid_argument, "must have room for whole rows, at most one a token", "logits");
  if (s.memory && s.encoded == 0)
    throw Error(ErrorCode::invalid_argument, "nothing was encoded that the decoder could attend to", "tokens");
  s.check(tokens, position, vocabulary);

  nn::Pass pass = s.make_pass(*s.cache, tokens.size());
  pass.position = position;
  if (probe) {
    const bool cross = probe->of() == AttentionOf::cross;
    if (!probe->covers(position, tokens.size()))
      probe->prepare(position, tokens.size(), cross ? s.encoded : position + tokens.size());
    (cross ? pass.cross_attention : pass.attention) = probe;
  }
  const std::size_t rows = logits.size() / vocabulary;
  const bool done = s.run(tokens.size(), [&] { return decoder->forward(tokens, pass, logits.data(), rows); });
  s.cache->wrote(pass.end());  // some layers have, even where the rest was cancelled
  if (done) s.tokens.insert(s.tokens.end(), tokens.begin(), tokens.end());
  return done;
}

}  // namespace heed::runtime
