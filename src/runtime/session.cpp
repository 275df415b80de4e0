#include "runtime/session.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <string>

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "runtime/thread_tuner.hpp"

namespace heed::runtime {

struct Session::State {
  const Model& model;
  nn::KvCache cache;
  nn::Scratch scratch;
  ThreadTuner reading, writing;  // many tokens a pass, bound by arithmetic; one, bound by memory
  std::vector<TokenId> tokens;
  std::atomic<bool> cancel{false};

  explicit State(const Model& owner)
      : model(owner),
        cache(owner.decoder().spec(), owner.info().kv_cache, owner.info().context),
        scratch(owner.decoder().spec(), std::min(kMaxBatch, owner.info().context), owner.info().context,
                owner.pool().threads()),
        reading(owner.pool().threads(), 64, 1),
        writing(owner.pool().threads(), 64, 3) {
    tokens.reserve(owner.info().context);
  }

  /// Runs the pass on as many threads as are fastest.
  bool run(nn::Pass& pass, float* logits, std::size_t rows) noexcept {
    constexpr std::size_t kTelling = 32;  // passes of fewer tokens, but for one, say little about either kind
    const std::size_t count = pass.tokens.size();
    ThreadTuner& tuner = count == 1 ? writing : reading;
    const bool tells = count == 1 || count >= kTelling;
    pass.pool.use(tells ? tuner.choose() : tuner.fastest());

    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const bool done = model.decoder().forward(pass, logits, rows);
    if (done && tells)
      tuner.record(std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(count));
    return done;
  }
};

Session::Session(const Model& model) {
  try {
    state_ = std::make_unique<State>(model);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory,
                "no memory for a context of " + std::to_string(model.info().context) + " tokens; ask for a smaller one",
                "context");
  }
}

Session::~Session() = default;

const Model& Session::model() const noexcept { return state_->model; }
std::span<const TokenId> Session::tokens() const noexcept { return state_->tokens; }
std::size_t Session::capacity() const noexcept { return state_->cache.positions(); }
std::atomic<bool>& Session::cancel_flag() noexcept { return state_->cancel; }

void Session::truncate(std::size_t length) noexcept {
  if (length < state_->tokens.size()) state_->tokens.resize(length);
}

bool Session::forward(std::span<const TokenId> tokens, std::span<float> logits, AttentionProbe* probe) {
  const nn::Decoder& decoder = state_->model.decoder();
  const std::size_t position = state_->tokens.size(), vocabulary = decoder.spec().vocabulary;
  if (tokens.empty() || tokens.size() > kMaxBatch)
    throw Error(ErrorCode::invalid_argument, "a batch has from 1 to " + std::to_string(kMaxBatch) + " tokens", "tokens");
  if (position + tokens.size() > capacity())
    throw Error(ErrorCode::context_overflow,
                std::to_string(position + tokens.size()) + " tokens do not fit a context of " +
                    std::to_string(capacity()),
                "tokens");
  if (logits.size() % vocabulary != 0 || logits.size() / vocabulary > tokens.size())
    throw Error(ErrorCode::invalid_argument, "must have room for whole rows, at most one a token", "logits");
  for (const TokenId id : tokens)
    if (id < 0 || static_cast<std::size_t>(id) >= vocabulary)
      throw Error(ErrorCode::invalid_argument,
                  "token " + std::to_string(id) + " is outside the vocabulary of " + std::to_string(vocabulary),
                  "tokens");
  if (probe && (position < probe->first() || position + tokens.size() > probe->first() + probe->queries()))
    probe->prepare(position, tokens.size());

  nn::Pass pass{.kernels = decoder.kernels(),
                .pool = state_->model.pool(),
                .cache = state_->cache,
                .scratch = state_->scratch,
                .tokens = tokens,
                .position = position,
                .layer = 0,
                .attention = probe,
                .cancel = &state_->cancel};
  if (!state_->run(pass, logits.data(), logits.size() / vocabulary)) return false;
  state_->tokens.insert(state_->tokens.end(), tokens.begin(), tokens.end());
  return true;
}

}  // namespace heed::runtime
