// Any calls of the engine in any order, with any arguments: each does its work or throws an Error and changes nothing, and every
// generation ends once. A call is a byte that says which, and those that it reads for its arguments. The seeds are random.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "engine/engine.hpp"
#include "support/load.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using engine::Engine;
using engine::GenerationId;
using engine::SessionId;
using tokenizer::TokenId;

namespace {

constexpr std::size_t kContext = 48;

void require(bool held, int line = __builtin_LINE()) {
  if (held) return;
  std::fprintf(stderr, "line %d\n", line);
  std::abort();
}

/// The input, as arguments; zeros after its end.
class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : left_(bytes) {}

  bool empty() const { return left_.empty(); }
  std::uint8_t byte() {
    if (left_.empty()) return 0;
    const std::uint8_t value = left_.front();
    left_ = left_.subspan(1);
    return value;
  }
  bool rarely() { return byte() >= 240; }
  std::size_t below(std::size_t most) { return byte() % most; }
  template <class T>
  T any() {
    std::array<std::uint8_t, sizeof(T)> bytes;
    std::ranges::generate(bytes, [&] { return byte(); });
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  /// Mostly of the vocabulary of family_model().
  std::vector<TokenId> tokens(std::size_t most) {
    std::vector<TokenId> ids(below(most + 1));
    for (TokenId& id : ids) id = rarely() ? any<TokenId>() : 3 + static_cast<TokenId>(below(8));
    return ids;
  }
  std::vector<std::uint32_t> indices() {
    std::vector<std::uint32_t> chosen(below(3));
    for (std::uint32_t& index : chosen) index = rarely() ? any<std::uint32_t>() : static_cast<std::uint32_t>(below(4));
    return chosen;
  }
  std::size_t size(std::size_t usual) { return rarely() ? any<std::size_t>() : below(usual); }

 private:
  std::span<const std::uint8_t> left_;
};

runtime::AttentionSelection selection(Input& input) {
  runtime::AttentionSelection chosen{input.indices(), input.indices()};
  if (input.below(2) == 0) chosen.of = static_cast<runtime::AttentionOf>(input.below(4));
  return chosen;
}

runtime::GenerateOptions options(Input& input) {
  runtime::GenerateOptions chosen;
  auto& sampling = chosen.sampling;
  const std::uint8_t which = input.byte(), more = input.byte();
  const auto number = [&](float usual) { return input.rarely() ? input.any<float>() : usual; };
  chosen.max_tokens = input.size(24);
  sampling.seed = input.byte();
  if (which & 1) sampling.temperature = number(0);
  if (which & 2) sampling.top_k = input.rarely() ? input.any<std::uint32_t>() : 3;
  if (which & 4) sampling.top_p = number(0.5f);
  if (which & 8) sampling.min_p = number(0.1f);
  if (which & 16) sampling.repetition_penalty = number(1.2f);
  if (which & 32) sampling.frequency_penalty = number(0.3f);
  if (which & 64) sampling.penalty_window = input.rarely() ? input.any<std::uint32_t>() : 20;
  if (which & 128) sampling.logit_bias = {{input.rarely() ? input.any<TokenId>() : 5, number(2)}};
  if (more & 1) chosen.stop = {"e", input.rarely() ? "" : "th"};
  chosen.stop_at_end = more & 2;
  chosen.special = more & 4;
  if (more & 8) chosen.top_logprobs = input.size(4);
  if (more & 16) chosen.attention = selection(input);
  chosen.speculate = more & 32;
  if (more & 64) chosen.context_shift = input.size(20);
  return chosen;
}

struct ModelFile {
  std::vector<std::byte> bytes;
  runtime::LoadOptions options = {};
};

/// One of them has so little memory that not all texts find room.
std::vector<ModelFile> model_files() {
  std::vector<ModelFile> files;
  for (const char* architecture : {"llama", "gemma3", "lfm2", "t5", "bert", "vit", "qwen35", "deepseek2"}) {
    ModelFile& file = files.emplace_back(ModelFile{test::family_model(architecture, kContext)});
    file.options.parallel = 3;
    if (files.size() > 1) continue;
    const auto measured = test::load_bytes(file.bytes, file.options);
    file.options.memory_limit = measured->info().memory_bytes + 3 * measured->info().context_bytes;
  }
  return files;
}

class Fuzzing {
 public:
  Fuzzing(const ModelFile& file, Input input)
      : input_(input), engine_(std::make_unique<Engine>(test::load_bytes(file.bytes, file.options))) {}

  void run() {
    while (!input_.empty()) {
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
  }

 private:
  SessionId session() {
    if (sessions_.empty() || input_.rarely()) return SessionId(input_.any<int>());
    return sessions_[input_.below(sessions_.size())];
  }

  void call() {
    switch (input_.below(18)) {
      case 0: return add(engine_->create_session());
      case 1: return add(engine_->fork_session(session()));
      case 2: return truncate();
      case 3: return save();
      case 4: return engine_->free_session(session());
      case 5:
      case 6:
      case 7: return begin();
      case 8: return abort();
      case 9: engine_->interrupt_flag() = true; return;
      case 10: return decode();
      case 11: return encode();
      case 12: return see();
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
    engine::Request request{input_.tokens(24), options(input_)};
    if (texts_.size() >= 6) return;
    if (input_.below(2) == 0) request.session = session();
    request.whole = input_.below(3) == 0;
    const std::size_t most = request.options.max_tokens;
    require(texts_.emplace(engine_->begin(std::move(request)), most).second);
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
    require(!engine_->interrupt_flag());
  }

  void decode() {
    engine::DecoderRun run = engine_->read();
    if (input_.below(4) == 0) run.encode(input_.tokens(12));
    if (input_.below(3) == 0) run.reuse(input_.tokens(24), input_.size(24));
    if (input_.below(3) == 0) run.watch(selection(input_), input_.below(40), input_.below(40));
    if (input_.below(4) == 0) run.watch_gates(input_.indices(), input_.below(40));
    for (std::size_t passes = input_.below(4); passes > 0; --passes) run.forward(input_.tokens(20), input_.size(6));
    for (const float value : run.watched()) require(value == value);
  }

  void encode() {
    std::vector<std::vector<TokenId>> texts(input_.below(5));
    for (auto& text : texts) text = input_.tokens(20);
    switch (input_.below(3)) {
      case 0: {
        runtime::EmbeddingForm form;
        if (input_.below(2) == 0) form.pooling = static_cast<runtime::Pooling>(input_.below(4));
        if (input_.below(2) == 0) form.dimensions = input_.size(40);
        form.normalized = input_.below(2) == 0;
        engine_->embed(texts, form);
        return;
      }
      case 1: engine_->scores(texts); return;
      default: engine_->encoder_attention(texts.empty() ? std::vector<TokenId>() : texts[0], selection(input_));
    }
  }

  void see() {
    const std::size_t width = input_.below(40), height = input_.below(40);
    const std::vector<std::uint8_t> rgba(width * height * 4 + (input_.rarely() ? 1 : 0), input_.byte());
    const runtime::Image image{input_.rarely() ? input_.any<std::size_t>() : width, height, rgba};
    switch (input_.below(3)) {
      case 0: engine_->embed_image(image, static_cast<runtime::Pooling>(input_.below(4)), input_.below(2) == 0); return;
      case 1: engine_->classify(image); return;
      default: engine_->image_attention(image, selection(input_));
    }
  }

  Input input_;
  std::unique_ptr<Engine> engine_;
  std::vector<SessionId> sessions_;
  std::map<GenerationId, std::size_t> texts_;  // tokens that each may still have
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<ModelFile> files = model_files();
  if (size == 0) return 0;
  Fuzzing(files[data[0] % files.size()], Input({data + 1, size - 1})).run();
  return 0;
}
