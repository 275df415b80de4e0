// Recording what the heads of softmax attention give. Costs nothing without a probe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nn/block.hpp"
#include "nn/head_receiver.hpp"
#include "nn/spec.hpp"
#include "runtime/probe.hpp"

namespace heed::runtime {

class Model;

using nn::HeadShape;

/// The heads of the self-attention of layer `layer`.
HeadShape heads_of(const nn::StackSpec& stack, std::size_t layer);

/// Collects the outputs of one layer's heads while the model runs.
class HeadProbe final : public Probe, public nn::HeadReceiver {
 public:
  /// Throws unsupported for a layer without softmax attention, and for a model without a decoder; invalid_argument for a layer that the
  /// model lacks.
  HeadProbe(const Model& model, std::size_t layer);

  const HeadShape& shape() const noexcept { return shape_; }

  /// Allocates outputs for the tokens at positions [0, count), all zero. Throws std::bad_alloc.
  void prepare(std::size_t count);
  void watch(nn::Segment& segment) override;

  /// [tokens][heads][dim]: the sums of softmax weights x values, before the output matrix.
  std::span<const float> values() const noexcept { return values_; }

  void record(std::size_t layer, std::size_t position, std::size_t count, std::size_t heads, std::size_t dim,
              const float* outputs) noexcept override;

 private:
  std::size_t layer_, tokens_ = 0;
  HeadShape shape_;
  std::vector<float> values_;
};

}  // namespace heed::runtime
