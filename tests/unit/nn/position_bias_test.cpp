// Biases by distance: ALiBi's slopes, T5's buckets, and decoders that have them.
#include "nn/position_bias.hpp"

#include <catch2/catch_test_macros.hpp>

#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

nn::DecoderSpec biased(std::size_t heads, const nn::PositionBiasSpec& bias) {
  nn::DecoderSpec spec = llama_like();
  spec.stack.bias = bias;
  change_attention(spec, [&](nn::AttentionSpec& s) {
    s.heads = heads;
    s.kv_heads = heads % 2 == 0 ? heads / 2 : heads;
    s.rope.reset();
  });
  return spec;
}

}  // namespace

TEST_CASE("ALiBi falls with the distance, for any number of heads", "[nn][bias]") {
  for (const std::size_t heads : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 12u}) {
    INFO(heads << " heads");
    check_decoder(biased(heads, {.kind = nn::PositionBiasKind::linear, .steepest = 8}));
  }
  check_decoder(biased(4, {.kind = nn::PositionBiasKind::linear, .steepest = 4}));
}

TEST_CASE("ALiBi's slopes for 8 heads are the paper's", "[nn][bias]") {
  for (std::size_t h = 0; h < 8; ++h) CHECK(naive::slope(8, h, 8) == std::pow(0.5, static_cast<double>(h + 1)));
  CHECK(std::abs(naive::slope(12, 8, 8) - std::pow(0.5, 0.5)) < 1e-15);  // the paper's code for 12 heads
}

TEST_CASE("T5's buckets are those of its code", "[nn][bias]") {
  // both sides, 32 buckets: own position, 1 to 7 exactly, then 8, 12, 16, 23, 32, 46, 64, 91 and beyond
  const nn::PositionBiasSpec spec{.kind = nn::PositionBiasKind::relative, .buckets = 32, .furthest = 128};
  const std::pair<std::ptrdiff_t, std::size_t> both[] = {{0, 0},    {-1, 1},    {-7, 7},     {-8, 8},   {-11, 8},  {-12, 9},
                                                         {-15, 9},  {-16, 10},  {-31, 11},   {-32, 12}, {-64, 14}, {-90, 14},
                                                         {-91, 15}, {-128, 15}, {-9999, 15}, {1, 17},   {7, 23},   {8, 24},
                                                         {16, 26},  {128, 31},  {9999, 31}};
  for (const auto& [distance, bucket] : both) {
    INFO("distance " << distance);
    CHECK(nn::relative_bucket(distance, spec, nn::Mask::none) == bucket);
  }
  const std::pair<std::ptrdiff_t, std::size_t> before[] = {{0, 0},     {-15, 15},  {-16, 16},   {-18, 16}, {-19, 17},
                                                           {-127, 31}, {-128, 31}, {-9999, 31}, {1, 0},    {9999, 0}};
  for (const auto& [distance, bucket] : before) {
    INFO("distance " << distance);
    CHECK(nn::relative_bucket(distance, spec, nn::Mask::causal) == bucket);
  }
}

TEST_CASE("buckets of any number are spread over the logarithm of the distance", "[nn][bias]") {
  for (const std::size_t buckets : {4u, 5u, 8u, 31u, 32u, 64u})
    for (const std::size_t furthest : {65u, 128u, 1000u})
      for (const nn::Mask mask : {nn::Mask::causal, nn::Mask::none})
        for (std::ptrdiff_t distance = -1100; distance <= 1100; ++distance) {
          const nn::PositionBiasSpec spec{nn::PositionBiasKind::relative, 8, buckets, furthest};
          const std::size_t got = nn::relative_bucket(distance, spec, mask);
          const std::size_t expected = naive::bucket(distance, buckets, furthest, mask == nn::Mask::none);
          if (got == expected) continue;
          INFO(buckets << " buckets up to " << furthest << ", distance " << distance);
          CHECK(got == expected);
        }
}

TEST_CASE("a bucket's number is added to the scores", "[nn][bias]") {
  for (const std::size_t buckets : {4u, 8u, 32u})
    check_decoder(biased(3, {.kind = nn::PositionBiasKind::relative, .buckets = buckets, .furthest = 12}));
}

TEST_CASE("biases of contexts of many chunks are right", "[nn][bias]") {
  nn::DecoderSpec spec = biased(2, {.kind = nn::PositionBiasKind::linear, .steepest = 8});
  spec.embedding.context_length = 2 * kernels::kAttentionChunk + 40;
  spec.stack.layers.resize(1);
  check_decoder(spec, random_weights(spec), many_tokens(spec.embedding.context_length));
}
