// Calls in any order: sessions, forks, truncations, saves, adapters, edits, and texts that begin, continue, are aborted and
// interrupted, while memory runs short. Every text equals what a new workspace generates from the same tokens.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "engine/engine.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/next_token.hpp"
#include "unit/runtime/changes/random_adapter.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;
using engine::Engine;
using engine::GenerationId;
using engine::SessionId;

namespace {

constexpr std::size_t kContext = 96;

struct Text {
  engine::Request request;
  std::vector<TokenId> prompt;  // with the session's tokens
  bool aborted = false;
  std::vector<TokenId> tokens = {};
  std::string text = {};
};

class Interleaving {
 public:
  Interleaving(std::unique_ptr<Model> model, unsigned seed)
      : random_(seed), engine_(std::move(model)), adapter_(test::random_adapter(engine_.model(), 2, seed)) {
    const std::vector<float> direction(engine_.model().info().width, 0.3f);
    everywhere_ = engine_.make_edits({{.layer = 1, .vector = direction}});
    somewhere_ = engine_.make_edits({{.layer = 0, .positions = {{5, 30}}, .vector = direction}});
  }

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
      case 8: engine_.interrupt() = true; return pass();
      default: return pass();
    }
  }
  void finish() {
    while (engine_.generates()) pass();
    CHECK(texts_.empty());
  }
  const Model& model() const { return engine_.model(); }

  std::size_t compared = 0, failed = 0, aborted = 0, restored = 0, forked = 0, reused = 0, guessed = 0, refused = 0;

 private:
  std::size_t below(std::size_t most) { return random_() % most; }
  bool busy(SessionId session) const {
    return std::ranges::any_of(texts_, [&](const auto& text) { return text.second.request.session == session; });
  }
  std::optional<SessionId> some_session() {
    if (sessions_.empty()) return std::nullopt;
    return *std::next(sessions_.begin(), static_cast<std::ptrdiff_t>(below(sessions_.size())));
  }
  /// A session without a running generation, if any; `use` fails on a session that belongs to a generation.
  template <class Use>
  std::optional<SessionId> idle_session(Use use) {
    const auto session = some_session();
    if (!session || !busy(*session)) return session;
    test::check_throws(ErrorCode::invalid_argument, "session: a generation is continuing it", [&] { use(*session); });
    ++refused;
    return std::nullopt;
  }
  std::vector<TokenId> tokens_of(SessionId session) {
    const auto tokens = engine_.session_tokens(session);
    return {tokens.begin(), tokens.end()};
  }

  void open() {
    if (sessions_.size() < 6) sessions_.insert(engine_.create_session());
  }
  void fork() {
    const auto from = idle_session([&](SessionId id) { engine_.fork_session(id); });
    if (!from || sessions_.size() >= 8) return;
    const SessionId copy = engine_.fork_session(*from);
    CHECK(tokens_of(copy) == tokens_of(*from));
    sessions_.insert(copy);
    ++forked;
  }
  void cut() {
    const auto session = idle_session([&](SessionId id) { engine_.truncate_session(id, 0); });
    if (!session) return;
    const std::size_t length = below(tokens_of(*session).size() + 1);
    engine_.truncate_session(*session, length);
    CHECK(tokens_of(*session).size() == length);
  }
  void save() {
    const auto session = idle_session([&](SessionId id) { engine_.save_session(id); });
    if (!session) return;
    const std::vector<TokenId> tokens = tokens_of(*session);
    const std::vector<std::byte> saved = engine_.save_session(*session);
    engine_.free_session(*session);
    sessions_.erase(*session);
    try {
      const SessionId again = engine_.restore_session(saved);
      CHECK(tokens_of(again) == tokens);
      sessions_.insert(again);
      ++restored;
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::out_of_memory);
    }
  }
  void close() {
    const auto session = some_session();
    if (!session) return;
    for (auto& [id, text] : texts_)
      if (text.request.session == *session) text.aborted = true;
    engine_.free_session(*session);
    sessions_.erase(*session);
    test::check_throws(ErrorCode::invalid_argument, "session: no session has this number",
                       [&] { engine_.session_tokens(*session); });
  }

  void begin() {
    if (texts_.size() >= 6) return;
    Text text;
    text.request.session = some_session();
    text.request.whole = text.request.session && below(3) == 0;
    if (text.request.session && !text.request.whole) text.prompt = tokens_of(*text.request.session);
    // A few beginnings, so that they are found again, and few tokens, so that guesses are right.
    for (std::size_t i = 0, count = 1 + below(40), kind = below(3); i < count; ++i)
      text.request.prompt.push_back(static_cast<TokenId>(3 + i * (kind + 1) % 7));
    text.prompt.insert(text.prompt.end(), text.request.prompt.begin(), text.request.prompt.end());
    GenerateOptions& options = text.request.options;
    options.max_tokens = 1 + below(24);
    options.stop_at_end = below(2) == 0;
    options.sampling.seed = below(1000);
    options.sampling.temperature = below(2) == 0 ? 0.0f : 0.9f;
    options.sampling.top_k = static_cast<std::uint32_t>(1 + below(4));
    if (below(4) == 0) options.sampling.repetition_penalty = 1.1f;
    if (below(4) == 0) options.stop = {"e", "th"};
    if (below(4) == 0) options.context_shift = below(20);
    if (engine_.model().draft() && below(2) == 0) options.drafts = 1 + below(8);
    if (below(6) == 0) options.attention = AttentionSelection{{0}, {1}};
    if (below(16) == 0) options.sampling.temperature = -1;
    if (below(3) == 0) options.changes = some_changes(options.context_shift.has_value());
    const bool taken = text.request.session && busy(*text.request.session);
    if (taken || options.sampling.temperature < 0 || text.prompt.size() > kContext) {
      CHECK_THROWS_AS(engine_.begin(text.request), Error);
      ++refused;
      return;
    }
    const GenerationId id = engine_.begin(text.request);
    CHECK(texts_.emplace(id, std::move(text)).second);
  }
  /// A few changes, so that they repeat; `everywhere`: none that depend on positions.
  Changes some_changes(bool everywhere) {
    Changes changes;
    if (below(2) == 0) changes.edits = everywhere || below(2) == 0 ? everywhere_ : somewhere_;
    if (below(2) == 0) changes.adapters.push_back({adapter_, below(2) == 0 ? 1.0f : -0.5f});
    if (!everywhere && below(2) == 0)
      changes.adapters.push_back({adapter_, 1.0f, PositionRange{8, below(2) == 0 ? 20 : kEverywhere}});
    return changes;
  }
  void abort() {
    if (texts_.empty()) return;
    const auto text = std::next(texts_.begin(), static_cast<std::ptrdiff_t>(below(texts_.size())));
    text->second.aborted = true;
    engine_.abort(text->first);
    ++aborted;
  }

  void pass() {
    for (const engine::Event& event : engine_.step()) {
      const auto text = texts_.find(event.id);
      REQUIRE(text != texts_.end());
      REQUIRE((event.token ? 1 : 0) + (event.ended ? 1 : 0) + (event.error ? 1 : 0) == 1);
      if (event.token) {
        text->second.tokens.push_back(event.token->id);
        text->second.text += event.token->text;
        continue;
      }
      const auto& end = event.ended;
      if (end) {
        CHECK(end->timings.generated_tokens == text->second.tokens.size());
        reused += end->timings.reused_tokens;
        guessed += end->timings.guessed_tokens;
      } else {
        CHECK(event.error->code() == ErrorCode::out_of_memory);
        ++failed;
      }
      compare(text->second, end);
      texts_.erase(text);
    }
    CHECK_FALSE(engine_.interrupt());
  }

  /// The generated text equals the text of a new workspace, as far as it went.
  void compare(const Text& text, const std::optional<engine::Ended>& end) {
    Workspace fresh(model());
    Sequence sequence(fresh);
    GenerateOptions options = text.request.options;
    options.speculate = false;
    Generation alone(sequence, text.prompt, options);
    std::string expected;
    while (const auto token = test::next_token(alone)) expected += token->text;
    REQUIRE(text.tokens.size() <= alone.generated().size());
    CHECK(std::ranges::equal(text.tokens, alone.generated().first(text.tokens.size())));
    if (end && !text.aborted) {
      CHECK(text.tokens.size() == alone.generated().size());
      CHECK(text.text == expected);
      CHECK(end->reason == alone.finish_reason());
      CHECK(end->end_token == alone.end_token());
    }
    if (end && text.request.session && sessions_.contains(*text.request.session) && !options.context_shift) {
      std::vector<TokenId> whole = text.prompt;
      whole.insert(whole.end(), text.tokens.begin(), text.tokens.end());
      CHECK(tokens_of(*text.request.session) == whole);
    }
    ++compared;
  }

  std::mt19937 random_;
  Engine engine_;
  std::shared_ptr<const Adapter> adapter_;
  std::shared_ptr<const Edits> everywhere_, somewhere_;
  std::set<SessionId> sessions_;
  std::map<GenerationId, Text> texts_;
};

}  // namespace

TEST_CASE("in any order of calls, every text equals the text generated alone", "[engine][interleaving]") {
  // 12,000 steps in all, or as many as requested.
  const char* const asked = std::getenv("HEED_INTERLEAVING_STEPS");
  const std::size_t steps = asked ? std::strtoul(asked, nullptr, 10) : 12'000;
  struct Kind {
    std::string architecture;
    std::int64_t heads = 0;  // that draft
  };
  const std::vector<Kind> kinds = {{"llama"},     {"gemma3"}, {"lfm2"},    {"bloom"},     {"deepseek2"}, {"qwen35"},
                                   {"falcon-h1"}, {"gemma4"}, {"gemma3n"}, {"qwen35", 1}, {"step35", 2}};
  std::size_t failed = 0, guessed = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto& [architecture, heads] = kinds[i];
    const auto file = test::family_model(architecture, kContext, {{"nextn_predict_layers", heads}});
    LoadOptions options;
    options.draft_heads = heads > 0 ? OwnHeads::required : OwnHeads::off;
    options.threads = 4;
    options.parallel = 4;
    if (i % 2 == 0) {  // short of memory
      const auto model = test::load_bytes(file, options);
      options.memory_limit = model->info().memory_bytes + 5 * model->info().context_bytes;
    }
    Interleaving interleaving(test::load_bytes(file, options), static_cast<unsigned>(i));
    for (std::size_t step = 0; step < steps / kinds.size(); ++step) {
      INFO(architecture << ", step " << step);
      interleaving.step();
    }
    interleaving.finish();
    INFO(architecture);
    CHECK(interleaving.compared > steps / kinds.size() / 15);
    if (steps >= 10'000) {
      CHECK(interleaving.aborted > 0);
      CHECK(interleaving.restored > 0);
      CHECK(interleaving.forked > 0);
      CHECK(interleaving.reused > 0);
      CHECK(interleaving.refused > 0);
      if (heads > 0) CHECK(interleaving.guessed > 0);
      else if (Workspace(interleaving.model()).decoder_caches()->has_state()) CHECK(interleaving.guessed == 0);
    }
    failed += interleaving.failed;
    guessed += interleaving.guessed;
  }
  if (steps >= 10'000) CHECK(failed > 0);
  if (steps >= 10'000) CHECK(guessed > 0);  // of some model: whether guesses pay is measured
}
