// The C++ side of the JavaScript API (bindings/js/worker/engine.ts): one object for one worker. No call takes longer than a pass,
// so that the worker can answer its messages between two of them. Where a call is interrupted, it gives null or false.
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
#include "reading.hpp"
#include "runtime/encoder_run.hpp"
#include "runtime/inspect.hpp"
#include "runtime/load.hpp"
#include "runtime/vision_run.hpp"
#include "tokenizer/pair.hpp"
#include "writer.hpp"

namespace heed::bindings {

class Engine {
 public:
  // Loading: open, then write the file through input(), then finish.

  void open(val options) {
    runtime::LoadOptions load;
    take(options, "threads", load.threads);
    take(options, "contextLength", load.context);
    take(options, "kvCache", load.kv_cache);
    take(options, "memoryLimit", load.memory_limit);
    take(options, "parallel", load.parallel);
    take(options, "prefixCache", load.keep);
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
    workspace_ = std::make_unique<runtime::Workspace>(*model_);
    writer_ = std::make_unique<Writer>(*workspace_);
  }

  val info() {
    val object = to_javascript(model_->info());
    if (!model_->info().generates && !model_->info().embeds) return object;
    const tokenizer::Tokenizer& tokenizer = model_->tokenizer();
    if (const auto bos = tokenizer.bos()) object.set("bosToken", token_object(tokenizer, *bos));
    if (const auto eos = tokenizer.eos()) object.set("eosToken", token_object(tokenizer, *eos));
    return object;
  }

  val memory() {
    const runtime::ModelInfo& info = model_->info();
    const nn::KvMemory* sequences = workspace_->decoder_memory();
    val object = val::object();
    object.set("bytes", static_cast<double>(info.memory_bytes + (sequences ? sequences->taken() : 0)));
    object.set("mostBytes", static_cast<double>(info.memory_bytes + info.sequence_bytes));
    return object;
  }

  val interrupt_flag() {
    static_assert(sizeof(std::atomic<bool>) == 1 && std::atomic<bool>::is_always_lock_free);
    return view(std::span(reinterpret_cast<std::uint8_t*>(&workspace_->interrupt_flag()), 1));
  }
  void lower_interrupt_flag() { workspace_->interrupt_flag() = false; }

  // Text and tokens.

  val tokenize(std::string text, bool add_special, bool parse_special) {
    const auto ids = model_->tokenizer().encode(text, {.add_special = add_special, .parse_special = parse_special});
    return copy(std::span(ids));
  }

  /// parts: strings, { control }, and { ids } (Prompt in bindings/js/types/index.ts).
  val tokenize_parts(val parts, bool add_special) {
    const auto length = parts["length"].as<std::size_t>();
    std::vector<std::string> texts;  // what the parts are views of
    std::vector<std::vector<tokenizer::TokenId>> lists;
    std::vector<tokenizer::PromptPart> prompt;
    texts.reserve(length);
    lists.reserve(length);
    for (std::size_t i = 0; i < length; ++i) {
      const val part = parts[i];
      if (part.isString()) prompt.emplace_back(tokenizer::PlainText{texts.emplace_back(part.as<std::string>())});
      else if (const val ids = part["ids"]; !ids.isUndefined()) prompt.emplace_back(lists.emplace_back(ids_of(ids)));
      else prompt.emplace_back(tokenizer::ControlText{texts.emplace_back(part["control"].as<std::string>())});
    }
    const auto ids = model_->tokenizer().encode(prompt, add_special);
    return copy(std::span(ids));
  }

  std::string detokenize(val ids, bool special, bool tidy_spaces) {
    return model_->tokenizer().decode(ids_of(ids), {.special = special, .tidy_spaces = tidy_spaces});
  }

  val tokenize_pair(std::string first, std::string second) {
    const auto ids = tokenizer::encode_pair(model_->tokenizer(), first, second);
    return copy(std::span(ids));
  }

  // Writing.

  void begin(int id, int session, val prompt, val options) {
    writer_->begin(id, session, ids_of(prompt), generate_options(options));
  }
  bool writes() { return writer_->writes(); }
  val pass() {
    val steps = writer_->pass();
    lower_interrupt_flag();
    return steps;
  }
  void abort(int id) { writer_->abort(id); }

  void open_session(int id) { writer_->open_session(id); }
  void fork_session(int from, int to) { writer_->fork_session(from, to); }
  void truncate_session(int id, std::size_t length) { writer_->session(id).truncate(length); }
  val save_session(int id) {
    const std::vector<std::byte> saved = writer_->session(id).save();
    return copy(std::span(reinterpret_cast<const std::uint8_t*>(saved.data()), saved.size()));
  }
  void restore_session(int id, val bytes) {
    std::vector<std::byte> saved(bytes["length"].as<std::size_t>());
    view(std::span(reinterpret_cast<std::uint8_t*>(saved.data()), saved.size())).call<void>("set", bytes);
    writer_->put_session(id, runtime::restore_session(*workspace_, saved));
  }
  void close_session(int id) { writer_->close_session(id); }
  val session_tokens(int id) { return copy(std::span(std::as_const(writer_->session(id).tokens))); }

  // Reading.

  Reading* read() { return new Reading(*workspace_, writer_->kept()); }

  val embed(val texts, val options) {
    runtime::EmbeddingForm form;
    take(options, "pooling", form.pooling);
    take(options, "dimensions", form.dimensions);
    take(options, "normalize", form.normalised);
    runtime::EncoderRun run(*workspace_);
    const std::optional<std::size_t> done = encode(texts, run);
    if (!done) return val::null();
    val vectors = val::array();
    for (std::size_t i = 0; i < *done; ++i)
      vectors.call<void>("push", copy(std::span(std::as_const(values_ = run.embedding(i, form)))));
    return vectors;
  }

  val scores(val pairs) {
    runtime::EncoderRun run(*workspace_);
    const std::optional<std::size_t> done = encode(pairs, run);
    if (!done) return val::null();
    values_.clear();
    for (std::size_t i = 0; i < *done; ++i) values_.push_back(run.scores(i)[0]);
    return copy(std::span(std::as_const(values_)));
  }

  val encoder_attention(val ids, val selection) {
    runtime::AttentionProbe probe = make_probe(selection, runtime::AttentionOf::encoder);
    runtime::EncoderRun run(*workspace_);
    return run(ids_of(ids), &probe) ? copy(probe.weights()) : val::null();
  }

  val embed_image(std::size_t width, std::size_t height, val rgba, val pooling, bool normalise) {
    runtime::Pooling kind = runtime::Pooling::cls;
    if (!pooling.isUndefined()) assign(pooling, kind);
    runtime::VisionRun run(*workspace_);
    if (!see(run, width, height, rgba)) return val::null();
    return copy(std::span(std::as_const(values_ = run.embedding(kind, normalise))));
  }

  val classify(std::size_t width, std::size_t height, val rgba) {
    runtime::VisionRun run(*workspace_);
    if (!see(run, width, height, rgba)) return val::null();
    return copy(std::span(std::as_const(values_ = run.classes())));
  }

  val image_attention(std::size_t width, std::size_t height, val rgba, val selection) {
    runtime::VisionRun run(*workspace_);
    runtime::AttentionProbe probe = make_probe(selection, runtime::AttentionOf::image);
    return see(run, width, height, rgba, &probe) ? copy(probe.weights()) : val::null();
  }

  val labels() {
    val labels = val::array();
    for (const std::string& label : model_->labels()) labels.call<void>("push", label);
    return labels;
  }

  static double max_batch() { return runtime::kMaxBatch; }  // a size would be a BigInt in 64-bit memory

 private:
  static constexpr std::size_t kInputBytes = std::size_t{1} << 20;

  runtime::AttentionProbe make_probe(const val& selection, runtime::AttentionOf of) {
    runtime::AttentionSelection chosen;
    assign(selection, chosen);
    return runtime::AttentionProbe(*model_, std::move(chosen.layers), std::move(chosen.heads), of);
  }

  /// As many of the texts as go through in one pass; absent where that was interrupted.
  std::optional<std::size_t> encode(const val& texts, runtime::EncoderRun& run) {
    std::vector<std::vector<TokenId>> ids;
    for (const val& text : emscripten::vecFromJSArray<val>(texts)) ids.push_back(ids_of(text));
    const std::vector<runtime::EncoderRun::Text> spans(ids.begin(), ids.end());
    const std::size_t count = run.fitting(spans);
    if (!run(std::span(spans).first(count))) return std::nullopt;
    return count;
  }

  bool see(runtime::VisionRun& run, std::size_t width, std::size_t height, const val& rgba,
           runtime::AttentionProbe* probe = nullptr) {
    const auto bytes = emscripten::convertJSArrayToNumberVector<std::uint8_t>(rgba);
    return run({width, height, bytes}, probe);
  }

  std::vector<std::byte> input_;
  std::unique_ptr<runtime::Loader> loader_;
  std::unique_ptr<runtime::Model> model_;
  std::unique_ptr<runtime::Workspace> workspace_;
  std::unique_ptr<Writer> writer_;
  std::vector<float> values_;  // of the last result, while it is copied
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
      .function("memory", &Guarded<&Engine::memory>::call)
      .function("interruptFlag", &Guarded<&Engine::interrupt_flag>::call)
      .function("lowerInterruptFlag", &Guarded<&Engine::lower_interrupt_flag>::call)
      .function("tokenize", &Guarded<&Engine::tokenize>::call)
      .function("tokenizeParts", &Guarded<&Engine::tokenize_parts>::call)
      .function("detokenize", &Guarded<&Engine::detokenize>::call)
      .function("tokenizePair", &Guarded<&Engine::tokenize_pair>::call)
      .function("begin", &Guarded<&Engine::begin>::call)
      .function("writes", &Guarded<&Engine::writes>::call)
      .function("pass", &Guarded<&Engine::pass>::call)
      .function("abort", &Guarded<&Engine::abort>::call)
      .function("openSession", &Guarded<&Engine::open_session>::call)
      .function("forkSession", &Guarded<&Engine::fork_session>::call)
      .function("sessionTokens", &Guarded<&Engine::session_tokens>::call)
      .function("truncateSession", &Guarded<&Engine::truncate_session>::call)
      .function("saveSession", &Guarded<&Engine::save_session>::call)
      .function("restoreSession", &Guarded<&Engine::restore_session>::call)
      .function("closeSession", &Guarded<&Engine::close_session>::call)
      .function("embed", &Guarded<&Engine::embed>::call)
      .function("scores", &Guarded<&Engine::scores>::call)
      .function("encoderAttention", &Guarded<&Engine::encoder_attention>::call)
      .function("embedImage", &Guarded<&Engine::embed_image>::call)
      .function("classify", &Guarded<&Engine::classify>::call)
      .function("imageAttention", &Guarded<&Engine::image_attention>::call)
      .function("labels", &Guarded<&Engine::labels>::call)
      .function("read", &Guarded<&Engine::read>::call, emscripten::allow_raw_pointers())
      .class_function("maxBatch", &Engine::max_batch);

  emscripten::class_<Reading>("Reading")
      .function("watch", &Guarded<&Reading::watch>::call)
      .function("encode", &Guarded<&Reading::encode>::call)
      .function("reuse", &Guarded<&Reading::reuse>::call)
      .function("forward", &Guarded<&Reading::forward>::call)
      .function("watchGates", &Guarded<&Reading::watch_gates>::call)
      .function("watched", &Guarded<&Reading::watched>::call);
}

}  // namespace heed::bindings
