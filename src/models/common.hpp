// Helpers for families: build the parts of a spec from metadata, and stacks from parts.
#pragma once

#include "models/hyperparameters.hpp"
#include "nn/spec.hpp"

namespace heed::models {

using nn::ModelSpec;

nn::NormSpec rms_norm(const Hyperparameters& h);
nn::NormSpec layer_norm(const Hyperparameters& h);

/// The value of block_count, or of another stack's key. Throws invalid_file if it is 0 or implausibly large.
std::size_t layer_count(const Hyperparameters& h, std::string_view key = "block_count");
/// The heads of each layer: from an array, or one number for all layers.
std::vector<std::size_t> query_heads(const Hyperparameters& h);
/// The kv heads of each layer: from an array, one number for all layers, or the number of heads.
std::vector<std::size_t> kv_heads(const Hyperparameters& h);

/// The layers with a sliding window: as attention.sliding_window_pattern says, by default all but the last (or the first) of each
/// `period`.
enum class Global : std::uint8_t { last, first };
std::vector<bool> local_layers(const Hyperparameters& h, std::size_t period, Global global = Global::last);
/// Sets a layer's window, and its RoPE if the file has separate RoPE keys for layers with a window.
void set_window(nn::AttentionSpec& attention, const Hyperparameters& h);
/// Makes a layer local: sets its window, and its RoPE, which has its own base and no scaling (arXiv:2503.19786).
void make_local(nn::AttentionSpec& attention, const Hyperparameters& h);
/// Attention without position encoding, with the heads of the first layer.
nn::AttentionSpec attention(const Hyperparameters& h);
/// As rotary_attention(), with a norm of each head's queries and keys before RoPE, which most of the newer families have.
nn::AttentionSpec normed_attention(const Hyperparameters& h, nn::RopePairing pairing);
/// Latent attention, absorbed if the file has the keys for that.
nn::LatentAttentionSpec latent_attention(const Hyperparameters& h, nn::RopePairing pairing);
/// Attention with RoPE from the rope.* keys. Throws unsupported for an unknown scaling type.
nn::AttentionSpec rotary_attention(const Hyperparameters& h, nn::RopePairing pairing);
nn::RopeSpec rope_spec(const Hyperparameters& h, nn::RopePairing pairing, std::size_t head_dim);
/// Makes RoPE divide its frequencies by one of the file's two sets of factors. Some families have such factors without naming a
/// scaling type.
void set_longrope(nn::RopeSpec& rope, const Hyperparameters& h);
/// Sets the sections of RoPE, if the file has them: the positions of images have several axes, each of which rotates a section of
/// the pairs. A text has equal positions on all axes, that is, plain RoPE. Throws invalid_file unless the sections cover all pairs.
void set_rope_sections(nn::RopeSpec& rope, const Hyperparameters& h, nn::RopeAxes axes);

/// down(silu(gate) * up), or with another activation.
nn::MlpSpec gated_mlp(const Hyperparameters& h, kernels::Activation activation = kernels::Activation::silu);
/// down(gelu(up)) with biases, or with another activation.
nn::MlpSpec plain_mlp(const Hyperparameters& h, kernels::Activation activation = kernels::Activation::gelu_tanh,
                      bool biased = true);
/// The numbers of a key, one per layer; all 0 if the key is absent.
std::vector<float> numbers_of_layers(const Hyperparameters& h, std::string_view key);

/// Blocks described by the ssm.* keys.
nn::GatedDeltaNetSpec gated_delta_net(const Hyperparameters& h);
nn::Mamba2Spec mamba2_block(const Hyperparameters& h);
nn::MambaSpec mamba_block(const Hyperparameters& h);

/// x += block(norm(x)), for attention and then for the MLP.
nn::LayerSpec pre_norm_layer(nn::BlockSpec attention, nn::BlockSpec mlp);
/// As pre_norm_layer(), but both blocks read one norm of the layer's input.
nn::LayerSpec parallel_layer(nn::BlockSpec attention, nn::BlockSpec mlp);
/// x += norm(block(norm(x)))
nn::LayerSpec sandwich_layer(nn::BlockSpec attention, nn::BlockSpec mlp);

/// x += norm(block(x))
nn::LayerSpec post_norm_layer(nn::BlockSpec attention, nn::BlockSpec mlp);

nn::EmbeddingSpec embedding(const Hyperparameters& h);
/// A decoder of block_count layers like `layer`. The number of heads and the width of the MLP may differ between layers.
nn::DecoderSpec decoder(const Hyperparameters& h, const nn::NormSpec& norm, const nn::LayerSpec& layer);
/// As above, with RMSNorm.
nn::DecoderSpec decoder(const Hyperparameters& h, const nn::LayerSpec& layer);
inline ModelSpec decoder_only(nn::DecoderSpec spec) { return {.encoder = {}, .decoder = std::move(spec)}; }

/// Removes the last nextn_predict_layers layers, which predict further tokens. They are not read.
void leave_out_drafts(nn::StackSpec& stack, const Hyperparameters& h);
/// Makes the last nextn_predict_layers layers heads for drafts (nn::DraftSpec), which are read if they are asked for.
ModelSpec with_draft_heads(nn::DecoderSpec spec, const Hyperparameters& h, bool hands_normed);

/// An encoder with a decoder's embedding and stack, pooled as pooling_type says; for rerankers, as `ranked` says. Throws
/// unsupported for an unknown type.
nn::EncoderSpec encoder(const nn::DecoderSpec& parts, const Hyperparameters& h, nn::Pooling ranked = nn::Pooling::cls);
/// As encoder(), with attention in both directions.
ModelSpec encoder_only(nn::DecoderSpec parts, const Hyperparameters& h, nn::Pooling ranked = nn::Pooling::cls);
/// Converts a decoder to an encoder if the file specifies pooling or attention in both directions, in any family.
ModelSpec as_file_asks(ModelSpec spec, const Hyperparameters& h);

/// Calls change(to, attention, layer) for each layer with self-attention.
void for_each_attention(nn::StackSpec& stack, void (*change)(const void* to, nn::AttentionSpec&, std::size_t), const void* to);
/// Calls change(attention, layer) for each layer with self-attention. Uses the loop above, so that a family only adds the code of
/// its change.
template <class F>
void for_each_attention(nn::StackSpec& stack, const F& change) {
  for_each_attention(
      stack, [](const void* to, nn::AttentionSpec& spec, std::size_t layer) { (*static_cast<const F*>(to))(spec, layer); },
      &change);
}

/// The last block of a layer, such as its MLP.
inline nn::BlockSpec& last_block(nn::LayerSpec& layer) noexcept { return layer.sublayers[layer.sublayers.size() - 1].block; }

/// Whether layer i is the last of its group of `period`; false if `period` is 0.
constexpr bool ends_group(std::size_t i, std::size_t period) noexcept { return period != 0 && (i + 1) % period == 0; }

}  // namespace heed::models
