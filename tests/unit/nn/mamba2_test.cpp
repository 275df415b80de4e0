// Mamba 2 beside its formula.
#include "nn/mamba2.hpp"

#include <catch2/catch_test_macros.hpp>

#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

nn::Mamba2Spec small_mamba() { return {.taps = 4, .heads = 4, .head_dim = 6, .groups = 2, .state = 5, .norm = {}}; }

nn::DecoderSpec decoder(const nn::Mamba2Spec& mamba) { return pre_norm_decoder(mamba, nn::MlpSpec{.feed_forward = 36}); }

}  // namespace

TEST_CASE("Mamba 2, for heads of any size and number", "[nn][recurrent]") {
  for (const std::size_t head_dim : {1u, 6u, 16u, 37u})
    for (const std::size_t state : {1u, 5u, 40u})
      for (const std::size_t groups : {1u, 2u, 4u}) {
        INFO(state << " x " << head_dim << ", " << groups << " groups");
        nn::Mamba2Spec mamba = small_mamba();
        mamba.head_dim = head_dim;
        mamba.state = state;
        mamba.groups = groups;
        const nn::DecoderSpec spec = decoder(mamba);
        const Tensors tensors = random_weights(spec);
        check_close(decoder_logits(spec, tensors, kTokens), naive::logits(spec, tensors, kTokens));
      }
}

TEST_CASE("Mamba 2 gives the same bits in any batches, and beside other texts", "[nn][recurrent]") {
  for (const bool state_norm : {false, true})
    for (const bool conv_bias : {false, true}) {
      INFO("norm " << state_norm << ", bias " << conv_bias);
      check_decoder(decoder(small_mamba()), {.conv_bias = conv_bias, .state_norm = state_norm});
    }
}

TEST_CASE("a state and attention may read the same input", "[nn][recurrent]") {
  nn::DecoderSpec spec = decoder(small_mamba());
  for (const std::size_t feed_forward : {36u, 800u}) {  // the latter needs more memory than anything before it
    const nn::MlpSpec mlp{.feed_forward = feed_forward};
    for (nn::LayerSpec& layer : spec.stack.layers)
      layer = {.sublayers = {{.pre_norm = "attn_norm", .block = small_mamba()},
                             {.pre_norm = "attn_norm", .block = rotary_attention()},
                             {.pre_norm = "ffn_norm", .block = mlp}},
               .parallel = true,
               .serial_last = true};
    check_decoder(spec);
  }
  nn::DecoderSpec all_parallel = spec;
  for (nn::LayerSpec& layer : all_parallel.stack.layers) layer.serial_last = false;
  check_decoder(all_parallel);
  const Tensors tensors = random_weights(spec);
  CHECK(decoder_logits(spec, tensors, kTokens) != decoder_logits(all_parallel, tensors, kTokens));
}
