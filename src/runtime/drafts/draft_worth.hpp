// How many tokens are worth drafting: by how often drafts have been right, and by what drafting and verifying cost.
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

/// What a model's drafts cost, and what their confidence is worth: of all texts.
class DraftCosts {
 public:
  DraftCosts() {
    for (std::size_t i = 0; i < kClasses; ++i) shares_.emplace_back(0.5 + static_cast<double>(i) / kClasses * 3, 4);
  }
  /// The time of a step: the first of a draft, or a further one.
  void record(bool first, double seconds) noexcept;
  /// The time of so many steps; of those that are not known, none.
  double of(std::size_t first_steps, std::size_t steps) const noexcept;
  /// How probable a token is that the draft gave this probability, in a text and at a place where drafts are right that often.
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

/// One text's drafts. The next text begins with what this one has learned, which then counts little.
class DraftWorth {
 public:
  /// Whether to draft one more after the tokens drafted so far, of at most `most`. `others`: as in worthwhile().
  bool goes_on(std::span<const Guess> drafted, std::size_t most, std::size_t others, const PassCosts& passes,
               const DraftCosts& costs) const noexcept;
  /// Whether to draft, asked before each pass. While drafts are not `open` (DraftTrial) or not expected to be worth their time, one
  /// is tried now and then where it could be: at once after one that was right, otherwise more and more rarely.
  bool begins(bool open, std::size_t most, std::size_t others, const PassCosts& passes, const DraftCosts& costs) noexcept;
  /// Of `guessed` tokens, the first `right` were right.
  void verified(std::size_t guessed, std::size_t right) noexcept;
  /// How often the draft's token at this place was right, if all before it were.
  double share(std::size_t place) const noexcept { return places_[std::min(place, places_.size() - 1)].value(); }
  /// Before another text.
  void begin_text() noexcept;

 private:
  static constexpr std::size_t kLeastPause = 8, kMostPause = 512;

  /// The most tokens by time with those drafted so far, and with further ones. `right`: as if these were sure to be right.
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
