// SmallThinker (arXiv:2507.20984): experts are chosen before attention, so that they can be loaded from a slow disk meanwhile. If
// the file mentions a window, all layers but every fourth have it, and every fourth has no positions.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec smallthinker(const Hyperparameters& h) {
  constexpr std::size_t kWindow = 4096;  // fixed, whatever the file says, as in llama.cpp
  nn::ExpertsSpec mixture = experts(h, true);
  mixture.normalized = true;  // these two are fixed, whatever the file says
  mixture.scale = 1;
  mixture.expert.activation = kernels::Activation::relu;
  mixture.routed_early = true;
  const auto attention = rotary_attention(h, nn::RopePairing::halves);
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(attention, mixture));
  if (h.count("attention.sliding_window", 0) != 0)
    for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t layer) {
      if (layer % 4 == 0) of_layer.rope.reset();
      else of_layer.window = kWindow;
    });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
