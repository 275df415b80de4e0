// Recording what happens in a sequence while the model runs on it. Costs nothing without a probe.
#pragma once

#include "nn/pass.hpp"

namespace heed::runtime {

class Probe {
 public:
  virtual ~Probe() = default;
  /// Records the segment in the pass to which it belongs; allocates memory for its tokens unless that has been done. Throws
  /// out_of_memory or std::bad_alloc.
  virtual void watch(nn::Segment& segment) = 0;
};

}  // namespace heed::runtime
