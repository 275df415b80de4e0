// The time of passes by their number of tokens, measured at run time; decides how many guesses are worth running.
#pragma once

#include <array>
#include <cstddef>

namespace heed::runtime {

class PassCosts {
 public:
  static constexpr std::size_t kMost = 32;  // maximum number of tokens in a pass

  /// Ignores passes of more than kMost tokens.
  void record(std::size_t tokens, double seconds) noexcept;

  /// The time of a pass of 1 to kMost tokens, in seconds. If it is unknown or old, an optimistic estimate from passes of similar
  /// size, so that this size is tried; 0 if no time is known.
  double of(std::size_t tokens) const noexcept;

 private:
  static constexpr std::size_t kSamples = 4;  // the best of this many counts, because other programs slow some down
  static constexpr int kForgotten = 512;      // age in passes at which a time is forgotten
  struct Cost {
    std::array<double, kSamples> last{};
    std::size_t count = 0;
    int age = kForgotten;

    bool known() const noexcept { return age < kForgotten; }
    double best() const noexcept;
  };
  std::array<Cost, kMost + 1> costs_;
};

}  // namespace heed::runtime
