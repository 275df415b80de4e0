#include "models/check.hpp"

namespace heed::models {
namespace {

/// An upper bound of the number of values in a block's recurrent state per sequence: with the most taps, and with rows padded as
/// kernels pad them.
struct StateBound {
  static constexpr std::uint64_t kTaps = 63, kPadding = 15;
  std::uint64_t width;

  std::uint64_t operator()(const nn::ShortConvolutionSpec&) const { return kTaps * width; }
  std::uint64_t operator()(const nn::GatedDeltaNetSpec& spec) const {
    return std::uint64_t{spec.heads} * (spec.key_dim + kTaps) * (spec.value_dim + kPadding) +
           2 * kTaps * spec.key_heads * spec.key_dim;
  }
  std::uint64_t operator()(const nn::Mamba2Spec& spec) const {
    return std::uint64_t{spec.heads} * (spec.state + kTaps) * (spec.head_dim + kPadding) + 2 * kTaps * spec.groups * spec.state;
  }
  // Blocks without a state.
  std::uint64_t operator()(const nn::AttentionSpec&) const { return 0; }
  std::uint64_t operator()(const nn::LatentAttentionSpec&) const { return 0; }
  std::uint64_t operator()(const nn::MlpSpec&) const { return 0; }
  std::uint64_t operator()(const nn::ExpertsSpec&) const { return 0; }
  std::uint64_t operator()(const nn::PerLayerInputSpec&) const { return 0; }
  std::uint64_t operator()(const nn::LaurelSpec&) const { return 0; }
  std::uint64_t operator()(const nn::MatrixSpec&) const { return 0; }
  std::uint64_t operator()(const nn::MambaSpec& spec) const {
    return std::uint64_t{spec.heads} * spec.head_dim * (spec.state + kTaps);
  }
  std::uint64_t operator()(const nn::RwkvTimeMixSpec& spec) const { return width * (1 + spec.head_dim); }
  std::uint64_t operator()(const nn::RwkvChannelMixSpec&) const { return width; }
  std::uint64_t operator()(const nn::KimiDeltaSpec& spec) const {
    return std::uint64_t{spec.heads} * spec.dim * (spec.dim + 3 * kTaps);
  }
};

/// A layer may share the keys and values of an earlier one, which must have its own, of the same shape and window.
void check_shared_keys(const nn::StackSpec& spec, const Check& check) {
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const nn::AttentionSpec* reader = nn::self_attention(spec.layers[i]);
    if (!reader || !reader->keys_of) continue;
    const nn::AttentionSpec* owner = *reader->keys_of < i ? nn::self_attention(spec.layers[*reader->keys_of]) : nullptr;
    check.require(owner && !owner->keys_of && owner->kv_heads == reader->kv_heads && owner->key_dim == reader->key_dim &&
                      owner->value_dim == reader->value_dim && owner->window == reader->window,
                  "attention.shared_kv_layers",
                  "lets layer " + std::to_string(i) + " share the keys and values of a layer whose heads or window differ");
  }
}

}  // namespace

void check_stack(const nn::StackSpec& spec, const Check& check) {
  check.within(spec.width, 1u << 17, "embedding_length");
  check.within(spec.layers.size(), 1024, "block_count");
  check.require(spec.norm.epsilon >= 0,
                spec.norm.kind == nn::NormKind::rms ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon",
                "must not be negative");
  check.require(spec.norm.groups > 0 && spec.width % spec.norm.groups == 0, "attention.group_norm_groups",
                "must divide embedding_length");
  if (spec.bias && spec.bias->kind == nn::PositionBiasKind::relative)
    check.require(spec.bias->buckets >= 4 && spec.bias->buckets <= 1024, "attention.relative_buckets_count",
                  "must be from 4 to 1024");
  check.require(spec.deep_rows <= spec.layers.size(), "n_deepstack_layers", "must be at most block_count");
  std::uint64_t state = 0;
  for (const nn::LayerSpec& layer : spec.layers)
    for (const nn::SublayerSpec& sublayer : layer.sublayers) {
      std::visit(check, sublayer.block);
      state += std::visit(StateBound{spec.width}, sublayer.block);
    }
  check.require(state <= 1u << 28, "block_count", "makes states larger than 268435456 numbers");
  check_shared_keys(spec, check);
  if (!spec.alt_up) return;
  check.require(spec.alt_up->streams >= 2 && spec.alt_up->streams <= nn::AltUpSpec::kMostStreams, "altup.num_inputs",
                "must be from 2 to " + std::to_string(nn::AltUpSpec::kMostStreams));
  if (spec.alt_up->others) std::visit(check, spec.alt_up->others->block);
}

}  // namespace heed::models
