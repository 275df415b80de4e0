// How many tokens are drafted, and when drafts are given up: by costs and times that are made up.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <vector>

#include "runtime/drafts/draft_trials.hpp"
#include "runtime/drafts/draft_worth.hpp"
#include "runtime/speculation/worth.hpp"

using namespace heed::runtime;

TEST_CASE("as many tokens are drafted as are worth it", "[runtime][drafts]") {
  PassCosts passes;
  DraftCosts costs;
  DraftWorth worth;
  CHECK_FALSE(worth.begins(true, 8, 1, passes, costs));  // nothing is known
  for (std::size_t tokens = 1; tokens <= PassCosts::kMost; ++tokens) passes.record(tokens, 1 + 0.1 * static_cast<double>(tokens));
  const auto drafted = [&] {
    std::vector<Guess> guesses;
    if (worth.begins(true, 8, 1, passes, costs)) do {
        guesses.push_back({1, worth.share(guesses.size())});
      } while (worth.goes_on(guesses, 8, 1, passes, costs));
    return guesses.size();
  };
  for (int i = 0; i < 8; ++i) costs.record(true, 0.1), costs.record(false, 0.1);
  for (int i = 0; i < 100; ++i) worth.verified(8, 8);
  CHECK(drafted() == 8);                                                   // always right, and cheap
  CHECK_FALSE(worth.goes_on({}, 8, PassCosts::kMost + 2, passes, costs));  // beside so many tokens, nothing is known
  for (int i = 0; i < 100; ++i) worth.verified(8, 2);
  CHECK(drafted() == 2);  // the third never is
  for (int i = 0; i < 8; ++i) costs.record(true, 0.4), costs.record(false, 0.4);
  for (int i = 0; i < 100; ++i) worth.verified(8, 0);
  const auto tried = [&] {
    std::size_t rounds = 0;
    for (int i = 0; i < 2000; ++i) rounds += drafted();
    return rounds;
  };
  const std::size_t now_and_then = tried();  // whether it has become better
  CHECK(now_and_then > 2);
  CHECK(now_and_then < 20);
  for (int i = 0; i < 8; ++i) costs.record(true, 3), costs.record(false, 3);
  CHECK(tried() == 0);  // they would not pay if all were right
}

TEST_CASE("drafts that take longer than they save are given up, whatever was expected", "[runtime][drafts]") {
  const auto share = [&](double seconds_of_draft) {
    DraftTrial trial;
    std::size_t rounds = 0;
    for (int i = 0; i < 2000; ++i) {
      const bool drafts = trial.opens();
      trial.took(drafts, drafts ? seconds_of_draft : 1, drafts ? 2 : 1);
      rounds += drafts ? 1 : 0;
    }
    return static_cast<double>(rounds) / 2000;
  };
  CHECK(share(3) < 0.02);  // two tokens in the time of three
  CHECK(share(1.5) > 0.9);
}

TEST_CASE("a draft is as probable as its confidence, its text and its place say", "[runtime][drafts]") {
  DraftCosts costs;
  for (int i = 0; i < 200; ++i) costs.verified(0.95, true), costs.verified(0.05, false);
  CHECK(costs.probability(0.95, 0.5) > 0.9);
  CHECK(costs.probability(0.05, 0.5) < 0.1);
  CHECK(costs.probability(0.95, 0.2) < costs.probability(0.95, 0.8));
  DraftCosts sure;  // of everything, and often wrong
  for (int i = 0; i < 200; ++i) sure.verified(0.95, i % 2 == 0);
  CHECK(std::abs(sure.probability(0.95, 0.7) - 0.7) < 0.05);
}

namespace {

/// Texts of a made-up model on a made-up machine.
class Simulation {
 public:
  /// Tokens by time of a text of which this share of the drafts is right.
  double write(double right, bool drafts, std::size_t tokens) {
    DraftWorth worth = worth_;
    worth.begin_text();
    trials_.of(1).begin_text();
    double seconds = 0;
    std::size_t written = 0;
    while (written < tokens) {
      std::vector<Guess> drafted;
      std::size_t good = 0;
      bool all_right = true;
      if (drafts && worth.begins(trials_.of(1).opens(), 8, 1, passes_, costs_)) do {
          const double step = kStep * jitter();
          costs_.record(drafted.empty(), step);
          trials_.spend(step);
          seconds += step;
          all_right = all_right && uniform() < right;
          good += all_right ? 1 : 0;
          drafted.push_back({1, costs_.probability(kConfidence, worth.share(drafted.size()))});
        } while (worth.goes_on(drafted, 8, 1, passes_, costs_));
      const std::size_t guesses = worthwhile(drafted, 1, passes_), gained = 1 + std::min(guesses, good);
      const double pass = kPass[guesses] * jitter();
      passes_.record(1 + guesses, pass);
      trials_.took(1, pass, gained);
      seconds += pass;
      written += gained;
      const std::size_t checked = std::min(gained, drafted.size());
      worth.verified(checked, std::min(checked, good));
      for (std::size_t i = 0; i < checked && i <= good; ++i) costs_.verified(kConfidence, i < good);
    }
    worth_ = worth;
    return static_cast<double>(written) / seconds;
  }

 private:
  /// As measured of Q4_0: three tokens take longer than four.
  static constexpr double kPass[] = {1, 1.4, 2.2, 1.6, 2.7, 3.1, 3.5, 4.5, 5}, kStep = 0.1, kConfidence = 0.95;

  double uniform() { return static_cast<double>(random_()) / 0x1p32; }
  double jitter() { return 0.9 + 0.2 * uniform(); }

  std::mt19937 random_{7};
  PassCosts passes_;
  DraftCosts costs_;
  DraftTrials trials_;
  DraftWorth worth_;
};

}  // namespace

TEST_CASE("no text is slower for its drafts, and most are faster", "[runtime][drafts]") {
  const auto gain = [](double right) {  // of texts that each come after others
    Simulation machine;
    double with = 0, without = 0;
    for (int i = 0; i < 20; ++i) {
      machine.write(i % 2 == 0 ? 0.2 : 0.9, true, 64);
      without += machine.write(right, false, 128);
      with += machine.write(right, true, 128);
    }
    return with / without;
  };
  CHECK(gain(0) > 0.98);
  CHECK(gain(0.5) > 0.98);
  CHECK(gain(0.7) > 1.1);
  CHECK(gain(0.9) > 1.5);
  CHECK(gain(1) > 1.8);
}
