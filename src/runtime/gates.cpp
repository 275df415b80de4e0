#include "runtime/gates.hpp"

#include <string>

#include "base/error.hpp"
#include "runtime/model.hpp"
#include "runtime/selection.hpp"

namespace heed::runtime {

GateProbe::GateProbe(const Model& model, std::vector<std::uint32_t> layers) : heads_(model.info().recurrent_heads) {
  const ModelInfo& info = model.info();
  if (info.recurrent_layers.empty()) throw Error(ErrorCode::unsupported, "has no recurrent layers", info.architecture);
  if (layers.empty()) layers_ = info.recurrent_layers;
  else layers_ = std::move(layers);
  layer_slot_ = slots(complete(layers_, info.layers, "layers"), info.layers, "layers");
  const std::vector<std::int32_t> recurrent = slots(info.recurrent_layers, info.layers, "layers");
  for (const std::uint32_t layer : layers_)
    if (recurrent[layer] < 0)
      throw Error(ErrorCode::invalid_argument, std::to_string(layer) + " is not a recurrent layer", "layers");
}

void GateProbe::prepare(std::size_t count) {
  values_.assign(layers_.size() * 2 * heads_ * count, 0.0f);
  tokens_ = count;
}

void GateProbe::watch(nn::Segment& segment) {
  if (segment.end() > tokens_) prepare(segment.end());
  segment.gates = this;
}

void GateProbe::record(std::size_t layer, std::size_t position, std::size_t count, std::size_t heads, const float* decays,
                       const float* writes) noexcept {
  if (layer_slot_[layer] < 0) return;
  float* to = values_.data() + static_cast<std::size_t>(layer_slot_[layer]) * 2 * heads_ * tokens_ + position;
  for (const float* from : {decays, writes})
    for (std::size_t head = 0; head < heads; ++head, to += tokens_)
      for (std::size_t t = 0; t < count; ++t) to[t] = from[t * heads + head];
}

}  // namespace heed::runtime
