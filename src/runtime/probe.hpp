// What is recorded of a sequence while the model reads it. Free unless requested.
#pragma once

#include "nn/pass.hpp"

namespace heed::runtime {

class Probe {
 public:
  virtual ~Probe() = default;
  /// Records the next pass over a segment; takes memory for its tokens where there is none yet. Throws out_of_memory or std::bad_alloc.
  virtual void watch(nn::Segment& segment) = 0;
};

}  // namespace heed::runtime
