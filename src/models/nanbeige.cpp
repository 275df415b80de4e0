// Nanbeige: LLaMA whose layers run several times, each time with separate keys and values (arXiv:1807.03819).
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec nanbeige(const Hyperparameters& h) {
  ModelSpec spec = llama(h);
  std::vector<nn::LayerSpec>& layers = spec.decoder->stack.layers;
  const std::size_t count = layers.size(), turns = h.count("num_loops", 1);
  if (turns == 0 || turns > 16) throw Error(ErrorCode::invalid_file, "must be from 1 to 16", h.full("num_loops"));
  const bool normed = !h.flag("skip_loop_final_norm", false);
  for (std::size_t i = 0; i < count; ++i) layers[i].block = i;
  for (std::size_t i = count; i < count * turns; ++i) layers.push_back(nn::LayerSpec(layers[i - count]));
  for (std::size_t i = count; normed && i < layers.size(); i += count) layers[i - 1].turn_norm = spec.decoder->stack.final_norm;
  return spec;
}

}  // namespace heed::models
