// Where the residual stream is handed out between layers when it is requested.
#pragma once

#include <cstddef>

namespace heed::nn {

class StateReceiver {
 public:
  virtual ~StateReceiver() = default;
  /// Takes down the states (count x width) of tokens from `position` on. `depth`: how many layers have run, so that 0 is what enters
  /// the first one, and i + 1 what layer i leaves.
  virtual void record(std::size_t depth, std::size_t position, std::size_t count, std::size_t width,
                      const float* states) noexcept = 0;
};

}  // namespace heed::nn
