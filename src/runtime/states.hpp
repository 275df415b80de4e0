// Recording the residual stream: what enters the first layer, and what each layer leaves (arXiv:2012.13255 and others read it as it is
// kept here). Costs nothing without a probe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/adapters/adaptation.hpp"
#include "nn/state_receiver.hpp"
#include "runtime/probe.hpp"

namespace heed::runtime {

class Model;
class Workspace;

/// The layer whose state is what enters layer 0.
inline constexpr std::int32_t kEmbeddingLayer = -1;

struct StateSelection {
  std::vector<std::int32_t> layers = {};      // kEmbeddingLayer to the last; empty: all of these
  std::vector<std::uint32_t> positions = {};  // empty: all
};

/// Collects the states of a decoder's chosen layers and positions while the model runs.
class StateProbe final : public Probe, public nn::StateReceiver {
 public:
  /// Throws unsupported for a model without a decoder, and invalid_argument, naming the layer, for one that the model lacks or that is
  /// listed twice.
  StateProbe(const Model& model, StateSelection selection);

  /// kEmbeddingLayer to the last, in the order requested.
  std::span<const std::int32_t> layers() const noexcept { return layers_; }
  std::span<const std::uint32_t> positions() const noexcept { return positions_; }
  std::size_t width() const noexcept { return width_; }

  /// Allocates states for a text of `count` tokens, all zero. Throws invalid_argument for a position outside it, and out_of_memory.
  void prepare(std::size_t count);
  void watch(nn::Segment& segment) override;

  /// [layers][positions][D]: after all that the layer does, before the next one's first norm.
  std::span<const float> values() const noexcept { return values_; }

  void record(std::size_t depth, std::size_t position, std::size_t count, std::size_t width, const float* states) noexcept override;

 private:
  std::vector<std::int32_t> layers_;
  std::vector<std::uint32_t> wanted_, positions_;         // as requested; of the text
  std::vector<std::int32_t> layer_slot_, position_slot_;  // by depth and by position; -1 where not recorded
  std::size_t width_, tokens_ = 0;
  std::vector<float> values_;
};

/// The output of the model's final norm for states of any layer: rows x D, in place.
void apply_final_norm(Workspace& workspace, std::span<float> states);

/// The logit lens (https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru): the logits that states of any layer would give if they were those
/// of the last: final norm, head, and what the model does with its logits. states: rows x D; logits: rows x V. adapted: the adapters of
/// these rows, which the head may have. Throws std::bad_alloc.
void read_out(Workspace& workspace, std::span<const float> states, std::span<float> logits,
              std::span<const nn::AdaptedRows> adapted = {});

}  // namespace heed::runtime
