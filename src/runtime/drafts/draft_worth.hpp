// Decides how many tokens to draft, from how often drafts have been right, and from what drafting and verifying cost.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "runtime/drafts/share.hpp"
#include "runtime/speculation/guesser.hpp"
#include "runtime/speculation/pass_costs.hpp"

namespace heed::runtime {

/// What a model's drafts cost, and how often they are right at each confidence, over all texts.
class DraftCosts {
 public:
  DraftCosts() {
    for (std::size_t i = 0; i < kClasses; ++i) shares_.emplace_back(0.5 + static_cast<double>(i) / kClasses * 3, 4);
  }
  /// Records the time of a step: the first of a draft, or a further one.
  void record(bool first, double seconds) noexcept;
  /// The time of `steps` steps, of which `first_steps` are the first of a draft; 0 while no time is known.
  double of(std::size_t first_steps, std::size_t steps) const noexcept;
  /// The probability that a drafted token is right. `confidence`: its probability in the draft; `share`: how often drafts have been
  /// right in this text at this place.
  double probability(double confidence, double share) const noexcept;
  void verified(double confidence, bool right) noexcept {
    shares_[class_of(confidence)].add(right);
    all_.add(right);
  }

 private:
  static constexpr std::size_t kSamples = 8, kClasses = 10;  // the best of the last samples counts, as in PassCosts
  static std::size_t class_of(double confidence) noexcept {
    return std::min(kClasses - 1, static_cast<std::size_t>(std::max(0.0, confidence) * kClasses));
  }
  struct Cost {
    std::array<double, kSamples> last{};
    std::size_t count = 0;
    double best() const noexcept;
  };
  Cost first_, further_;
  std::vector<Share> shares_;
  Share all_{2, 4};
};

/// How well one text's drafts do. The next text begins with these figures, which then have little weight.
class DraftWorth {
 public:
  /// Whether to draft another token after `drafted`, of at most `most` in total. `others`: as in worthwhile().
  bool goes_on(std::span<const Guess> drafted, std::size_t most, std::size_t others, const PassCosts& passes,
               const DraftCosts& costs) const noexcept;
  /// Whether to draft; call before each pass. Drafts that are not `open` (DraftTrial) or not expected to pay are still tried now
  /// and then if they could pay: at once after a draft that was right, otherwise more and more rarely.
  bool begins(bool open, std::size_t most, std::size_t others, const PassCosts& passes, const DraftCosts& costs) noexcept;
  /// Records that of `guessed` drafted tokens, the first `right` were right.
  void verified(std::size_t guessed, std::size_t right) noexcept;
  /// How often the draft's token at this place was right, if all before it were.
  double share(std::size_t place) const noexcept { return places_[std::min(place, places_.size() - 1)].value(); }
  /// Call before another text begins.
  void begin_text() noexcept;

 private:
  static constexpr std::size_t kLeastPause = 8, kMostPause = 512;

  /// The highest expected rates of tokens per second if drafting stops now, and if it goes on. `right`: assume that all further
  /// tokens are right.
  struct Rates {
    double stopping, further;
    bool gains(double least) const noexcept { return further > stopping * least; }
  };
  Rates rates(std::span<const Guess> drafted, std::size_t most, std::size_t others, const PassCosts& passes,
              const DraftCosts& costs, bool right) const noexcept;

  std::vector<Share> places_ = std::vector<Share>(8, Share(1.5, 2));
  std::size_t reach_ = 1;  // a text's first drafts are short; after each that was right, they may be twice as long
  std::size_t pause_ = kLeastPause, waited_ = 0;
};

}  // namespace heed::runtime
