// EXAONE's mixtures of experts (K-EXAONE): positions only in layers with a window. registry.cpp maps EXAONE 3 to Qwen 2.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec exaone_moe(const Hyperparameters& h) {
  const auto attention = normed_attention(h, nn::RopePairing::halves);
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(attention, experts_and_shared(h, false)));
  make_first_dense(spec.stack, h);
  leave_out_drafts(spec.stack, h);
  const std::vector<bool> local = local_layers(h, 4);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t layer) {
    if (local[layer]) set_window(of_layer, h);
    else of_layer.rope.reset();
  });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
