// Anything in any order: sessions, forks, cuts, saves, texts that come, go on, are aborted and interrupted, with memory that runs
// short. Every text is what a new workspace writes from the same tokens.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>

#include "runtime/prefix_cache.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/session.hpp"
#include "support/load.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;

namespace {

constexpr std::size_t kContext = 96;

struct Text {
  int session;  // 0: none
  std::vector<TokenId> prompt;
  GenerateOptions options;
  bool aborted = false;
  std::unique_ptr<Sequence> own;
  std::unique_ptr<Generation> generation;
};

class Interleaving {
 public:
  Interleaving(const Model& model, unsigned seed)
      : model_(model),
        random_(seed),
        workspace_(model),
        kept_(workspace_, model.info().kept_bytes),
        scheduler_(workspace_, kept_) {}

  void step() {
    switch (below(12)) {
      case 0: return open();
      case 1: return fork();
      case 2: return cut();
      case 3: return save();
      case 4: return close();
      case 5:
      case 6: return begin();
      case 7: return abort();
      case 8: return interrupt();
      default: return pass();
    }
  }
  void finish() {
    while (!texts_.empty()) pass();
  }

  std::size_t compared = 0, failed = 0, aborted = 0, restored = 0, forked = 0, reused = 0, guessed = 0;

 private:
  std::size_t below(std::size_t most) { return random_() % most; }
  bool busy(int session) const {
    return std::ranges::any_of(texts_, [&](const auto& text) { return text->session == session; });
  }
  /// A session that nothing goes on from now, or none.
  std::map<int, Session>::iterator idle_session() {
    if (sessions_.empty()) return sessions_.end();
    const auto found = std::next(sessions_.begin(), static_cast<std::ptrdiff_t>(below(sessions_.size())));
    return busy(found->first) ? sessions_.end() : found;
  }

  void open() {
    if (sessions_.size() < 6) sessions_.emplace(++last_session_, Session(workspace_));
  }
  void fork() {
    const auto from = idle_session();
    if (from == sessions_.end() || sessions_.size() >= 8) return;
    sessions_.emplace(++last_session_, Session(from->second));
    ++forked;
  }
  void cut() {
    const auto session = idle_session();
    if (session != sessions_.end()) session->second.truncate(below(session->second.tokens.size() + 1));
  }
  void save() {
    const auto session = idle_session();
    if (session == sessions_.end()) return;
    const std::vector<std::byte> saved = session->second.save();
    session->second.truncate(0);
    try {
      session->second = restore_session(workspace_, saved);
      ++restored;
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::out_of_memory);
      kept_.drop_oldest();
    }
  }
  void close() {
    const auto session = idle_session();
    if (session == sessions_.end()) return;
    kept_.keep(std::move(session->second.sequence));
    sessions_.erase(session);
  }

  void begin() {
    if (texts_.size() >= 6) return;
    auto text = std::make_unique<Text>();
    const auto session = idle_session();
    text->session = session == sessions_.end() ? 0 : session->first;
    if (text->session != 0) text->prompt = session->second.tokens;
    // A few beginnings, so that they are found again, and few tokens, so that guesses are right.
    for (std::size_t i = 0, count = 1 + below(40), kind = below(3); i < count; ++i)
      text->prompt.push_back(static_cast<TokenId>(3 + i * (kind + 1) % 7));
    if (text->prompt.size() > kContext) return;
    GenerateOptions& options = text->options;
    options.max_tokens = 1 + below(24);
    options.stop_at_end = below(2) == 0;
    options.sampling.seed = below(1000);
    options.sampling.temperature = below(2) == 0 ? 0.0f : 0.9f;
    options.sampling.top_k = static_cast<std::uint32_t>(1 + below(4));
    if (below(4) == 0) options.sampling.repetition_penalty = 1.1f;
    if (below(4) == 0) options.stop = {"e", "th"};
    if (below(4) == 0) options.context_shift = below(20);
    if (below(6) == 0) options.attention = AttentionSelection{{0}, {1}};
    Sequence* sequence;
    if (text->session != 0) {
      sequence = &session->second.sequence;
    } else {
      text->own = std::make_unique<Sequence>(kept_.find(text->prompt));
      sequence = text->own.get();
    }
    text->generation = std::make_unique<Generation>(*sequence, text->prompt, options);
    scheduler_.add(*text->generation);
    texts_.push_back(std::move(text));
  }
  void abort() {
    if (texts_.empty()) return;
    Text& text = *texts_[below(texts_.size())];
    text.aborted = true;
    text.generation->abort();
    ++aborted;
  }
  void interrupt() {
    workspace_.interrupt_flag() = true;
    pass();
    workspace_.interrupt_flag() = false;
  }

  void pass() {
    for (const auto& failure : scheduler_.step()) {
      const auto text = std::ranges::find_if(texts_, [&](const auto& t) { return t->generation.get() == failure.generation; });
      ++failed;
      end(text);
    }
    for (auto text = texts_.begin(); text != texts_.end();) {
      while ((*text)->generation->take_step()) continue;
      text = (*text)->generation->ended() ? end(text) : std::next(text);
    }
  }

  using Texts = std::vector<std::unique_ptr<Text>>;
  Texts::iterator end(Texts::iterator at) {
    Text& text = **at;
    const Generation& generation = *text.generation;
    scheduler_.remove(*text.generation);
    reused += generation.timings().reused_tokens;
    guessed += generation.timings().guessed_tokens;
    compare(text);
    if (const auto session = sessions_.find(text.session); session != sessions_.end())
      session->second.tokens.assign(generation.text().begin(), generation.text().end());
    if (generation.ended() && text.own) kept_.keep(std::move(*text.own));
    return texts_.erase(at);
  }

  /// What was written is what a new workspace writes, as far as it went.
  void compare(const Text& text) {
    Workspace fresh(model_);
    Sequence sequence(fresh);
    GenerateOptions options = text.options;
    options.speculate = false;
    Generation alone(sequence, text.prompt, options);
    while (alone.step().kind != Step::Kind::end) continue;
    const auto written = text.generation->generated();
    REQUIRE(written.size() <= alone.generated().size());
    CHECK(std::ranges::equal(written, alone.generated().first(written.size())));
    const bool whole = text.generation->ended() && !text.aborted;
    if (whole) CHECK(written.size() == alone.generated().size());
    if (whole) CHECK(text.generation->finish_reason() == alone.finish_reason());
    ++compared;
  }

  const Model& model_;
  std::mt19937 random_;
  Workspace workspace_;
  PrefixCache kept_;
  Scheduler scheduler_;
  std::map<int, Session> sessions_;
  int last_session_ = 0;
  Texts texts_;
};

}  // namespace

TEST_CASE("whatever comes in whatever order, every text is what it is alone", "[runtime][interleaving]") {
  // 10,000 steps in all, or as many as asked for.
  const char* const asked = std::getenv("HEED_INTERLEAVING_STEPS");
  const std::size_t steps = asked ? std::strtoul(asked, nullptr, 10) : 10'000;
  const std::vector<std::string> architectures = {"llama",  "gemma3",    "lfm2",   "bloom",  "deepseek2",
                                                  "qwen35", "falcon-h1", "gemma4", "gemma3n"};
  std::size_t failed = 0, guessed = 0;
  for (std::size_t i = 0; i < architectures.size(); ++i) {
    const auto file = test::family_model(architectures[i], kContext);
    LoadOptions options;
    options.threads = 4;
    options.parallel = 4;
    if (i % 2 == 0) {  // short of memory
      const auto model = test::load_bytes(file, options);
      options.memory_limit = model->info().memory_bytes + 5 * model->info().context_bytes;
    }
    const auto model = test::load_bytes(file, options);
    Interleaving interleaving(*model, static_cast<unsigned>(i));
    for (std::size_t step = 0; step < steps / architectures.size(); ++step) {
      INFO(architectures[i] << ", step " << step);
      interleaving.step();
    }
    interleaving.finish();
    INFO(architectures[i]);
    CHECK(interleaving.compared > steps / 100);
    if (steps >= 10'000) {
      CHECK(interleaving.aborted > 0);
      CHECK(interleaving.restored > 0);
      CHECK(interleaving.forked > 0);
      CHECK(interleaving.reused > 0);
      if (Workspace(*model).decoder_memory()->has_state()) CHECK(interleaving.guessed == 0);
    }
    failed += interleaving.failed;
    guessed += interleaving.guessed;
  }
  if (steps >= 10'000) CHECK(failed > 0);
  if (steps >= 10'000) CHECK(guessed > 0);  // of some model: whether guesses pay is measured
}
