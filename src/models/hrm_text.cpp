// HRM-Text: a hierarchical reasoning model (arXiv:2506.21734). Two stacks run in turns, the low one several times for each turn of the
// high one; each turn has keys and values of its own. Norms have no weights, heads have gates.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec hrm_text(const Hyperparameters& h) {
  nn::NormSpec norm = rms_norm(h);
  norm.weighted = false;
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.gated = attention.own_gate = true;
  nn::DecoderSpec spec = decoder(h, norm, pre_norm_layer(attention, gated_mlp(h)));
  spec.embedding.scale = h.number("embedding_scale", 1.0f);
  spec.stack.final_norm = {};
  const std::size_t count = h.count("hrm.layers_per_stack"), high = h.count("hrm.h_cycles"), low = h.count("hrm.l_cycles");
  std::vector<nn::LayerSpec>& layers = spec.stack.layers;
  if (count == 0 || count > 1024 || high == 0 || high > 1024 || low > 1024 || layers.size() != count * high * (low + 1))
    throw Error(ErrorCode::invalid_file, "must be the product of hrm.layers_per_stack, hrm.h_cycles and hrm.l_cycles + 1",
                h.full("block_count"));
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool of_high = i / count % (low + 1) == low;
    layers[i].block = (of_high ? count : 0) + i % count;
    layers[i].begins_turn = i % count == 0;
    if (!ends_group(i, count)) continue;
    layers[i].turn_norm = "output_norm";
    layers[i].ends_turn = of_high ? nn::Turn::high : nn::Turn::low;
  }
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
