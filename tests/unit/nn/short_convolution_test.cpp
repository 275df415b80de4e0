// The gated short convolution beside its formula.
#include "nn/short_convolution.hpp"

#include <catch2/catch_test_macros.hpp>

#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

nn::DecoderSpec convolving(std::size_t taps) {
  return pre_norm_decoder(nn::ShortConvolutionSpec{taps}, nn::MlpSpec{.feed_forward = 36});
}

}  // namespace

TEST_CASE("a short convolution sees its taps, and nothing before the beginning", "[nn][convolution]") {
  for (const std::size_t taps : {1u, 2u, 3u, 4u, 19u, 25u, 64u}) {
    INFO(taps << " taps");
    check_decoder(convolving(taps));
  }
}

TEST_CASE("convolutions and attention may take turns", "[nn][convolution]") {
  nn::DecoderSpec spec = llama_like();
  spec.stack.layers.push_back(convolving(3).stack.layers[0]);
  spec.stack.layers.insert(spec.stack.layers.begin(), convolving(4).stack.layers[0]);
  check_decoder(spec);
}

TEST_CASE("a convolution goes back to where its inputs are remembered", "[nn][convolution]") {
  nn::DecoderSpec spec = convolving(3);
  spec.embedding.context_length = 1100;
  const Tensors tensors = random_weights(spec);
  std::vector<int> tokens = many_tokens(1000);
  for (const std::size_t batch : {1u, 128u}) {
    TinyDecoder decoder(spec, tensors, {.batch = batch});
    const std::vector<float> logits = decoder.read(tokens);
    check_close(logits, naive::logits(spec, tensors, tokens));
    REQUIRE(decoder.cut(700) == 2 * kernels::kAttentionChunk);
    const std::vector<float> again = decoder.read(std::span(tokens).subspan(2 * kernels::kAttentionChunk));
    const bool same = again == std::vector<float>(logits.end() - static_cast<std::ptrdiff_t>(again.size()), logits.end());
    CHECK(same);
    CHECK(decoder.cut(100) == 0);
  }
}
