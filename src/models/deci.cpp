// DeciLM and Llama-Nemotron (arXiv:2411.19146): LLaMA with layers that a search has simplified one by one. A layer may have a
// different number of heads, only a matrix or nothing in place of attention, or be left out.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec deci(const Hyperparameters& h) {
  nn::DecoderSpec spec = decoder(h, llama(h).decoder->stack.layers[0]);
  std::vector<nn::LayerSpec>& layers = spec.stack.layers;
  const auto heads = query_heads(h), kv = kv_heads(h), widths = h.counts("feed_forward_length", layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    nn::Sublayers& sublayers = layers[i].sublayers;
    if (widths[i] == 0) sublayers = {};
    else if (heads[i] == 0) sublayers = {sublayers[1]};
    else if (kv[i] == 0) sublayers[0].block = nn::MatrixSpec{};
  }
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
