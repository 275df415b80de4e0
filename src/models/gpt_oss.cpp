// gpt-oss (arXiv:2508.10925): experts with biases, attention sinks, every other layer within a window.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec gpt_oss(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.biased = true;
  attention.sinks = true;
  nn::ExpertsSpec mixture = experts(h, false);
  mixture.gating = nn::Gating::softmax_of_chosen;
  mixture.expert.activation = kernels::Activation::swiglu_oai;
  mixture.expert.biased = true;
  nn::LayerSpec layer = pre_norm_layer(attention, mixture);
  layer.sublayers[1].pre_norm = "post_attention_norm";
  nn::DecoderSpec spec = decoder(h, layer);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& local, std::size_t i) {
    if (i % 2 == 0) local.window = h.count("attention.sliding_window");
  });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
