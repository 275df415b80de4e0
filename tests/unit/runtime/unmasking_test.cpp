// Writing by unmasking: what each step settles, against the logits of the whole text.
#include "runtime/unmasking.hpp"

#include <catch2/catch_test_macros.hpp>
#include <algorithm>
#include <cmath>

#include "runtime/encoder_run.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::check_throws;

namespace {

constexpr TokenId kMask = 3;

std::unique_ptr<Model> masked_model(const std::string& architecture, bool shifted) {
  return test::load_bytes(test::family_model(
      architecture, 64, {{"tokenizer.ggml.mask_token_id", std::int64_t{kMask}}, {"diffusion.shift_logits", shifted}}));
}

/// The most probable token of a row except the mask, and its log-probability.
std::pair<TokenId, double> best_of(std::span<const float> row) {
  TokenId best = kMask == 0 ? 1 : 0;
  double sum = 0;
  for (std::size_t id = 0; id < row.size(); ++id) {
    sum += std::exp(static_cast<double>(row[id]));
    if (id != kMask && row[id] > row[static_cast<std::size_t>(best)]) best = static_cast<TokenId>(id);
  }
  return {best, static_cast<double>(row[static_cast<std::size_t>(best)]) - std::log(sum)};
}

sampling::SamplerOptions greedy() {
  sampling::SamplerOptions options;
  options.temperature = 0;
  return options;
}

}  // namespace

TEST_CASE("each step settles the masks that are most certain", "[runtime][unmasking]") {
  for (const bool shifted : {false, true})
    for (const std::string architecture : {"llada", "llada-moe", "dream", "rnd1"}) {
      INFO(architecture << (shifted ? ", shifted" : ""));
      const auto model = masked_model(architecture, shifted);
      CHECK(model->info().mask_token == kMask);
      const std::size_t vocabulary = model->info().vocabulary;
      Workspace workspace(*model);
      std::vector<TokenId> text = test::some_tokens(5);
      std::ranges::replace(text, kMask, kMask + 1);
      const std::size_t from = text.size();
      text.resize(from + 9, kMask);
      std::size_t steps = 0;
      while (std::ranges::count(std::span(text).subspan(from, 7), kMask) > 0) {
        EncoderRun run(workspace);
        REQUIRE(run(text));
        const std::vector<float> logits = run.logits();
        std::size_t best = 0;
        double most = -INFINITY;
        std::vector<Unmasked> expected;
        for (std::size_t at = from; at < from + 7; ++at) {
          if (text[at] != kMask) continue;
          const auto [id, logprob] = best_of(std::span(logits).subspan((at - (shifted ? 1 : 0)) * vocabulary, vocabulary));
          if (logprob > most) best = expected.size();
          most = std::max(most, logprob);
          expected.push_back({at, {id, static_cast<float>(logprob)}});
        }
        const auto settled = unmask(workspace, text, from, from + 7, greedy());
        REQUIRE(settled);
        REQUIRE(!settled->empty());
        for (const auto& [position, token] : *settled) {
          const auto same = std::ranges::find(expected, position, &Unmasked::position);
          REQUIRE(same != expected.end());
          CHECK(token.id == same->token.id);
          CHECK(std::abs(token.logprob - same->token.logprob) < 1e-5f);
          CHECK((token.logprob > std::log(0.9f) || position == expected[best].position));
          text[position] = token.id;
        }
        ++steps;
      }
      CHECK(steps <= 7);
      CHECK(text[from + 7] == kMask);  // beyond the range
      CHECK(unmask(workspace, text, from, from + 7, {})->empty());
    }
}

TEST_CASE("a seed draws the same tokens, and penalties see the text", "[runtime][unmasking]") {
  const auto model = masked_model("llada", false);
  Workspace workspace(*model);
  std::vector<TokenId> text = {7, 7, 7, kMask, kMask, kMask, kMask};
  const auto drawn = [&](sampling::SamplerOptions options) {
    std::vector<TokenId> ids;
    for (std::size_t at = 3; at < text.size(); ++at) ids.push_back((*unmask(workspace, text, at, at + 1, options))[0].token.id);
    return ids;
  };
  sampling::SamplerOptions wild;
  wild.temperature = 5;
  wild.top_k = 0;
  wild.top_p = 1;
  wild.min_p = 0;
  const auto one = drawn(wild);
  CHECK(one == drawn(wild));
  wild.seed = 2;
  CHECK(one != drawn(wild));
  sampling::SamplerOptions liking = greedy();
  liking.logit_bias = {{7, 20.0f}};
  CHECK(std::ranges::count(drawn(liking), 7) == 4);
  liking.frequency_penalty = 50;
  CHECK(std::ranges::count(drawn(liking), 7) == 0);
}

TEST_CASE("unmasking what cannot be unmasked is refused", "[runtime][unmasking]") {
  const std::vector<TokenId> text = {5, kMask};
  const auto llada = masked_model("llada", false), bert = test::load_bytes(test::family_model("bert"));
  Workspace workspace(*llada), of_bert(*bert);
  CHECK(!bert->info().mask_token);
  check_throws(ErrorCode::unsupported, "bert: does not write by unmasking", [&] { unmask(of_bert, text, 0, 2, {}); });
  check_throws(ErrorCode::invalid_argument, "range: is not in the text", [&] { unmask(workspace, text, 0, 3, {}); });
  check_throws(ErrorCode::invalid_argument, "range: is not in the text", [&] { unmask(workspace, text, 2, 1, {}); });
  sampling::SamplerOptions cold;
  cold.temperature = -1;
  check_throws(ErrorCode::invalid_argument, "temperature", [&] { unmask(workspace, text, 0, 2, cold); });
  const std::vector<TokenId> wrong = {5, 1 << 20};
  check_throws(ErrorCode::invalid_argument, "", [&] { unmask(workspace, wrong, 0, 2, {}); });
  workspace.interrupt() = true;
  CHECK(!unmask(workspace, text, 0, 2, {}));
  workspace.interrupt() = false;
  CHECK(unmask(workspace, text, 0, 2, {})->size() == 1);
}
