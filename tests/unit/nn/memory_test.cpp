// Sizes of what a session holds, which are judged before anything is allocated.
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <map>
#include <new>

#include "nn/kv_cache.hpp"
#include "nn/scratch.hpp"
#include "unit/nn/tiny_decoder.hpp"

using namespace heed;

TEST_CASE("a KV cache takes keys, values and, for integers, their scales, in whole tiles", "[nn]") {
  const auto layers = nn::Stack::cache_layers(test::llama_like().stack);  // 2 layers, 2 kv heads of 10
  CHECK(kernels::padded(1) == 16);
  CHECK(kernels::padded(16) == 16);
  CHECK(kernels::padded(17) == 32);
  CHECK(nn::KvCache::bytes(layers, KvType::f32, 17, 1) == (2 * 2 * 32) * (10 + 16) * 4);
  CHECK(nn::KvCache::bytes(layers, KvType::f16, 17, 1) == (2 * 2 * 32) * (10 + 16) * 2);
  CHECK(nn::KvCache::bytes(layers, KvType::int16, 17, 1) == (2 * 2 * 32) * ((10 + 16) * 2 + 2 * 4));
  CHECK(nn::KvCache::bytes(layers, KvType::int8, 17, 1) == (2 * 2 * 32) * (10 + 16 + 2 * 4));
}

TEST_CASE("the heads of a KV cache do not overlap", "[nn]") {
  const auto layers = nn::Stack::cache_layers(test::llama_like().stack);
  for (const KvType type : {KvType::f32, KvType::f16, KvType::int16, KvType::int8}) {
    nn::KvCache cache(layers, type, 17, 1);
    CHECK(cache.positions() == 17);
    const std::size_t element = type == KvType::f32 ? 4 : type == KvType::int8 ? 1 : 2;
    std::map<const void*, std::size_t> taken;  // bytes from each address on
    for (std::size_t i = 0; i < 4; ++i) {
      const kernels::KvHead head = cache.head(i / 2, i % 2);
      CHECK(head.type == type);
      CHECK(head.key_dim == 10);
      CHECK(head.value_dim == 10);
      CHECK(head.places == 32);
      taken[head.data] = 32 * (10 + 16) * element;
      CHECK((head.key_scales == nullptr) != has_scales(type));
      if (has_scales(type)) taken[head.key_scales] = taken[head.value_scales] = 32 * sizeof(float);
    }
    CHECK(taken.size() == (has_scales(type) ? 12 : 4));
    for (auto it = taken.begin(), next = std::next(it); next != taken.end(); ++it, ++next)
      CHECK(static_cast<const std::byte*>(it->first) + it->second <= next->first);
  }
}

TEST_CASE("a layer that sees a window keeps a ring of whole chunks, one that sees all keeps all", "[nn]") {
  constexpr std::size_t kChunk = kernels::kAttentionChunk;
  const nn::CacheLayer all{.kv_heads = 1, .key_dim = 1, .value_dim = 1}, none{};
  const auto places = [](std::size_t window, std::size_t positions, std::size_t batch) {
    nn::CacheLayer layer{.kv_heads = 1, .key_dim = 1, .value_dim = 1, .window = window};
    return nn::KvCache({layer}, KvType::int8, positions, batch).head(0, 0).places;
  };
  CHECK(places(0, 10 * kChunk, 1) == 10 * kChunk);
  CHECK(places(1, 10 * kChunk, 1) == 2 * kChunk);
  CHECK(places(kChunk - 1, 10 * kChunk, 1) == 2 * kChunk);
  CHECK(places(kChunk, 10 * kChunk, 1) == 3 * kChunk);
  CHECK(places(100, 10 * kChunk, 128) == 2 * kChunk);
  CHECK(places(129, 10 * kChunk, 128) == 3 * kChunk);
  CHECK(places(129, kChunk - 7, 128) == kernels::padded(kChunk - 7));
  CHECK(places(1000 * kChunk, 2 * kChunk + 5, 128) == kernels::padded(2 * kChunk + 5));
  CHECK(nn::KvCache::bytes({all, none, all}, KvType::f32, 100, 1) == 2 * 112 * (2 + 16) * sizeof(float));
  CHECK(nn::KvCache::bytes({all, none, all}, KvType::f32, 100, 1, true) == 112 * (2 + 16) * sizeof(float));
}

TEST_CASE("one may go back as far as no window has lost what it would see", "[nn]") {
  constexpr std::size_t kRing = 2 * kernels::kAttentionChunk, kWindow = 9;
  const nn::CacheLayer all{.kv_heads = 1, .key_dim = 1, .value_dim = 1};
  nn::CacheLayer local = all;
  local.window = kWindow;
  nn::KvCache cache({all, local}, KvType::f32, 5000, 1);
  REQUIRE(cache.head(1, 0).places == kRing);
  for (std::size_t end = 1; end <= kRing; ++end) cache.wrote(end);
  CHECK(cache.keep(1) == 1);  // nothing is lost yet
  for (std::size_t end = 2; end <= 1000; ++end) cache.wrote(end);
  // positions from 1000 - kRing on are there, and the next token at `length` would see length - 8 ...
  CHECK(cache.keep(1000 - kRing + kWindow - 1) == 1000 - kRing + kWindow - 1);
  CHECK(cache.keep(1000 - kRing + kWindow - 2) == 0);
}

TEST_CASE("scratch takes the bytes that it says, and blocks share them", "[nn]") {
  for (const nn::DecoderSpec& spec : {test::llama_like(), test::gpt2_like()}) {
    const nn::ScratchNeed need = nn::Decoder::need(spec, {24, 7, 40, 3});
    const nn::ScratchNeed longer = nn::Decoder::need(spec, {24, 7, 40 * kernels::kAttentionChunk, 3});
    CHECK(need.columns == 40);  // of the output of 4 heads of 10
    CHECK(need.product_input == 7 * 40);
    CHECK(longer.bytes > need.bytes);
    CHECK(nn::Scratch::bytes(need, 3) == need.bytes +
                                             need.product_input / 32 * kernels::quantised_bytes(1, 32) +
                                             3 * kernels::matmul_scratch(40));
  }
  nn::ScratchNeed need = nn::ScratchNeed().take<float>(5);
  const std::uint64_t one = need.bytes;
  CHECK(one >= 5 * sizeof(float));
  CHECK(need.with(nn::ScratchNeed().take<float>(3)).bytes == 2 * one);
  CHECK(need.either(nn::ScratchNeed().take<float>(1)).bytes == 2 * one);
  nn::Scratch scratch(need, 1);
  float* first = nullptr;
  {
    const nn::Scratch::Scope scope(scratch);
    first = scratch.take<float>(5);
    CHECK(scratch.take<float>(3) >= first + 5);
  }
  CHECK(scratch.take<float>(1) == first);
}

TEST_CASE("sizes past 32 bits are counted, and refused where they do not fit", "[nn]") {
  // a hostile header within the registry's bounds: heads of almost nothing, and a huge context
  constexpr std::size_t kContext = std::size_t{1} << 26;
  nn::DecoderSpec spec = test::pre_norm_decoder(
      nn::AttentionSpec{.heads = 1024, .kv_heads = 1, .key_dim = 1, .value_dim = 1, .scale = 1},
      nn::MlpSpec{.feed_forward = 1}, 1024);
  const nn::ScratchNeed need = nn::Decoder::need(spec, {spec.stack.width, 1, kContext, 64});
  CHECK(nn::Scratch::bytes(need, 64) >
        std::uint64_t{kContext} / kernels::kAttentionChunk * 1024 * kernels::kTile * sizeof(float));
  const auto layers = nn::Stack::cache_layers(spec.stack);
  CHECK(nn::KvCache::bytes(layers, KvType::f32, kContext, 1) ==
        std::uint64_t{kContext} * 1024 * (2 + kernels::kTile) * sizeof(float));
  if constexpr (sizeof(void*) == 4) {
    CHECK_THROWS_AS(nn::Scratch(need, 64), std::bad_alloc);
    CHECK_THROWS_AS(nn::KvCache(layers, KvType::f32, kContext, 1), std::bad_alloc);
  }
}
