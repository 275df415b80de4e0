// Random texts with drafts, of all kinds of drafts, equal those without: alone and several at once, sampled, constrained, forked, cut and
// ended early. HEED_DRAFT_TEXTS sets how many.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <optional>
#include <random>

#include "sampling/constraint.hpp"
#include "unit/runtime/drafted_model.hpp"

using namespace heed;
using namespace heed::runtime;
using namespace heed::test;

namespace {

/// Allows a few tokens at each place, or one, and ends the text after some.
class FewAtATime final : public sampling::Constraint {
 public:
  FewAtATime(const tokenizer::Tokenizer& tokenizer, std::uint32_t seed) : tokenizer_(tokenizer), seed_(seed) {}

  sampling::TokenMask mask() override {
    mask_.assign((tokenizer_.size() + 63) / 64, 0);
    for (const TokenId id : allowed(at_)) mask_[static_cast<std::size_t>(id) / 64] |= std::uint64_t{1} << (id % 64);
    return mask_;
  }
  void accept(TokenId) override { ++at_; }
  bool finished() override { return at_ == 8 + seed_ % 24; }
  std::string forced() override {
    std::vector<TokenId> certain;
    for (std::size_t at = at_; at < at_ + 6 && allowed(at).size() == 1; ++at) certain.push_back(allowed(at)[0]);
    return tokenizer_.decode(certain, {});
  }

 private:
  std::vector<TokenId> allowed(std::size_t at) const {
    std::minstd_rand random(seed_ + static_cast<std::uint32_t>(at / 3) * 977 + 1);
    std::vector<TokenId> ids;
    if (random() % 3 == 0) return {static_cast<TokenId>(3 + (at * 5 + seed_) % 17)};
    for (TokenId id = 3; id < 20; ++id)
      if (kFew.front() <= id && id <= kFew.back() ? random() % 4 != 0 : random() % 3 == 0) ids.push_back(id);
    if (ids.empty()) ids.push_back(kFew.front());
    return ids;
  }

  const tokenizer::Tokenizer& tokenizer_;
  std::uint32_t seed_;
  std::size_t at_ = 0;
  std::vector<std::uint64_t> mask_;
};

struct Kind {
  std::string name;
  std::vector<std::byte> target, draft;
};

/// All that drafts.
std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds;
  for (const auto& [architecture, heads] :
       std::vector<std::pair<std::string, std::int64_t>>{{"qwen35", 1}, {"qwen35moe", 1}, {"step35", 2}, {"qwen35", 2}})
    kinds.push_back({architecture + ", " + std::to_string(heads) + " heads", model_with_heads(architecture, heads), {}});
  for (const std::string architecture :
       {"llama", "gemma3", "qwen35", "lfm2", "falcon-h1", "mamba", "mamba2", "rwkv6", "rwkv7", "kimi-linear", "granitehybrid"}) {
    const auto file = family_model(architecture, kDraftContext);
    kinds.push_back({architecture + ", itself", file, file});
  }
  const auto gemma4 = family_model("gemma4", kDraftContext);
  kinds.push_back({"gemma4, assistant", gemma4, draft_for(gemma4, assistant_values(), "token_embd.weight")});
  for (const std::string architecture : {"llama", "qwen35", "gemma3"}) {
    const auto target = family_model(architecture, kDraftContext);
    kinds.push_back({architecture + ", EAGLE", target, draft_for(target, eagle_values(architecture), "output.weight")});
    kinds.push_back({architecture + ", DFlash", target, draft_for(target, dflash_values(), "output.weight")});
  }
  return kinds;
}

class RandomTexts {
 public:
  RandomTexts(const Kind& kind, std::size_t threads, std::uint32_t seed)
      : random_(seed), drafted_(kind.target, kind.draft, threads), plain_(*drafted_.model), kept_(*drafted_.workspace) {}

  std::size_t drafts() const { return drafts_; }
  std::size_t right() const { return right_; }

  /// Writes some texts at once; returns how many.
  std::size_t write_some() {
    const std::size_t count = one_in(2) ? 1 : 2 + below(3);
    std::vector<Text> texts;
    for (std::size_t i = 0; i < count; ++i) texts.push_back(some_text());
    if (one_in(2))  // every guess seems to pay
      for (std::size_t tokens = 1; tokens <= PassCosts::kMost; ++tokens) drafted_.workspace->costs().record(tokens, 1e-9);
    std::vector<std::unique_ptr<Generation>> generations;
    std::vector<Generation*> running;
    for (Text& text : texts) {
      generations.push_back(begin(text, *text.sequence));
      running.push_back(generations.back().get());
    }
    for (std::size_t pass = 0; !running.empty(); ++pass) {
      REQUIRE(run_together(*drafted_.workspace, running));
      for (std::size_t i = 0; i < count; ++i)
        if (texts[i].passes == pass) generations[i]->abort();
      std::erase_if(running, [](const Generation* generation) { return generation->ended(); });
    }
    for (std::size_t i = 0; i < count; ++i) check(texts[i], *generations[i]);
    generations.clear();
    kept_ = *texts[below(count)].sequence;
    return count;
  }

 private:
  struct Text {
    std::vector<TokenId> prompt;
    GenerateOptions options;
    std::optional<std::uint32_t> constraint;
    std::size_t passes;  // after which it is ended
    std::unique_ptr<Sequence> sequence;
  };

  std::size_t below(std::size_t n) { return random_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }

  Text some_text() {
    Text text{some_prompt(below(200)), some_options(below(10'000), !one_in(3)), {}, one_in(6) ? below(20) : std::size_t{1000}, {}};
    GenerateOptions& options = text.options;
    constexpr float kTemperatures[] = {0, 0, 0, 0.3f, 0.7f, 1, 1.5f};
    options.sampling.temperature = kTemperatures[below(7)];
    options.sampling.top_k = one_in(3) ? static_cast<std::uint32_t>(1 + below(8)) : 0;
    options.sampling.top_p = one_in(3) ? 0.8f : 1;
    if (one_in(3)) options.drafts.reset();
    if (one_in(3)) {
      text.constraint = static_cast<std::uint32_t>(random_());
      options.stop_at_end = true;
    }
    if (one_in(3)) {
      text.sequence = std::make_unique<Sequence>(*drafted_.workspace);
    } else {  // a fork
      text.sequence = std::make_unique<Sequence>(kept_);
      if (one_in(2)) text.sequence->truncate(below(kept_.tokens().size() + 1));
      const auto read = text.sequence->tokens();
      const std::size_t common = std::min(read.size(), kDraftContext / 2);
      text.prompt.insert(text.prompt.begin(), read.begin(), read.begin() + static_cast<std::ptrdiff_t>(common));
      text.prompt.resize(std::min(text.prompt.size(), kDraftContext - 8));
    }
    return text;
  }

  std::unique_ptr<Generation> begin(const Text& text, Sequence& sequence) const {
    auto constraint = text.constraint ? std::make_unique<FewAtATime>(drafted_.model->tokenizer(), *text.constraint) : nullptr;
    return std::make_unique<Generation>(sequence, text.prompt, text.options, std::move(constraint));
  }

  void check(Text& text, Generation& generation) {
    const Timings& timings = generation.timings();
    drafts_ += timings.drafts().drafted;
    right_ += timings.drafts().right;
    text.options.speculate = false;
    Sequence alone(plain_);
    const auto expected = begin(text, alone);
    std::size_t written = 0;
    while (const auto token = generation.pop_token()) {
      const auto other = next_token(*expected);
      REQUIRE(other);
      CHECK(token->id == other->id);
      CHECK(token->logprob == other->logprob);
      CHECK(token->allowed == other->allowed);
      CHECK(std::ranges::equal(token->alternatives, other->alternatives,
                               [](const auto& a, const auto& b) { return a.id == b.id && a.logprob == b.logprob; }));
      ++written;
      if (generation.finish_reason() != FinishReason::abort) CHECK(token->text == other->text);
    }
    CHECK(written == generation.generated().size());
    if (generation.finish_reason() == FinishReason::abort) return;
    CHECK_FALSE(next_token(*expected));
    CHECK(generation.finish_reason() == expected->finish_reason());
    CHECK(generation.end_token() == expected->end_token());
  }

  std::minstd_rand random_;
  Drafted drafted_;
  Workspace plain_;
  Sequence kept_;
  std::size_t drafts_ = 0, right_ = 0;
};

}  // namespace

TEST_CASE("random texts with drafts equal those without", "[runtime][drafts][random]") {
  const char* const asked = std::getenv("HEED_DRAFT_TEXTS");
  const std::size_t texts = asked ? std::strtoul(asked, nullptr, 10) : 200;
  const auto kinds = all_kinds();
  std::size_t written = 0, drafts = 0, right = 0;
  for (std::uint32_t round = 0; written < texts; ++round)
    for (std::size_t kind = 0; kind < kinds.size() && written < texts; ++kind) {
      INFO(kinds[kind].name << ", round " << round);
      RandomTexts some(kinds[kind], 1 + (kind + round) % 4, round * 100 + static_cast<std::uint32_t>(kind) + 1);
      for (int i = 0; i < 4; ++i) written += some.write_some();
      drafts += some.drafts();
      right += some.right();
    }
  CHECK(drafts > texts);
  CHECK(right > texts / 4);
  CHECK(right < drafts);
  if (asked) WARN(written << " texts, " << drafts << " drafted tokens, of which " << right << " were right");
}
