// The original Transformer (arXiv:1706.03762): encoder and decoder with sinusoidal positions, norms after each sum, ReLU.
// Architecture "transformer"; tensors have the names of T5's, plus attn_output_norm, cross_attn_output_norm and layer_output_norm
// for the norms of a layer.
#include <cmath>

#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::AttentionSpec biased_attention(const Hyperparameters& h, nn::Mask mask) {
  nn::AttentionSpec spec = attention(h);
  spec.mask = mask;
  spec.output = "o";
  return spec;
}

void set_up(nn::EmbeddingSpec& embedding, nn::StackSpec& stack, std::string_view prefix) {
  embedding.positions = nn::Positions::sinusoidal;
  embedding.scale = std::sqrt(static_cast<float>(embedding.width));
  stack.prefix = prefix;
  stack.final_norm = {};
}

}  // namespace

ModelSpec transformer(const Hyperparameters& h) {
  const auto mlp = plain_mlp(h, kernels::Activation::relu);
  const nn::SublayerSpec last{.residual_norm = "layer_output_norm", .block = mlp};
  const nn::LayerSpec encoding{
      .sublayers = {{.residual_norm = "attn_output_norm", .block = biased_attention(h, nn::Mask::none)}, last}};
  nn::AttentionSpec cross = biased_attention(h, nn::Mask::none);
  cross.cross = true;
  cross.name = "cross_attn";
  const nn::LayerSpec decoding{.sublayers = {{.residual_norm = "attn_output_norm", .block = biased_attention(h, nn::Mask::causal)},
                                             {.residual_norm = "cross_attn_output_norm", .block = cross},
                                             last}};

  nn::DecoderSpec encoder = decoder(h, layer_norm(h), encoding);
  set_up(encoder.embedding, encoder.stack, "enc.");
  ModelSpec spec{.encoder = nn::EncoderSpec{.embedding = encoder.embedding, .stack = encoder.stack, .pooling = nn::Pooling::mean}};
  spec.decoder = decoder(h, layer_norm(h), decoding);
  set_up(spec.decoder->embedding, spec.decoder->stack, "dec.");
  spec.decoder_start = static_cast<std::int32_t>(h.count("decoder_start_token_id", 0));
  return spec;
}

}  // namespace heed::models
