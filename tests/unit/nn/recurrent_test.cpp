// Mamba, RWKV, Kimi Delta Attention, and layers that run in turns, against their formulas in double.
#include <catch2/catch_test_macros.hpp>

#include "unit/nn/check_decoder.hpp"
#include "unit/nn/specs.hpp"

using namespace heed;
using namespace heed::test;

namespace {

nn::DecoderSpec of_block(const nn::BlockSpec& block) { return pre_norm_decoder(block, nn::MlpSpec{.feed_forward = 36}, 3); }

nn::DecoderSpec rwkv(int version, std::size_t head_dim, std::size_t gate_rank) {
  const nn::RwkvTimeMixSpec mix{.version = version,
                                .head_dim = head_dim,
                                .mix_rank = 5,
                                .decay_rank = 6,
                                .rate_rank = 4,
                                .value_rank = 3,
                                .gate_rank = gate_rank,
                                .state_offset = 24};
  nn::DecoderSpec spec = pre_norm_decoder(mix, nn::RwkvChannelMixSpec{.feed_forward = 36, .receptance = version == 6}, 3);
  std::get<nn::RwkvTimeMixSpec>(spec.stack.layers[0].sublayers[0].block).first = true;
  spec.stack.norm.kind = nn::NormKind::layer;
  return spec;
}

}  // namespace

TEST_CASE("Mamba computes what its paper says", "[nn]") {
  nn::MambaSpec spec{.taps = 4, .heads = 20, .state = 6, .rank = 5};
  SECTION("plain") { check_decoder(of_block(spec), {.state_norm = false}); }
  SECTION("without a bias of the convolution") { check_decoder(of_block(spec), {.conv_bias = false, .state_norm = false}); }
  SECTION("with norms") { check_decoder(of_block(spec)); }
  SECTION("with norms without weights") {
    spec.normed = true;
    check_decoder(of_block(spec));
  }
  SECTION("by heads") {
    spec.heads = 4;
    spec.head_dim = 5;
    spec.one_rate = spec.by_head = true;
    check_decoder(of_block(spec));
  }
}

TEST_CASE("RWKV computes what its papers say", "[nn]") {
  for (const std::size_t dim : {4u, 12u, 24u}) {
    check_decoder(rwkv(6, dim, 0));
    check_decoder(rwkv(7, dim, 5));
  }
  check_decoder(rwkv(7, 8, 0));
}

TEST_CASE("Kimi Delta Attention computes what its paper says", "[nn]") {
  for (const std::size_t dim : {5u, 8u}) check_decoder(of_block(nn::KimiDeltaSpec{.taps = 4, .heads = 3, .dim = dim}));
}

TEST_CASE("latent attention without positions", "[nn]") {
  for (const bool absorbed : {false, true}) {
    const nn::LatentAttentionSpec latent{.heads = 3,
                                         .latent_dim = 10,
                                         .plain_dim = 6,
                                         .value_dim = 5,
                                         .scale = 0.3f,
                                         .rope = {.dims = 4},
                                         .rotates = false,
                                         .absorbed = absorbed};
    check_decoder(of_block(latent));
  }
}

TEST_CASE("layers run in turns over two streams", "[nn]") {
  nn::DecoderSpec spec = llama_like();
  spec.stack.norm.weighted = false;
  spec.stack.final_norm = {};
  const std::vector<nn::LayerSpec> two = spec.stack.layers;
  spec.stack.layers.clear();
  for (const std::size_t block : {0u, 0u, 1u, 0u, 0u, 1u}) {
    nn::LayerSpec layer = two[block];
    layer.block = block;
    layer.begins_turn = true;
    layer.ends_turn = block == 0 ? nn::Turn::low : nn::Turn::high;
    layer.turn_norm = "output_norm";
    spec.stack.layers.push_back(layer);
  }
  check_decoder(spec);
}

TEST_CASE("values of attention from experts", "[nn]") {
  nn::DecoderSpec spec = llama_like();
  for (const bool gated : {false, true})
    for (const auto gating : {nn::Gating::softmax, nn::Gating::sigmoid}) {
      change_attention(spec, [&](nn::AttentionSpec& attention) {
        attention.value_experts = nn::ValueExpertsSpec{.count = 5, .used = 2, .gating = gating, .scale = 1.5f};
        attention.gated = attention.own_gate = gated;
      });
      check_decoder(spec);
    }
}
