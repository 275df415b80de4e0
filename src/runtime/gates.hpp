// Recording the gates of recurrent layers, which show what a layer forgets and what it writes, as attention shows what is read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/gate_receiver.hpp"
#include "runtime/probe.hpp"

namespace heed::runtime {

class Model;

/// Collects the gates of recurrent layers (Mamba 2, the gated delta rule) while the model runs.
class GateProbe final : public Probe, public nn::GateReceiver {
 public:
  /// An empty selection means all recurrent layers. Throws unsupported for a model without any, and invalid_argument, naming the
  /// layer, for a layer that is not recurrent or is listed twice.
  GateProbe(const Model& model, std::vector<std::uint32_t> layers);

  std::span<const std::uint32_t> layers() const noexcept { return layers_; }

  /// Allocates values for the tokens at positions [0, count), all zero. Throws std::bad_alloc.
  void prepare(std::size_t count);
  void watch(nn::Segment& segment) override;

  /// [layers][2][heads][tokens]: the factor by which each token multiplies a head's state (1 keeps all of it), and then the strength
  /// with which the token is written: from 0 to 1 in the delta rule; in Mamba 2, its time step.
  std::span<const float> values() const noexcept { return values_; }

  void record(std::size_t layer, std::size_t position, std::size_t count, std::size_t heads, const float* decays,
              const float* writes) noexcept override;

 private:
  std::vector<std::uint32_t> layers_;
  std::vector<std::int32_t> layer_slot_;  // -1 where not recorded
  std::size_t heads_, tokens_ = 0;
  std::vector<float> values_;
};

}  // namespace heed::runtime
