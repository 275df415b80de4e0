// What families have in common: the parts of a spec as files describe them, and how parts make a stack.
#pragma once

#include "models/hyperparameters.hpp"
#include "nn/spec.hpp"

namespace heed::models {

using nn::ModelSpec;

nn::NormSpec rms_norm(const Hyperparameters& h);
nn::NormSpec layer_norm(const Hyperparameters& h);

/// block_count, or that of another stack. Throws invalid_file for one that is 0 or unbelievable.
std::size_t layer_count(const Hyperparameters& h, std::string_view key = "block_count");
/// Of each layer: an array, one number for all, or as many as there are heads.
std::vector<std::size_t> kv_heads(const Hyperparameters& h);

/// Heads, of the first layer, and their sizes; no positions.
nn::AttentionSpec attention(const Hyperparameters& h);
/// And RoPE, as the rope.* keys have it. Throws unsupported for a scaling type that Heed does not have.
nn::AttentionSpec rotary_attention(const Hyperparameters& h, nn::RopePairing pairing);
nn::RopeSpec rope_spec(const Hyperparameters& h, nn::RopePairing pairing, std::size_t head_dim);
/// Of a model that places pictures on several axes, each of which turns a section of the pairs: texts have one place on all
/// axes, which makes it plain RoPE. Throws invalid_file unless the sections are all pairs.
void check_rope_sections(const Hyperparameters& h, const nn::RopeSpec& rope);

/// down(silu(gate) * up), or with another activation.
nn::MlpSpec gated_mlp(const Hyperparameters& h, kernels::Activation activation = kernels::Activation::silu);
/// down(gelu(up)) with biases, or with another activation.
nn::MlpSpec plain_mlp(const Hyperparameters& h, kernels::Activation activation = kernels::Activation::gelu_tanh,
                      bool biased = true);
/// As the expert_* keys have it; `normalised` where the file is silent.
nn::ExpertsSpec experts(const Hyperparameters& h, bool normalised);
/// Of a file that has experts or not.
bool has_experts(const Hyperparameters& h);

/// As the ssm.* keys have them.
nn::GatedDeltaNetSpec gated_delta_net(const Hyperparameters& h);
nn::Mamba2Spec mamba2_mix(const Hyperparameters& h);

/// x += mix(norm(x)), for attention and then for the MLP.
nn::LayerSpec pre_norm_layer(nn::SublayerSpec::Mix attention, nn::SublayerSpec::Mix mlp);
/// The same with both reading one norm of what the layer was given.
nn::LayerSpec parallel_layer(nn::SublayerSpec::Mix attention, nn::SublayerSpec::Mix mlp);
/// x += norm(mix(norm(x)))
nn::LayerSpec sandwich_layer(nn::SublayerSpec::Mix attention, nn::SublayerSpec::Mix mlp);

/// x += norm(mix(x))
nn::LayerSpec post_norm_layer(nn::SublayerSpec::Mix attention, nn::SublayerSpec::Mix mlp);

/// What the file asks for: pooling_type. Throws unsupported for one that Heed does not have.
nn::Pooling pooling(const Hyperparameters& h);

nn::EmbeddingSpec embedding(const Hyperparameters& h);
/// block_count layers like this one, each with kv heads of its own.
nn::DecoderSpec decoder(const Hyperparameters& h, const nn::NormSpec& norm, const nn::LayerSpec& layer);
inline ModelSpec decoder_only(nn::DecoderSpec spec) { return {.encoder = {}, .decoder = std::move(spec)}; }

/// Calls change(attention, layer) for the self-attention of each layer that has it.
template <class F>
void for_each_attention(nn::StackSpec& stack, F change) {
  for (std::size_t i = 0; i < stack.layers.size(); ++i)
    for (nn::SublayerSpec& sublayer : stack.layers[i].sublayers)
      if (auto* spec = std::get_if<nn::AttentionSpec>(&sublayer.mix); spec && !spec->cross) change(*spec, i);
}

/// Whether layer i is the last of its group of `period`.
constexpr bool ends_group(std::size_t i, std::size_t period) noexcept { return (i + 1) % period == 0; }

}  // namespace heed::models
