// Where recurrent layers write their gates when they are requested.
#pragma once

#include <cstddef>

namespace heed::nn {

class GateReceiver {
 public:
  virtual ~GateReceiver() = default;
  /// Takes down the gates of `count` tokens from `position` on, count x heads each: the factor by which a token multiplies a head's
  /// state, and how strongly it is then written into it.
  virtual void record(std::size_t layer, std::size_t position, std::size_t count, std::size_t heads, const float* decays,
                      const float* writes) noexcept = 0;
};

}  // namespace heed::nn
