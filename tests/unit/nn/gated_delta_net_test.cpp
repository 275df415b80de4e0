// The gated delta rule beside its formula.
#include "nn/gated_delta_net.hpp"

#include <catch2/catch_test_macros.hpp>

#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

nn::GatedDeltaNetSpec small_net() {
  return {.taps = 4, .key_heads = 2, .heads = 4, .key_dim = 6, .value_dim = 10, .norm = {.epsilon = 1e-6f}};
}

nn::DecoderSpec decoder(const nn::GatedDeltaNetSpec& net) { return pre_norm_decoder(net, nn::MlpSpec{.feed_forward = 36}); }

}  // namespace

TEST_CASE("the gated delta rule, for heads of any size and number", "[nn][recurrent]") {
  for (const std::size_t key_dim : {1u, 6u, 16u, 40u})
    for (const std::size_t value_dim : {1u, 10u, 16u, 37u})
      for (const std::size_t shared : {1u, 3u}) {
        INFO(key_dim << " x " << value_dim << ", " << shared << " heads share a key");
        nn::GatedDeltaNetSpec net = small_net();
        net.key_dim = key_dim;
        net.value_dim = value_dim;
        net.heads = shared * net.key_heads;
        const nn::DecoderSpec spec = decoder(net);
        const Tensors tensors = random_weights(spec);
        check_close(decoder_logits(spec, tensors, kTokens), naive::logits(spec, tensors, kTokens));
      }
}

TEST_CASE("the gated delta rule gives the same bits in any batches, and beside other texts", "[nn][recurrent]") {
  for (const bool tiled : {false, true})
    for (const bool fused : {false, true}) {
      INFO("tiled " << tiled << ", fused " << fused);
      nn::GatedDeltaNetSpec net = small_net();
      net.tiled = tiled;
      check_decoder(decoder(net), {.fused = fused});
    }
}

TEST_CASE("a convolution before a state may be of any length", "[nn][recurrent]") {
  for (const std::size_t taps : {1u, 2u, 25u}) {
    INFO(taps << " taps");
    nn::GatedDeltaNetSpec net = small_net();
    net.taps = taps;
    check_decoder(decoder(net));
  }
}

TEST_CASE("states and attention may take turns", "[nn][recurrent]") {
  nn::DecoderSpec spec = llama_like();
  spec.stack.layers.push_back(decoder(small_net()).stack.layers[0]);
  spec.stack.layers.insert(spec.stack.layers.begin(), decoder(small_net()).stack.layers[0]);
  check_decoder(spec);
}

TEST_CASE("a state goes back to where it is remembered", "[nn][recurrent]") {
  nn::DecoderSpec spec = decoder(small_net());
  spec.embedding.context_length = 700;
  const Tensors tensors = random_weights(spec);
  const std::vector<int> tokens = many_tokens(600);
  for (const std::size_t batch : {1u, 128u}) {
    TinyDecoder decoder(spec, tensors, {.batch = batch});
    const std::vector<float> logits = decoder.read(tokens);
    REQUIRE(decoder.cut(500) == kernels::kAttentionChunk);
    const std::vector<float> again = decoder.read(std::span(tokens).subspan(kernels::kAttentionChunk));
    CHECK(again == std::vector<float>(logits.end() - static_cast<std::ptrdiff_t>(again.size()), logits.end()));
    CHECK(decoder.cut(100) == 0);
    CHECK(decoder.read(tokens) == logits);
  }
}
