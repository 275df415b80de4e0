// The C++ side of the JavaScript API (bindings/js/worker/engine.ts): one object for one worker. No call takes longer than a pass,
// so that the worker can handle messages between calls. An interrupted call returns null or false.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "changes.hpp"
#include "convert.hpp"
#include "engine/engine.hpp"
#include "engine/score.hpp"
#include "events.hpp"
#include "grammar/masks/token_texts.hpp"
#include "guard.hpp"
#include "methods.generated.hpp"
#include "options.generated.hpp"
#include "outside_constraint.hpp"
#include "decoder_run.hpp"
#include "prompt.hpp"
#include "results.generated.hpp"
#include "runtime/forecast.hpp"
#include "runtime/load.hpp"
#include "tokenizer/find.hpp"
#include "tokenizer/pair.hpp"
#include "transcription.hpp"

/// Resets the page's byte; returns whether it was set (interrupt.library.js).
extern "C" bool heed_take_interrupt() noexcept;

namespace heed::bindings {

/// The options of a load, including the one that only the worker sets.
runtime::LoadOptions opening(const val& options) {
  runtime::LoadOptions read = load_options(options);
  read_option(options, "narrowsCache", read.narrows_cache);
  return read;
}

class Engine {
 public:
  // Loading: open, then write the file through input(), then finish.

  void open(val options) {
    loader_ = std::make_unique<runtime::Loader>(opening(options));
    input_.resize(kInputBytes);
  }

  /// The memory to which JavaScript writes the next bytes of the file before it calls write.
  val input() { return view(std::span(reinterpret_cast<std::uint8_t*>(input_.data()), input_.size())); }

  void write(std::size_t count) {
    if (count > input_.size())  // a file system returned an error instead of a number of bytes
      throw Error(ErrorCode::io, std::to_string(count) + " bytes were read into " + std::to_string(input_.size()));
    const bool had_header = loader_->info() != nullptr;
    loader_->write(std::span(input_).first(count));
    if (!had_header && loader_->info()) loader_->warm_up();  // compiled while the weights arrive
  }

  /// The size that the file must have; 0 until its header is complete.
  double bytes_expected() { return static_cast<double>(loader_->bytes_expected()); }

  void finish() {
    engine_ = std::make_unique<engine::Engine>(loaded());
    engine_->interrupt().take_from(heed_take_interrupt);
  }

  /// Optional, after finish(): begins to load a projector, in the same way as the model.
  void open_projector() {
    loader_ = engine::Projector::loader(*engine_);
    input_.resize(kInputBytes);
  }
  void open_draft() {
    loader_ = engine_->draft_loader();
    input_.resize(kInputBytes);
  }
  void finish_draft() { engine_->use_drafts(loaded()); }
  /// Returns which parts of prompts the projector reads.
  val finish_projector() {
    projector_ = std::make_unique<engine::Projector>(*engine_, loaded());
    Object object;
    object.set("images", projector_->sees());
    object.set("audio", projector_->hears());
    return object;
  }

  val info() {
    val object = to_javascript(model().info());
    if (!model().info().generates && !model().info().embeds && !model().info().transcribes) return object;
    const tokenizer::Tokenizer& tokenizer = model().tokenizer();
    if (const auto bos = tokenizer.bos()) object.set("bosToken", token_object(tokenizer, *bos));
    if (const auto eos = tokenizer.eos()) object.set("eosToken", token_object(tokenizer, *eos));
    if (const auto mask = model().info().mask_token) object.set("maskToken", token_object(tokenizer, *mask));
    return object;
  }

  /// The memory that a load with these options would take, and the expected speed, from the header of the file. Needs no loaded
  /// model.
  val forecast(val header, val options) {
    const auto bytes = bytes_of(header);
    const runtime::Forecast found = runtime::forecast(std::as_bytes(std::span(bytes)), opening(options));
    Object object;
    object.set("info", to_javascript(found.info));
    object.set("limit", found.limit);
    object.set("weights", found.weights);
    object.set("cache", found.info.context_bytes);
    object.set("longestContext", found.longest_context);
    object.set("reading", found.reading);
    object.set("writing", found.writing);
    return object;
  }

  val memory() { return to_javascript(engine_->memory()); }

  // Text and tokens.

  val tokenize(std::string text, bool add_special, bool parse_special) {
    const auto ids = model().tokenizer().encode(text, {.add_special = add_special, .parse_special = parse_special});
    return copy(std::span(ids));
  }

  /// parts: strings, { control }, and { ids } (Prompt in bindings/js/types/text.ts).
  val tokenize_parts(val parts, bool add_special) {
    const auto ids = model().tokenizer().encode(PromptParts(parts).text(), add_special);
    return copy(std::span(ids));
  }

  /// As tokenize_parts(), but parts may include { image } and { audio }, each of whose tokens is -1.
  val plan_pictures(val parts, bool add_special) {
    const auto ids = projector().plan(PromptParts(parts, PromptParts::Use::plan).pieces(), add_special);
    return copy(std::span(ids));
  }
  PictureReading* read_pictures(val parts, bool add_special) { return new PictureReading(projector(), parts, add_special); }

  /// The number of tokens of an image; then for each token that stands for a part of it the tile, and x, y, width and height of the
  /// part. `most`: 0 for the model's own bounds.
  val plan_image(std::size_t width, std::size_t height, std::size_t most) {
    std::vector<double> flat = {static_cast<double>(projector().tokens({width, height}, most))};
    for (const auto& [tile, area] : projector().picture_tokens({width, height}, most))
      flat.insert(flat.end(), {static_cast<double>(tile), area.x, area.y, area.width, area.height});
    return copy(std::span(flat));
  }

  /// A sound as it is read in prompts: its samples at 16000 Hz. sound, rate: as for sound_of().
  val hear(val sound, std::size_t rate) {
    const engine::Projector& reader = projector();
    const std::vector<float> samples = reader.hear(sound_of(sound, rate));
    return copy(std::span(samples));
  }
  /// The number of tokens of a sound of `samples` samples, and how many of these stand for the sound itself.
  val plan_sound(std::size_t samples) {
    const std::vector<double> counts = {static_cast<double>(projector().sound_tokens(samples)),
                                        static_cast<double>(projector().sound_rows(samples))};
    return copy(std::span(counts));
  }

  std::string detokenize(val ids, bool special, bool tidy_spaces) {
    return model().tokenizer().decode(ids_of(ids), {.special = special, .tidy_spaces = tidy_spaces});
  }

  /// As detokenize(), but as bytes, because a token may contain part of a character.
  val detokenize_bytes(val ids, bool special, bool tidy_spaces) {
    const std::string bytes = detokenize(ids, special, tidy_spaces);
    return copy(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
  }

  val tokenize_pair(std::string first, std::string second) {
    const auto ids = tokenizer::encode_pair(model().tokenizer(), first, second);
    return copy(std::span(ids));
  }

  /// The token with this text; -1 if there is none.
  int find_token(std::string text) { return tokenizer::find_token(model().tokenizer(), text).value_or(-1); }

  /// The vocabulary for constraints, in the form that bindings/constraints reads.
  val token_texts() { return to_javascript(grammar::token_texts(model().tokenizer())); }

  // Generating text. Session 0 means none, and a constraint may be null.

  int begin(int session, val prompt, val options, bool whole, val constraint) {
    const auto continued = session == 0 ? std::nullopt : std::optional(engine::SessionId(session));
    auto held = constraint.isNull() ? nullptr
                                    : std::make_unique<OutsideConstraint>(std::move(constraint), model().tokenizer().size());
    runtime::GenerateOptions chosen = generate_options(options);
    chosen.changes = changes_of(options["changes"], *engine_);
    read_option(options, "reasoning", chosen.reasoning);
    read_option(options, "expected", chosen.expected);
    return static_cast<int>(engine_->begin({ids_of(prompt), std::move(chosen), continued, whole}, std::move(held)));
  }
  val step() { return to_javascript(engine_->step(), model().tokenizer()); }
  double prompt_read(int id) { return static_cast<double>(engine_->prompt_read(engine::GenerationId(id))); }
  void abort(int id) { engine_->abort(engine::GenerationId(id)); }

  int create_session() { return static_cast<int>(engine_->create_session()); }
  int fork_session(int id) { return static_cast<int>(engine_->fork_session(engine::SessionId(id))); }
  void truncate_session(int id, std::size_t length) { engine_->truncate_session(engine::SessionId(id), length); }
  val session_tokens(int id) { return copy(engine_->session_tokens(engine::SessionId(id))); }
  val save_session(int id) {
    const std::vector<std::byte> saved = engine_->save_session(engine::SessionId(id));
    return copy(std::span(reinterpret_cast<const std::uint8_t*>(saved.data()), saved.size()));
  }
  int restore_session(val bytes) {
    const auto saved = bytes_of(bytes);
    return static_cast<int>(engine_->restore_session(std::as_bytes(std::span(saved))));
  }
  void free_session(int id) { engine_->free_session(engine::SessionId(id)); }

  // Adapters and edits.

  int add_adapter(val file) {
    const auto bytes = bytes_of(file);
    return static_cast<int>(engine_->add_adapter(std::as_bytes(std::span(bytes))));
  }
  void remove_adapter(int id) { engine_->remove_adapter(engine::AdapterId(id)); }
  /// The directions of a control vector: for each its layer and its D values.
  val control_vector(val file) {
    const auto bytes = bytes_of(file);
    std::vector<float> flat;
    for (const runtime::Edit& edit : engine_->read_control_vector(std::as_bytes(std::span(bytes)), 1)) {
      flat.push_back(static_cast<float>(edit.layer));
      flat.insert(flat.end(), edit.vector.begin(), edit.vector.end());
    }
    return copy(std::span(flat));
  }

  // Running on given inputs. Null if interrupted.

  DecoderRun* read() { return new DecoderRun(*engine_); }

  Transcription* transcribe(val sound, std::size_t rate, val options) { return new Transcription(*engine_, sound, rate, options); }

  val embed(val texts, val options) {
    const auto embedded = engine_->embed(texts_of(texts), embedding_form(options));
    if (!embedded) return val::null();
    val vectors = val::array();
    for (const std::vector<float>& vector : *embedded) vectors.call<void>("push", copy(std::span(vector)));
    return vectors;
  }
  val predict(val ids) { return copied(engine_->predict(ids_of(ids))); }
  /// For each drawn token its position, its id, its log-probability, and whether it ends a text.
  val unmask(val ids, std::size_t from, std::size_t end, val options) {
    const auto tokens = engine_->unmask(ids_of(ids), from, end, generate_options(options).sampling);
    if (!tokens) return val::null();
    std::vector<double> flat;
    for (const auto& [position, token] : *tokens)
      flat.insert(flat.end(), {static_cast<double>(position), static_cast<double>(token.id), static_cast<double>(token.logprob),
                               model().tokenizer().ends_generation(token.id) ? 1.0 : 0.0});
    return copy(std::span(flat));
  }
  val scores(val pairs) { return copied(engine_->scores(texts_of(pairs))); }
  val record_encoder(val ids, val asked) { return recorded(engine_->record_encoder(ids_of(ids), requests_of(asked, model()))); }

  val embed_image(std::size_t width, std::size_t height, val rgba, val pooling, bool normalize) {
    runtime::Pooling kind = runtime::Pooling::cls;
    if (!pooling.isUndefined()) assign(pooling, kind);
    const auto bytes = bytes_of(rgba);
    return copied(engine_->embed_image({width, height, bytes}, kind, normalize));
  }
  val classify(std::size_t width, std::size_t height, val rgba) {
    const auto bytes = bytes_of(rgba);
    return copied(engine_->classify({width, height, bytes}));
  }
  val record_image(std::size_t width, std::size_t height, val rgba, val asked) {
    const auto bytes = bytes_of(rgba);
    return recorded(engine_->record_image({width, height, bytes}, requests_of(asked, model())));
  }

  /// The sum of log-probabilities, their mean and the perplexity; the last two are NaN for an empty list.
  val score_of(val logprobs) {
    std::vector<float> values;
    assign(logprobs, values);
    const engine::Score score = engine::score_of(values);
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> figures = {score.sum, score.mean.value_or(kNone), score.perplexity.value_or(kNone)};
    return copy(std::span(figures));
  }

  val unembed(val vector) {
    std::vector<float> values;
    assign(vector, values);
    const std::vector<double> products = engine_->unembed(values);
    return copy(std::span(products));
  }
  /// The rows of x times a matrix; `transposed`: the matrix is given column by column.
  val multiply(std::size_t rows, std::size_t columns, val x, val matrix, bool transposed) {
    std::vector<float> values, weights;
    assign(x, values);
    assign(matrix, weights);
    const std::vector<float> products = engine_->multiply(values, rows, {weights, columns, transposed});
    return copy(std::span(products));
  }
  /// `rows` rows of a tensor from `first` on; its shape if `rows` is 0.
  val tensor(std::string name, std::size_t first, std::size_t rows) {
    std::vector<float> values;
    if (rows > 0) values = engine_->tensor(name, first, rows);
    else
      for (const std::size_t size : engine_->tensor_shape(name)) values.push_back(static_cast<float>(size));
    return copy(std::span(values));
  }

  /// The points of the decoder: { point, axes, parts, width } of each.
  val points() {
    val points = val::array();
    for (const nn::NamedPlace& place : runtime::places_of(model())) {
      if (place.of != runtime::AttentionOf::decoder) continue;
      Object point;
      point.set("point", place.name());
      point.set("axes", static_cast<int>(nn::rule_of(place.place.point).axes));
      point.set("parts", static_cast<double>(place.parts));
      point.set("width", static_cast<double>(place.width));
      points.call<void>("push", static_cast<const val&>(point));
    }
    return points;
  }

  val labels() {
    val labels = val::array();
    for (const std::string& label : model().labels()) labels.call<void>("push", label);
    return labels;
  }

  static double max_batch() { return runtime::kMaxBatch; }  // a size would be a BigInt in 64-bit memory

 private:
  static constexpr std::size_t kInputBytes = std::size_t{1} << 20;

  const runtime::Model& model() const { return engine_->model(); }
  engine::Projector& projector() {
    if (!projector_)
      throw Error(ErrorCode::unsupported, "has no projector to read images or sounds with", model().info().architecture);
    return *projector_;
  }

  /// Finishes the load in progress, and returns the complete model.
  std::unique_ptr<runtime::Model> loaded() {
    auto model = loader_->finish();
    loader_.reset();
    input_ = {};
    return model;
  }

  static std::vector<std::vector<tokenizer::TokenId>> texts_of(const val& texts) {
    std::vector<std::vector<tokenizer::TokenId>> ids;
    for (const val& text : emscripten::vecFromJSArray<val>(texts)) ids.push_back(ids_of(text));
    return ids;
  }
  static std::vector<std::uint8_t> bytes_of(const val& bytes) {
    return emscripten::convertJSArrayToNumberVector<std::uint8_t>(bytes);
  }
  static val recorded(const std::unique_ptr<runtime::Recorder>& recorder) {
    if (!recorder) return val::null();
    Object object;
    object.set("values", copy(recorder->values()));
    object.set("shapes", shapes_of(*recorder));
    return object;
  }

  std::vector<std::byte> input_;
  std::unique_ptr<runtime::Loader> loader_;
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<engine::Projector> projector_;
};

EMSCRIPTEN_BINDINGS(heed) {
  register_engine<Engine>().constructor().class_function("maxBatch", &Engine::max_batch);
  register_decoder_run<DecoderRun>();
  register_picture_reading<PictureReading>();
  register_transcription<Transcription>();
}

}  // namespace heed::bindings
