// Where softmax attention hands out what its heads give, when it is requested.
#pragma once

#include <cstddef>

namespace heed::nn {

class HeadReceiver {
 public:
  virtual ~HeadReceiver() = default;
  /// Takes down what the heads of a layer give for tokens from `position` on, before the output matrix: count x heads x dim.
  virtual void record(std::size_t layer, std::size_t position, std::size_t count, std::size_t heads, std::size_t dim,
                      const float* outputs) noexcept = 0;
};

}  // namespace heed::nn
