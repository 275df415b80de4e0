#include "runtime/session.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <numeric>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "nn/encoder.hpp"
#include "nn/vision.hpp"
#include "runtime/thread_tuner.hpp"

namespace heed::runtime {
namespace {

/// What an encoder gave last, and what becomes of it.
struct Encoded {
  std::size_t tokens = 0, width = 0;  // T, D
  Pooling pooling = Pooling::none;
  const nn::Linear* projection = nullptr;
  const nn::Linear* classifier = nullptr;
};

/// A probe that was made for other attention has other layers and heads.
void prepare_for(AttentionProbe& probe, AttentionOf of, std::size_t tokens) {
  if (probe.of() != of) throw Error(ErrorCode::invalid_argument, "is of other attention than what is run", "probe");
  probe.prepare(0, tokens, tokens);
}

}  // namespace

struct Session::State {
  const Model& model;
  std::optional<nn::KvMemory> kept_of_decoder, kept_of_memory, kept_of_encoder, kept_of_vision;
  std::optional<nn::KvCache> cache, memory, encoder_cache, vision_cache;
  nn::Scratch scratch;
  Buffer<float> hidden;         // T x D: an encoder's output
  Encoded encoded;
  ThreadTuner reading, writing; // many tokens a pass, bound by arithmetic; one, bound by memory
  std::vector<TokenId> tokens;
  std::atomic<bool> cancel{false};

  State(const Model& owner, const SessionPlan& plan)
      : model(owner),
        kept_of_decoder(plan.make_cache()),
        kept_of_memory(plan.make_memory()),
        kept_of_encoder(plan.make_encoder_cache()),
        kept_of_vision(plan.make_vision_cache()),
        scratch(plan.make_scratch()),
        hidden(plan.hidden()),
        reading(owner.pool().threads(), 64, 1),
        writing(owner.pool().threads(), 64, 3) {
    tokens.reserve(owner.info().context);
    if (kept_of_decoder) cache.emplace(*kept_of_decoder);
    if (kept_of_memory) memory.emplace(*kept_of_memory);
    if (kept_of_encoder) encoder_cache.emplace(*kept_of_encoder);
    if (kept_of_vision) vision_cache.emplace(*kept_of_vision);
  }

  nn::Segment make_segment(nn::KvCache& keys_and_values, std::size_t count) noexcept {
    return {.cache = keys_and_values,
            .position = keys_and_values.length(),
            .count = count,
            .memory = memory ? &*memory : nullptr,
            .memory_positions = encoded.tokens};
  }
  nn::Pass make_pass(std::span<nn::Segment> segments, std::size_t count) noexcept {
    return {.kernels = model.kernels(),
            .pool = model.pool(),
            .scratch = scratch,
            .segments = segments,
            .tokens = count,
            .cancel = &cancel};
  }

  /// Makes room for positions up to `end` in a cache, or takes memory for it (`expect`). Throws out_of_memory.
  void make_room(nn::KvCache& keys_and_values, std::size_t end, void (nn::KvCache::*make)(std::size_t) = &nn::KvCache::make_room) {
    try {
      (keys_and_values.*make)(end);
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCode::out_of_memory, "no memory for " + std::to_string(end) + " tokens", "context");
    }
  }

  void check(std::span<const TokenId> ids, std::size_t position, std::size_t vocabulary) const;
  std::span<const float> all_hidden() const noexcept { return {hidden.data(), encoded.tokens * encoded.width}; }
  std::vector<float> project(std::span<const float> rows, const nn::Linear& linear);

  /// Runs the pass on as many threads as are fastest.
  template <class Forward>
  bool run(std::size_t count, Forward forward) noexcept {
    constexpr std::size_t kTelling = 32;  // passes of fewer tokens, but for one, say little about either kind
    constexpr std::size_t kCheap = 64;
    ThreadTuner& tuner = count == 1 ? writing : reading;
    const bool tells = count == 1 || count >= kTelling;
    model.pool().use(tells ? tuner.choose(count <= kCheap) : tuner.fastest());

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
std::atomic<bool>& Session::cancel_flag() noexcept { return state_->cancel; }

void Session::truncate(std::size_t length) noexcept {
  if (length < state_->tokens.size()) state_->tokens.resize(state_->cache->cut(length));
}

void Session::expect(std::size_t length) {
  if (state_->cache) state_->make_room(*state_->cache, std::min(length, capacity()), &nn::KvCache::expect);
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
  if (probe) prepare_for(*probe, AttentionOf::encoder, tokens.size());

  truncate(0);
  s.encoded = {};
  s.make_room(*s.encoder_cache, tokens.size());
  if (s.memory) {
    s.memory->cut(0);
    s.make_room(*s.memory, tokens.size());
  }
  nn::Segment segment = s.make_segment(*s.encoder_cache, tokens.size());
  segment.attention = probe;
  nn::Pass pass = s.make_pass({&segment, 1}, tokens.size());
  const nn::EncoderSpec& spec = encoder->spec();
  const bool done = s.run(tokens.size(), [&] {
    if (!encoder->forward(tokens, pass, s.hidden.data())) return false;
    if (s.memory) s.model.decoder()->stack().remember({s.hidden.data(), tokens.size(), spec.stack.width}, pass);
    return true;
  });
  if (!done) return {};
  s.encoded = {tokens.size(), spec.stack.width, spec.pooling, encoder->projection(), nullptr};
  return s.all_hidden();
}

std::span<const float> Session::see(const Image& image, AttentionProbe* probe) {
  State& s = *state_;
  const nn::VisionEncoder* vision = s.model.vision();
  if (!vision) throw Error(ErrorCode::unsupported, "does not see pictures", s.model.info().architecture);
  const nn::VisionSpec& spec = vision->spec();
  const std::vector<float> pixels = prepare(image, spec.patches);
  const std::size_t tokens = spec.patches.tokens();
  if (probe) prepare_for(*probe, AttentionOf::image, tokens);

  s.encoded = {};
  s.make_room(*s.vision_cache, tokens);
  nn::Segment segment = s.make_segment(*s.vision_cache, tokens);
  segment.attention = probe;
  nn::Pass pass = s.make_pass({&segment, 1}, tokens);
  if (!s.run(tokens, [&] { return vision->forward(pixels.data(), pass, s.hidden.data()); })) return {};
  s.encoded = {tokens, spec.stack.width, Pooling::cls, vision->projection(), vision->classifier()};
  return s.all_hidden();
}

std::vector<float> Session::State::project(std::span<const float> rows, const nn::Linear& linear) {
  std::vector<float> out(rows.size() / encoded.width * linear.matrix.rows);
  nn::Pass pass = make_pass({}, 1);
  for (std::size_t row = 0; row < rows.size() / encoded.width; ++row)
    nn::project(rows.data() + row * encoded.width, 1, {{&linear, out.data() + row * linear.matrix.rows}}, pass);
  return out;
}

std::vector<float> Session::embedding(std::optional<Pooling> pooling, bool normalised) {
  State& s = *state_;
  if (s.encoded.tokens == 0) throw Error(ErrorCode::invalid_argument, "nothing was encoded", "embedding");
  std::vector<float> rows = pool(s.all_hidden(), s.encoded.width, pooling.value_or(s.encoded.pooling));
  std::size_t width = s.encoded.width;
  if (const nn::Linear* projection = s.encoded.projection) {
    rows = s.project(rows, *projection);
    width = projection->matrix.rows;
  }
  if (normalised) normalise(rows, width);
  return rows;
}

std::vector<float> Session::scores() {
  State& s = *state_;
  const nn::ScoreHead* head = s.model.encoder() ? s.model.encoder()->score_head() : nullptr;
  if (!head) throw Error(ErrorCode::unsupported, "is not a reranker", s.model.info().architecture);
  if (s.encoded.tokens == 0) throw Error(ErrorCode::invalid_argument, "nothing was encoded", "scores");
  std::vector<float> dense(s.encoded.width), scores(head->size());
  nn::Pass pass = s.make_pass({}, 1);
  (*head)(s.hidden.data(), dense.data(), scores.data(), pass);
  return scores;
}

std::vector<float> Session::classes() {
  State& s = *state_;
  if (!s.encoded.classifier) throw Error(ErrorCode::unsupported, "has no classifier", s.model.info().architecture);
  std::vector<float> scores = s.project(s.all_hidden().first(s.encoded.width), *s.encoded.classifier);
  s.model.kernels().softmax(scores.data(), scores.size());
  return scores;
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
  if (s.memory && s.encoded.tokens == 0)
    throw Error(ErrorCode::invalid_argument, "nothing was encoded that the decoder could attend to", "tokens");
  s.check(tokens, position, vocabulary);

  s.make_room(*s.cache, position + tokens.size());
  nn::Segment segment = s.make_segment(*s.cache, tokens.size());
  if (probe) {
    const bool cross = probe->of() == AttentionOf::cross;
    if (!probe->covers(position, tokens.size()))
      probe->prepare(position, tokens.size(), cross ? s.encoded.tokens : position + tokens.size());
    (cross ? segment.cross_attention : segment.attention) = probe;
  }
  nn::Pass pass = s.make_pass({&segment, 1}, tokens.size());
  std::vector<std::size_t> rows(logits.size() / vocabulary);
  std::iota(rows.begin(), rows.end(), tokens.size() - rows.size());
  if (!s.run(tokens.size(), [&] { return decoder->forward(tokens, pass, logits.data(), rows); })) {
    s.tokens.resize(s.cache->undo());
    return false;
  }
  s.cache->wrote(segment.end());
  s.tokens.insert(s.tokens.end(), tokens.begin(), tokens.end());
  return true;
}

}  // namespace heed::runtime
