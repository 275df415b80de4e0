// Decides by measured times whether rounds with drafts are faster than rounds without. A round is a pass that generates tokens of
// texts, with the drafting before it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace heed::runtime {

/// Compares rounds that have the same number of texts.
class DraftTrial {
 public:
  /// Whether the next round may draft. False if rounds with drafts have been slower; also false now and then to time a plain round.
  bool opens() noexcept;
  /// Records the time of a round, and the number of tokens that it generated.
  void took(bool drafted, double seconds, std::size_t tokens) noexcept;
  /// Call before another text begins. The rates so far, measured on other texts, then have little weight.
  void begin_text() noexcept;

 private:
  static constexpr std::size_t kLeastTurns = 8, kMostTurns = 64;

  /// Tokens and time of the last rounds; older rounds count less.
  struct Rate {
    double tokens = 0, seconds = 0;
    void add(std::size_t more, double time) noexcept;
    void weaken() noexcept;
    bool falls_short_of(const Rate& other, double times = 1) const noexcept;
  };
  Rate drafted_, plain_;
  std::size_t turns_ = kLeastTurns, left_ = 1;  // rounds with drafts between two plain rounds, and how many of them are left
};

class DraftTrials {
 public:
  DraftTrial& of(std::size_t texts) noexcept { return trials_[std::min(texts, trials_.size()) - 1]; }
  /// Adds time spent on drafting; it counts for the next round.
  void spend(double seconds) noexcept { spent_ += seconds; }
  /// Whether the next round has drafts.
  bool has_drafts() const noexcept { return spent_ > 0; }
  /// Ends a round. texts: 0 if its time does not count, because it also read prompts.
  void took(std::size_t texts, double seconds, std::size_t tokens) noexcept;

 private:
  std::array<DraftTrial, 16> trials_;
  double spent_ = 0;
};

}  // namespace heed::runtime
