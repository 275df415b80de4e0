// What passes of few tokens take on this machine, learned while they run: whether guesses pay depends on it.
#pragma once

#include <array>
#include <cstddef>

namespace heed::runtime {

class PassCosts {
 public:
  static constexpr std::size_t kMost = 32;  // tokens of a pass

  /// Passes of more tokens than kMost tell nothing.
  void record(std::size_t tokens, double seconds) noexcept;

  /// For a pass of so many tokens, 1 to kMost; one that was never seen, or not for long, is judged by its neighbours, and with
  /// favour, so that it is tried. 0 where nothing is known.
  double of(std::size_t tokens) const noexcept;

 private:
  static constexpr std::size_t kMemory = 4;  // passes of which the best counts: something else always makes some slow
  static constexpr int kForgotten = 512;     // passes later
  struct Cost {
    std::array<double, kMemory> last{};
    std::size_t count = 0;
    int age = kForgotten;

    bool known() const noexcept { return age < kForgotten; }
    double best() const noexcept;
  };
  std::array<Cost, kMost + 1> costs_;
};

}  // namespace heed::runtime
