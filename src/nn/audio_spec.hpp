// The type that describes an audio tower, which turns a sound into vectors, one per few hundredths of a second (arXiv:2212.04356).
#pragma once

#include <cstddef>

#include "audio/mel.hpp"
#include "nn/stack_spec.hpp"

namespace heed::nn {

struct AudioSpec {
  audio::MelSpec mel = {};
  std::size_t positions = 0;                                        // output rows of the longest window; each is two frames
  kernels::Activation activation = kernels::Activation::gelu_tanh;  // after the convolutions
  StackSpec stack = {};

  std::size_t frames() const noexcept { return 2 * positions; }
};

}  // namespace heed::nn
