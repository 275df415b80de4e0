// The values of attention, computed by experts (ValueExpertsSpec).
#pragma once

#include <string>
#include <vector>

#include "nn/experts.hpp"

namespace heed::nn {

class RoutedValues {
 public:
  /// Takes NAME_v_gate, whose bias is for choosing only, and NAME_v_exps. `values`: of all heads together.
  RoutedValues(const ValueExpertsSpec& spec, std::size_t width, std::size_t values, const std::string& name, Weights& weights);

  static ScratchNeed need(const ValueExpertsSpec& spec, std::size_t values, const PassLimits& limits) noexcept;

  /// out: T x values.
  void operator()(Activations h, float* out, Pass& pass) const noexcept;

 private:
  ExpertsSpec spec_;
  Linear router_;
  Buffer<float> selection_bias_;  // or empty
  std::vector<Linear> experts_;   // per expert: values x D
};

}  // namespace heed::nn
