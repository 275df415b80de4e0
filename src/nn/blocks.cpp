#include "nn/blocks.hpp"

#include <algorithm>
#include <type_traits>

#include "nn/attention.hpp"
#include "nn/experts.hpp"
#include "nn/gated_delta_net.hpp"
#include "nn/kimi_delta.hpp"
#include "nn/latent_attention.hpp"
#include "nn/laurel.hpp"
#include "nn/mamba.hpp"
#include "nn/mamba2.hpp"
#include "nn/matrix_block.hpp"
#include "nn/mlp.hpp"
#include "nn/per_layer_input.hpp"
#include "nn/rwkv.hpp"
#include "nn/short_convolution.hpp"

namespace heed::nn {
namespace {

/// The class of a spec's block: constructed from the spec, D, the layer's name, the rope if the spec has one, and the weights.
template <class Spec>
struct BlockOf;
template <>
struct BlockOf<AttentionSpec> : std::type_identity<Attention> {};
template <>
struct BlockOf<LatentAttentionSpec> : std::type_identity<LatentAttention> {};
template <>
struct BlockOf<ShortConvolutionSpec> : std::type_identity<ShortConvolution> {};
template <>
struct BlockOf<GatedDeltaNetSpec> : std::type_identity<GatedDeltaNet> {};
template <>
struct BlockOf<Mamba2Spec> : std::type_identity<Mamba2> {};
template <>
struct BlockOf<MlpSpec> : std::type_identity<Mlp> {};
template <>
struct BlockOf<ExpertsSpec> : std::type_identity<Experts> {};
template <>
struct BlockOf<PerLayerInputSpec> : std::type_identity<PerLayerInput> {};
template <>
struct BlockOf<LaurelSpec> : std::type_identity<Laurel> {};
template <>
struct BlockOf<MatrixSpec> : std::type_identity<MatrixBlock> {};
template <>
struct BlockOf<MambaSpec> : std::type_identity<Mamba> {};
template <>
struct BlockOf<RwkvTimeMixSpec> : std::type_identity<RwkvTimeMix> {};
template <>
struct BlockOf<RwkvChannelMixSpec> : std::type_identity<RwkvChannelMix> {};
template <>
struct BlockOf<KimiDeltaSpec> : std::type_identity<KimiDelta> {};

const Rope& find_rope(const RopeSpec& spec, const std::vector<Rope>& ropes) {
  return *std::find_if(ropes.begin(), ropes.end(), [&](const Rope& rope) { return rope.spec() == spec; });
}

}  // namespace

std::unique_ptr<Block> make_block(const BlockSpec& spec, std::size_t width, const std::string& name, const std::vector<Rope>& ropes,
                                  Weights& weights) {
  const RopeSpec* const rope = block_traits(spec, width).rope;
  return std::visit(
      [&]<class Spec>(const Spec& s) -> std::unique_ptr<Block> {
        using Made = typename BlockOf<Spec>::type;
        if constexpr (requires { s.rope; })
          return std::make_unique<Made>(s, width, name, rope ? &find_rope(*rope, ropes) : nullptr, weights);
        else return std::make_unique<Made>(s, width, name, weights);
      },
      spec);
}

ScratchNeed block_need(const BlockSpec& spec, const PassLimits& limits) {
  return std::visit([&]<class Spec>(const Spec& s) { return BlockOf<Spec>::type::need(s, limits); }, spec);
}

BlockTraits block_traits(const BlockSpec& spec, std::size_t width) {
  return std::visit([&]<class Spec>(const Spec& s) { return BlockOf<Spec>::type::traits(s, width); }, spec);
}

}  // namespace heed::nn
