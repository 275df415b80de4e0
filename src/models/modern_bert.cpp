// Encoders with the structure of newer decoders, pre-norm and RoPE: ModernBERT (arXiv:2412.13663), NeoBERT (arXiv:2502.19587) and
// EuroBERT (arXiv:2503.05500).
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

kernels::Activation activation(const Hyperparameters& h) {
  const std::string name = h.text("hidden_activation", "gelu");
  if (name == "gelu") return kernels::Activation::gelu;
  if (name == "silu") return kernels::Activation::silu;
  throw Error(ErrorCode::unsupported, "activation '" + name + "' is not supported; known: gelu, silu", h.full("hidden_activation"));
}

}  // namespace

/// The first of every three layers attends to the whole text; the others have a window and a RoPE of their own.
ModelSpec modern_bert(const Hyperparameters& h) {
  const auto attention = rotary_attention(h, nn::RopePairing::halves);
  nn::DecoderSpec parts = decoder(h, layer_norm(h), pre_norm_layer(attention, gated_mlp(h, activation(h))));
  parts.embedding.norm = "token_embd_norm";
  parts.stack.layers[0].sublayers[0].pre_norm = {};  // the norm of the embedding precedes it
  const std::size_t window = h.count("attention.sliding_window", 0), period = h.count("attention.sliding_window_pattern", 3);
  for_each_attention(parts.stack, [&](nn::AttentionSpec& local, std::size_t layer) {
    if (window == 0 || (period != 0 && layer % period == 0)) return;
    local.window = window;
    local.rope->theta = h.number("rope.freq_base_swa", local.rope->theta);
  });
  ModelSpec spec = encoder_only(std::move(parts), h, nn::Pooling::mean);
  spec.encoder->score_activation = kernels::Activation::gelu;
  return spec;
}

ModelSpec neo_bert(const Hyperparameters& h) {
  const auto attention = rotary_attention(h, nn::RopePairing::interleaved);
  nn::DecoderSpec parts = decoder(h, pre_norm_layer(attention, gated_mlp(h)));
  parts.stack.final_norm = "enc.output_norm";
  return encoder_only(std::move(parts), h);
}

ModelSpec eurobert(const Hyperparameters& h) {
  const auto attention = rotary_attention(h, nn::RopePairing::halves);
  return encoder_only(decoder(h, pre_norm_layer(attention, gated_mlp(h))), h);
}

}  // namespace heed::models
