// The C++ side of the JavaScript API: one class around Loader, Model, Session and Generation, for one worker.
// Every call is short, so that the worker can answer its messages between two of them.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "convert.hpp"
#include "guard.hpp"
#include "runtime/generate.hpp"
#include "runtime/inspect.hpp"
#include "runtime/load.hpp"
#include "runtime/session.hpp"
#include "tokenizer/pair.hpp"

namespace heed::bindings {

using runtime::Step;
using tokenizer::TokenId;

class Engine {
 public:
  // Loading: open, then write the file through input(), then finish.

  void open(val options) {
    runtime::LoadOptions load;
    take(options, "threads", load.threads);
    take(options, "contextLength", load.context);
    take(options, "kvCache", load.kv_cache);
    take(options, "memoryLimit", load.memory_limit);
    loader_ = std::make_unique<runtime::Loader>(load);
    input_.resize(kInputBytes);
  }

  /// Where JavaScript puts the next bytes of the file before it calls write.
  val input() { return view(std::span(reinterpret_cast<std::uint8_t*>(input_.data()), input_.size())); }

  void write(std::size_t count) {
    const bool had_header = loader_->info() != nullptr;
    loader_->write(std::span(input_).first(count));
    if (!had_header && loader_->info()) loader_->warm_up();  // compiled while the weights come
  }

  /// 0 until the file's header is complete.
  double bytes_expected() { return static_cast<double>(loader_->bytes_expected()); }

  void finish() {
    model_ = loader_->finish();
    loader_.reset();
    input_ = {};
    session_ = std::make_unique<runtime::Session>(*model_);
  }

  val info() { return to_javascript(model_->info()); }

  // Cancelling: the byte that another thread may set to 1, and lowering it before the next call.

  val cancel_flag() {
    static_assert(sizeof(std::atomic<bool>) == 1 && std::atomic<bool>::is_always_lock_free);
    return view(std::span(reinterpret_cast<std::uint8_t*>(&session_->cancel_flag()), 1));
  }

  void set_cancelled(bool cancelled) { session_->cancel_flag() = cancelled; }

  // Text and tokens.

  val tokenize(std::string text, bool add_special, bool parse_special) {
    const auto ids =
        model_->tokenizer().encode(text, {.add_special = add_special, .parse_special = parse_special});
    return copy(std::span(ids));
  }

  std::string detokenize(val ids, bool special, bool tidy_spaces) {
    return model_->tokenizer().decode(emscripten::convertJSArrayToNumberVector<TokenId>(ids),
                                      {.special = special, .tidy_spaces = tidy_spaces});
  }

  // Generating: begin, then step until its kind is "end".

  void begin(val prompt, val options) {
    release();
    runtime::GenerateOptions generate;
    take(options, "maxTokens", generate.max_tokens);
    take(options, "temperature", generate.sampling.temperature);
    take(options, "topK", generate.sampling.top_k);
    take(options, "topP", generate.sampling.top_p);
    take(options, "minP", generate.sampling.min_p);
    take(options, "repetitionPenalty", generate.sampling.repetition_penalty);
    take(options, "frequencyPenalty", generate.sampling.frequency_penalty);
    take(options, "presencePenalty", generate.sampling.presence_penalty);
    take(options, "penaltyWindow", generate.sampling.penalty_window);
    take(options, "logitBias", generate.sampling.logit_bias);
    take(options, "seed", generate.sampling.seed);
    take(options, "stop", generate.stop);
    take(options, "stopAtEnd", generate.stop_at_end);
    take(options, "topLogprobs", generate.top_logprobs);
    take(options, "attention", generate.attention);
    generation_ = std::make_unique<runtime::Generation>(
        *session_, emscripten::convertJSArrayToNumberVector<TokenId>(prompt), std::move(generate));
  }

  val step() {
    const Step step = generation_->step();
    val object = val::object();
    switch (step.kind) {
      case Step::Kind::prompt:
        object.set("kind", "prompt");
        object.set("promptDone", step.prompt_done);
        break;
      case Step::Kind::token:
        object.set("kind", "token");
        object.set("holdsText", step.token.holds_text);
        object.set("token", describe(step.token));
        break;
      case Step::Kind::end:
        object.set("kind", "end");
        object.set("rest", step.rest);
        object.set("finishReason", std::string(to_string(*generation_->finish_reason())));
        object.set("timings", to_javascript(generation_->timings()));
        break;
    }
    return object;
  }

  // Reading without generating: restart, perhaps watch, forward at most maxBatch tokens at a time, release.

  void restart() {
    generation_.reset();
    release();
    session_->truncate(0);
  }

  /// Frees what was returned; what was read stays in the cache.
  void release() {
    probe_.reset();
    logits_ = {};
  }

  /// Records attention while the next `tokens` tokens are read, to `keys` tokens.
  void watch(val selection, std::size_t tokens, std::size_t keys) {
    runtime::AttentionSelection chosen;
    assign(selection, chosen);
    probe_.emplace(*session_, std::move(chosen.layers), std::move(chosen.heads), chosen.of);
    probe_->prepare(0, tokens, keys);
  }

  /// Runs the encoder. False where the call was cancelled.
  bool encode(val ids) {
    const auto tokens = emscripten::convertJSArrayToNumberVector<TokenId>(ids);
    const bool watched = probe_ && probe_->of() == runtime::AttentionOf::encoder;
    return !session_->encode(tokens, watched ? &*probe_ : nullptr).empty();
  }

  /// Shows the model a picture, four bytes a pixel. False where the call was cancelled.
  bool see(std::size_t width, std::size_t height, val rgba) {
    const auto bytes = emscripten::convertJSArrayToNumberVector<std::uint8_t>(rgba);
    return !session_->see({width, height, bytes}, probe_ ? &*probe_ : nullptr).empty();
  }

  /// What was encoded or seen as one vector, or one a token, good until the next call.
  val embedding(val pooling, bool normalise) {
    std::optional<runtime::Pooling> kind;
    if (!pooling.isUndefined()) assign(pooling, kind);
    logits_ = session_->embedding(kind, normalise);
    return view(std::span(std::as_const(logits_)));
  }

  /// What a reranker gives a pair of texts, good until the next call; null where the call was cancelled.
  val scores(std::string first, std::string second) {
    const auto ids = tokenizer::encode_pair(model_->tokenizer(), first, second);
    if (session_->encode(ids).empty()) return val::null();
    logits_ = session_->scores();
    return view(std::span(std::as_const(logits_)));
  }

  /// A probability for each label, good until the next call.
  val classes() {
    logits_ = session_->classes();
    return view(std::span(std::as_const(logits_)));
  }

  val labels() {
    val labels = val::array();
    for (const std::string& label : model_->labels()) labels.call<void>("push", label);
    return labels;
  }

  /// Logits of the last `rows` tokens, rows x V, good until the next call; null where the call was cancelled.
  val forward(val ids, std::size_t rows) {
    logits_.resize(rows * model_->info().vocabulary);
    const auto tokens = emscripten::convertJSArrayToNumberVector<TokenId>(ids);
    const bool done = session_->forward(tokens, logits_, probe_ ? &*probe_ : nullptr);
    return done ? view(std::span(std::as_const(logits_))) : val::null();
  }

  /// What was watched, [layers][heads][tokens][keys], good until the next call.
  val weights() { return view(probe_->weights()); }

  static std::size_t max_batch() { return runtime::Session::kMaxBatch; }

 private:
  static constexpr std::size_t kInputBytes = std::size_t{1} << 20;

  val alternative(const sampling::TokenProbability& token) const {
    val object = val::object();
    object.set("id", token.id);
    object.set("text", model_->tokenizer().token_bytes(token.id, true));
    object.set("logprob", token.logprob);
    return object;
  }

  val describe(const runtime::GeneratedToken& token) const {
    val object = val::object();
    object.set("id", token.id);
    object.set("text", token.text);
    object.set("logprob", token.logprob);
    if (!token.alternatives.empty()) {
      val alternatives = val::array();
      for (const auto& other : token.alternatives) alternatives.call<void>("push", alternative(other));
      object.set("alternatives", alternatives);
    }
    if (!token.attention.empty()) object.set("attention", copy(std::span(token.attention)));
    return object;
  }

  std::vector<std::byte> input_;
  std::unique_ptr<runtime::Loader> loader_;
  std::unique_ptr<runtime::Model> model_;
  std::unique_ptr<runtime::Session> session_;
  std::unique_ptr<runtime::Generation> generation_;
  std::optional<runtime::AttentionProbe> probe_;
  std::vector<float> logits_;
};

EMSCRIPTEN_BINDINGS(heed) {
  emscripten::class_<Engine>("Engine")
      .constructor()
      .function("open", &Guarded<&Engine::open>::call)
      .function("input", &Guarded<&Engine::input>::call)
      .function("write", &Guarded<&Engine::write>::call)
      .function("bytesExpected", &Guarded<&Engine::bytes_expected>::call)
      .function("finish", &Guarded<&Engine::finish>::call)
      .function("info", &Guarded<&Engine::info>::call)
      .function("cancelFlag", &Guarded<&Engine::cancel_flag>::call)
      .function("setCancelled", &Guarded<&Engine::set_cancelled>::call)
      .function("tokenize", &Guarded<&Engine::tokenize>::call)
      .function("detokenize", &Guarded<&Engine::detokenize>::call)
      .function("begin", &Guarded<&Engine::begin>::call)
      .function("step", &Guarded<&Engine::step>::call)
      .function("restart", &Guarded<&Engine::restart>::call)
      .function("release", &Guarded<&Engine::release>::call)
      .function("encode", &Guarded<&Engine::encode>::call)
      .function("see", &Guarded<&Engine::see>::call)
      .function("embedding", &Guarded<&Engine::embedding>::call)
      .function("scores", &Guarded<&Engine::scores>::call)
      .function("classes", &Guarded<&Engine::classes>::call)
      .function("labels", &Guarded<&Engine::labels>::call)
      .function("watch", &Guarded<&Engine::watch>::call)
      .function("forward", &Guarded<&Engine::forward>::call)
      .function("weights", &Guarded<&Engine::weights>::call)
      .class_function("maxBatch", &Engine::max_batch);
}

}  // namespace heed::bindings
