// The feed-forward block with every activation, with and without a gate, in every form that files have.
#include "nn/mlp.hpp"

#include <catch2/catch_test_macros.hpp>

#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;
using kernels::Activation;

namespace {

nn::DecoderSpec with_mlp(const nn::MlpSpec& mlp) { return pre_norm_decoder(rotary_attention(), mlp); }

}  // namespace

TEST_CASE("an MLP computes what its paper says with every activation", "[nn][mlp]") {
  for (const auto activation : {Activation::relu, Activation::relu_squared, Activation::silu, Activation::gelu,
                                Activation::gelu_tanh, Activation::gelu_quick, Activation::swiglu_oai})
    for (const bool gated : {false, true})
      for (const bool biased : {false, true}) {
        if (activation == Activation::swiglu_oai && !gated) continue;  // it always has a gate
        INFO("activation " << static_cast<int>(activation) << ", gated " << gated << ", biased " << biased);
        check_decoder(with_mlp({.feed_forward = 36, .activation = activation, .gated = gated, .biased = biased}));
      }
}

TEST_CASE("gate and up may be one matrix, the gate first", "[nn][mlp]") {
  check_decoder(with_mlp({.feed_forward = 36}), {.fused_gate = true});
  check_decoder(with_mlp({.feed_forward = 36, .biased = true}), {.fused_gate = true});
}

TEST_CASE("xIELU has numbers of its own in each layer", "[nn][mlp]") {
  nn::DecoderSpec spec = with_mlp({.feed_forward = 36, .gated = false});
  kernels::Xielu xielu{.positive = 0.9f, .negative = 1.3f, .linear = 0.5f};
  change_each<nn::MlpSpec>(spec.stack, [&](nn::MlpSpec& mlp) {
    mlp.xielu = xielu;
    xielu.positive *= 0.3f;
    xielu.negative *= 2;
  });
  check_decoder(spec);
}

TEST_CASE("a file without a gate may have another activation", "[nn][mlp]") {
  const nn::MlpSpec either{.feed_forward = 36,
                           .activation = Activation::gelu_tanh,
                           .gated = true,
                           .without_gate = Activation::relu};
  for (const bool gates : {false, true}) check_decoder(with_mlp(either), {.gates = gates});
}

TEST_CASE("gates below their mean and some deviations are cut off", "[nn][mlp]") {
  for (const float cutoff : {-1.0f, 0.0f, 0.7f, 1.6448533535f})
    for (const std::size_t width : {1u, 36u}) {
      INFO("cutoff " << cutoff << ", width " << width);
      nn::MlpSpec spec{.feed_forward = width, .activation = kernels::Activation::gelu_tanh};
      spec.cutoff = cutoff;
      check_decoder(pre_norm_decoder(rotary_attention(), spec));
      check_decoder(pre_norm_decoder(rotary_attention(), spec), {.fused_gate = true});
    }
}
