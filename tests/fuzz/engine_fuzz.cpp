// Any calls of the engine in any order, with any arguments: each succeeds, or throws an Error and changes nothing, and every
// generation ends exactly once. A byte selects the call, and the following bytes its arguments. The seeds are random. Prints the
// number of calls at the end.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "engine/grammar_constraint.hpp"
#include "engine/projector.hpp"
#include "engine_arguments.hpp"
#include "grammar/masks/token_table.hpp"
#include "grammar/notation.hpp"
#include "support/load.hpp"
#include "unit/runtime/changes/random_adapter.hpp"
#include "unit/runtime/pictures/projector_model.hpp"

using namespace heed;
using engine::AdapterId;
using engine::Engine;
using engine::GenerationId;
using engine::SessionId;
using test::Input;
using tokenizer::TokenId;

namespace {

constexpr std::size_t kContext = 48;

#if __has_feature(thread_sanitizer)
constexpr std::size_t kThreads = 3;
#else
constexpr std::size_t kThreads = 1;
#endif

void require(bool held, int line = __builtin_LINE()) {
  if (held) return;
  std::fprintf(stderr, "line %d\n", line);
  std::abort();
}

struct ModelFile {
  std::vector<std::byte> bytes;
  runtime::LoadOptions options = {};
  std::vector<std::byte> adapter = {}, invoked = {}, projector = {};  // files beside it; none for models without a decoder
  std::shared_ptr<grammar::Masks> form = nullptr;                     // of its vocabulary
  std::size_t head_width = 0;
};

std::shared_ptr<grammar::Masks> some_form(const runtime::Model& model) {
  return std::make_shared<grammar::Masks>(grammar::make_language(grammar::Notation::regex, "(the|a|e)+ ?t*").language,
                                          std::make_shared<const grammar::TokenTable>(grammar::token_texts(model.tokenizer())));
}

/// Adds an adapter and a projector, if the model is a plain decoder.
void add_files(ModelFile& file, const std::string& architecture) {
  const auto model = test::load_bytes(file.bytes, file.options);
  if (!model->spec().decoder || model->spec().encoder) return;
  file.form = some_form(*model);
  file.adapter = test::adapter_file(architecture, test::random_factors(*model, 2, 1), 2.0f);
  file.invoked = test::adapter_file(architecture, test::random_factors(*model, 1, 2), 1.0f, {4, 5});
  const nn::StackSpec& stack = model->spec().decoder->stack;
  for (std::size_t layer = 0; layer < stack.layers.size(); ++layer)
    if (const auto heads = runtime::heads_of(stack, layer); heads.count > 0) file.head_width = heads.dim;
}

/// One of the models has too little memory for all texts; another one has a projector.
std::vector<ModelFile> model_files() {
  std::vector<ModelFile> files;
  for (const std::string architecture : {"llama", "gemma3", "lfm2", "t5", "bert", "vit", "qwen35", "deepseek2"}) {
    ModelFile& file = files.emplace_back(ModelFile{test::family_model(architecture, kContext)});
    file.options.parallel = 3;
    file.options.threads = kThreads;
    add_files(file, architecture);
    if (files.size() > 1) continue;
    const auto measured = test::load_bytes(file.bytes, file.options);
    file.options.memory_limit = measured->info().memory_bytes + 3 * measured->info().context_bytes;
  }
  ModelFile& sees = files.emplace_back(ModelFile{test::family_model("llama", kContext, {{"embedding_length", std::int64_t{20}}})});
  add_files(sees, "llama");
  sees.projector = test::projector_model("gemma3");
  return files;
}

class Fuzzing {
 public:
  Fuzzing(const ModelFile& file, Input input)
      : file_(file), input_(input), engine_(std::make_unique<Engine>(test::load_bytes(file.bytes, file.options))) {
    if (!file.projector.empty()) projector_ = std::make_unique<engine::Projector>(*engine_, test::load_projector(file.projector));
  }

  /// Returns the number of calls.
  std::uint64_t run() {
    std::uint64_t calls = 0;
    for (; !input_.empty(); ++calls) {
      try {
        call();
      } catch (const Error& error) {
        require(!error.message().empty());
      }
    }
    for (const auto& [id, most] : texts_) engine_->abort(id);  // some would never end
    for (std::size_t steps = 0; engine_->generates(); ++steps) {
      require(steps < 10);
      step();
    }
    require(texts_.empty());
    require(engine_->memory().bytes <= engine_->memory().most_bytes);
    return calls;
  }

 private:
  SessionId session() {
    if (sessions_.empty() || input_.rarely()) return SessionId(input_.any<int>());
    return sessions_[input_.below(sessions_.size())];
  }

  void call() {
    switch (input_.below(22)) {
      case 0: return add(engine_->create_session());
      case 1: return add(engine_->fork_session(session()));
      case 2: return truncate();
      case 3: return save();
      case 4: return engine_->free_session(session());
      case 5:
      case 6:
      case 7: return begin();
      case 8: return abort();
      case 9: engine_->interrupt() = true; return;
      case 10: return decode();
      case 11: return encode();
      case 12: return see();
      case 13: return add_adapter();
      case 14: return engine_->remove_adapter(adapter());
      case 15: return steer();
      case 16: return normalize();
      default: return step();
    }
  }

  void add(SessionId id) {
    if (sessions_.size() < 8) sessions_.push_back(id);
    else engine_->free_session(id);
  }

  void truncate() {
    const SessionId id = session();
    const std::size_t length = input_.size(kContext), before = engine_->session_tokens(id).size();
    engine_->truncate_session(id, length);
    require(engine_->session_tokens(id).size() == std::min(length, before));
  }

  void save() {
    const SessionId id = session();
    std::vector<std::byte> saved = engine_->save_session(id);
    if (input_.rarely() && !saved.empty()) saved[input_.any<std::size_t>() % saved.size()] ^= std::byte{1};
    if (input_.rarely()) saved.resize(input_.any<std::size_t>() % (saved.size() + 1));
    const SessionId again = engine_->restore_session(saved);
    require(std::ranges::equal(engine_->session_tokens(again), engine_->session_tokens(id)));
    require(engine_->save_session(again) == saved);
    add(again);
  }

  void begin() {
    engine::Request request{input_.tokens(24), test::some_options(input_)};
    if (texts_.size() >= 6) return;
    if (input_.below(2) == 0) request.session = session();
    request.whole = input_.below(3) == 0;
    if (input_.below(3) == 0) request.options.changes = changes();
    runtime::PictureText pictures;
    if (projector_ && input_.below(2) == 0) {
      pictures = read_picture();
      request.prompt = pictures.tokens;
    }
    std::unique_ptr<sampling::Constraint> form;
    if (file_.form && input_.below(4) == 0) form = std::make_unique<engine::GrammarConstraint>(file_.form);
    const std::size_t most = request.options.max_tokens;
    require(texts_.emplace(engine_->begin(std::move(request), std::move(form)), most).second);
  }

  AdapterId adapter() { return AdapterId(input_.rarely() ? input_.any<int>() : 1 + static_cast<int>(input_.below(4))); }

  void add_adapter() {
    std::vector<std::byte> bytes = input_.below(2) == 0 ? file_.adapter : file_.invoked;
    if (input_.rarely() && !bytes.empty()) bytes[input_.any<std::size_t>() % bytes.size()] ^= std::byte{1};
    if (input_.rarely()) bytes.resize(input_.any<std::size_t>() % (bytes.size() + 1));
    const std::uint64_t before = engine_->memory().bytes;
    const AdapterId id = engine_->add_adapter(bytes);
    if (input_.below(4) > 0) return;
    engine_->remove_adapter(id);
    require(engine_->memory().bytes <= before);
  }

  std::vector<runtime::Edit> edits() {
    std::vector<runtime::Edit> chosen;
    for (std::size_t count = input_.below(3); count > 0; --count)
      chosen.push_back(test::some_edit(input_, engine_->model().info().width, file_.head_width));
    return chosen;
  }

  runtime::Changes changes() {
    std::vector<std::pair<AdapterId, float>> chosen;
    for (std::size_t count = input_.below(3); count > 0; --count) {
      const AdapterId id = adapter();
      chosen.emplace_back(id, input_.rarely() ? input_.any<float>() : 1.0f);
    }
    return engine_->changes(chosen, edits());
  }

  /// A control vector's file is read as edits of this model.
  void steer() {
    const std::size_t width = engine_->model().info().width;
    test::GgufWriter writer;
    writer.set("general.architecture", "controlvector");
    for (std::size_t layer = 1; layer < 3; ++layer) {
      const std::vector<float> direction(input_.rarely() ? 1 + input_.below(40) : width, 0.1f);
      writer.tensor("direction." + std::to_string(layer), std::vector{direction.size()}, direction);
    }
    std::vector<std::byte> bytes = writer.finish();
    if (input_.rarely()) bytes[input_.any<std::size_t>() % bytes.size()] ^= std::byte{1};
    std::optional<std::pair<std::size_t, std::size_t>> layers;
    if (input_.below(2) == 0) {
      const std::size_t first = input_.size(4);
      layers = {first, input_.size(4)};
    }
    engine_->make_edits(engine_->read_control_vector(bytes, input_.rarely() ? input_.any<float>() : 1.0f, layers));
  }

  void normalize() {
    const std::size_t rows = input_.below(4), width = engine_->model().info().width;
    std::vector<float> states(input_.rarely() ? input_.below(100) : rows * width, 0.5f);
    if (!states.empty() && input_.rarely()) states.front() = input_.any<float>();
    engine_->final_norm(states);
  }

  /// A prompt with an image, of which the result holds the rows.
  runtime::PictureText read_picture() {
    const std::size_t width = input_.below(50), height = input_.below(50);
    const images::Picture picture{{width, height}, std::vector<std::uint8_t>(width * height * 3, input_.byte())};
    runtime::PromptPiece piece{.picture = &picture};
    if (input_.below(3) == 0) piece.most_tokens = input_.size(20);
    const std::vector<runtime::PromptPiece> prompt(1 + input_.below(2), piece);
    runtime::PictureText text = projector_->read(prompt);
    require(text.tokens.size() == projector_->plan(prompt).size());
    return text;
  }

  void abort() {
    if (texts_.empty() || input_.rarely()) engine_->abort(GenerationId(input_.any<int>()));
    else engine_->abort(std::next(texts_.begin(), static_cast<std::ptrdiff_t>(input_.below(texts_.size())))->first);
  }

  void step() {
    for (const engine::Event& event : engine_->step()) {
      const auto text = texts_.find(event.id);
      require(text != texts_.end());
      if (event.token) {
        require(text->second-- > 0 && !event.ended && !event.error);
        require(event.token->logprob <= 0.001f || std::isnan(event.token->logprob));
      } else {
        require(event.ended.has_value() != event.error.has_value());
        texts_.erase(text);
      }
    }
    require(!engine_->interrupt());
  }

  void decode() {
    engine::DecoderRun run = engine_->read();
    if (input_.below(4) == 0) run.encode(input_.tokens(12));
    const std::vector<TokenId> text = input_.tokens(24);
    const bool changed = input_.below(4) == 0;
    if (changed) run.change(changes(), text);
    if (input_.below(3) == 0) run.reuse(text, input_.size(24));
    const auto ask = watch(run);
    for (std::size_t passes = input_.below(4); passes > 0; --passes) {
      const std::vector<TokenId> next = input_.tokens(20);
      if (input_.below(4) == 0) {
        if (const auto logprobs = run.score(next)) {
          const auto tokens = std::ranges::count_if(next.begin() + 1, next.end(), [](TokenId id) { return id >= 0; });
          require(static_cast<std::ptrdiff_t>(logprobs->size()) == tokens);
        }
        continue;
      }
      run.forward(next, input_.size(6));
    }
    for (const float value : run.watched()) require(changed || value == value);
    ask();
  }

  /// Watches one thing or nothing. Returns a function that then reads it.
  std::function<void()> watch(engine::DecoderRun& run) {
    const auto layer = [&] { return static_cast<std::uint32_t>(input_.size(4)); };
    const runtime::Model& model = engine_->model();
    const auto watched = [&](std::vector<runtime::Request> requests) {
      run.watch(std::move(requests), input_.below(40), input_.below(40));
    };
    switch (input_.below(10)) {
      case 0: watched(runtime::attention_requests(model, test::some_attention(input_))); return [] {};
      case 1: watched(runtime::gate_requests(model, input_.indices())); return [] {};
      case 2:
        watched(runtime::state_requests(model, test::some_states(input_)));
        return [&] {
          const std::size_t first = input_.size(8), rows = input_.size(8);
          const engine::LensForm form{input_.size(5), input_.tokens(3)};
          require(run.lens(first, rows, form).size() == rows);
        };
      case 3: watched(runtime::head_requests(model, layer())); return [] {};
      case 4:
        watched(runtime::attribution_requests(model, static_cast<std::uint32_t>(input_.size(20))));
        return [&] { run.attribute(input_.rarely() ? input_.any<TokenId>() : 5); };
      case 5: {
        const std::uint32_t of_layer = layer();
        watched(runtime::parts_requests(model, of_layer, layer(), static_cast<std::uint32_t>(input_.size(20))));
        return [] {};
      }
      case 6: watched(runtime::attention_requests(model, test::some_attention(input_), nn::Point::norms)); return [] {};
      case 7: {
        std::vector<runtime::Request> requests;
        for (const nn::NamedPlace& place : runtime::places_of(model))
          if (input_.below(8) == 0)
            requests.push_back({place, {}, input_.below(2) == 0 ? input_.indices() : decltype(input_.indices())()});
        watched(std::move(requests));
        return [] {};
      }
      default: return [] {};
    }
  }

  void encode() {
    std::vector<std::vector<TokenId>> texts(input_.below(5));
    for (auto& text : texts) text = input_.tokens(20);
    const std::vector<TokenId> first = texts.empty() ? std::vector<TokenId>() : texts[0];
    switch (input_.below(5)) {
      case 0: {
        runtime::EmbeddingForm form;
        if (input_.below(2) == 0) form.pooling = static_cast<runtime::Pooling>(input_.below(4));
        if (input_.below(2) == 0) form.dimensions = input_.size(40);
        form.normalized = input_.below(2) == 0;
        engine_->embed(texts, form);
        return;
      }
      case 1: engine_->scores(texts); return;
      case 2: {
        const auto of_layer = static_cast<std::uint32_t>(input_.size(4)), head = static_cast<std::uint32_t>(input_.size(4));
        const auto query = static_cast<std::uint32_t>(input_.size(20));
        engine_->record_encoder(first, runtime::parts_requests(engine_->model(), of_layer, head, query));
        return;
      }
      case 3:
        engine_->record_encoder(first,
                                runtime::attention_requests(engine_->model(), test::some_attention(input_), nn::Point::norms));
        return;
      default: engine_->record_encoder(first, runtime::attention_requests(engine_->model(), test::some_attention(input_)));
    }
  }

  void see() {
    const std::size_t width = input_.below(40), height = input_.below(40);
    const std::vector<std::uint8_t> rgba(width * height * 4 + (input_.rarely() ? 1 : 0), input_.byte());
    const runtime::Image image{input_.rarely() ? input_.any<std::size_t>() : width, height, rgba};
    switch (input_.below(3)) {
      case 0: engine_->embed_image(image, static_cast<runtime::Pooling>(input_.below(4)), input_.below(2) == 0); return;
      case 1: engine_->classify(image); return;
      default: engine_->record_image(image, runtime::attention_requests(engine_->model(), test::some_attention(input_)));
    }
  }

  const ModelFile& file_;
  Input input_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<engine::Projector> projector_;  // beside it
  std::vector<SessionId> sessions_;
  std::map<GenerationId, std::size_t> texts_;  // tokens that each may still have
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<ModelFile> files = model_files();
  static struct Calls {
    ~Calls() { std::fprintf(stderr, "%llu calls of the engine\n", static_cast<unsigned long long>(count)); }
    std::uint64_t count = 0;
  } calls;
  if (size == 0) return 0;
  calls.count += Fuzzing(files[data[0] % files.size()], Input({data + 1, size - 1})).run();
  return 0;
}
