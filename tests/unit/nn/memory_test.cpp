// Sizes of what a session holds, which are judged before anything is allocated.
#include <catch2/catch_test_macros.hpp>
#include <new>

#include "nn/kv_cache.hpp"
#include "nn/pass.hpp"
#include "unit/nn/tiny_decoder.hpp"

using namespace heed;

TEST_CASE("a KV cache takes keys, values and, for integers, their scales, in whole tiles", "[nn]") {
  const nn::DecoderSpec spec = test::llama_like();  // 2 layers, 2 kv heads of 10
  CHECK(kernels::padded(1) == 16);
  CHECK(kernels::padded(16) == 16);
  CHECK(kernels::padded(17) == 32);
  CHECK(nn::KvCache::bytes(spec, KvType::f32, 17) == (2 * 2 * 32) * (10 + 16) * 4);
  CHECK(nn::KvCache::bytes(spec, KvType::f16, 17) == (2 * 2 * 32) * (10 + 16) * 2);
  CHECK(nn::KvCache::bytes(spec, KvType::int16, 17) == (2 * 2 * 32) * ((10 + 16) * 2 + 2 * 4));
  CHECK(nn::KvCache::bytes(spec, KvType::int8, 17) == (2 * 2 * 32) * (10 + 16 + 2 * 4));
}

TEST_CASE("the heads of a KV cache do not overlap", "[nn]") {
  const nn::DecoderSpec spec = test::llama_like();
  for (const KvType type : {KvType::f32, KvType::f16, KvType::int16, KvType::int8}) {
    nn::KvCache cache(spec, type, 17);
    CHECK(cache.positions() == 17);
    const std::size_t rows = 32 * (type == KvType::f32 ? 4 : type == KvType::int8 ? 1 : 2);  // bytes of one element each
    const auto address = [](const void* p) { return static_cast<const std::byte*>(p); };
    const kernels::KvHead first = cache.head(0, 0);
    for (std::size_t i = 0; i < 4; ++i) {
      const kernels::KvHead head = cache.head(i / 2, i % 2);
      CHECK(head.type == type);
      CHECK(head.head_dim == 10);
      CHECK(head.positions == 32);
      CHECK(address(head.data) == address(first.data) + i * rows * (10 + 16));
      CHECK((head.key_scales == nullptr) != has_scales(type));
      if (has_scales(type)) CHECK(head.value_scales == first.value_scales + i * 32);
    }
  }
}

TEST_CASE("scratch takes the bytes that it says", "[nn]") {
  for (const nn::DecoderSpec& spec : {test::llama_like(), test::gpt2_like()}) {
    const nn::Scratch s(spec, 7, 40, 3);
    std::uint64_t bytes = s.quantised.size() + s.expanded.size() + s.partials.size() * sizeof(kernels::AttentionPartial);
    for (const auto* floats :
         {&s.x, &s.h, &s.q, &s.mixed, &s.k, &s.v, &s.gate, &s.up, &s.cosines, &s.sines, &s.attention, &s.partial_mixed})
      bytes += floats->size() * sizeof(float);
    CHECK(nn::Scratch::bytes(spec, 7, 40, 3) == bytes);
    CHECK(s.partials.size() == 3 * kernels::kQueryTile);
    CHECK(nn::Scratch(spec, 1, 40 * kernels::kAttentionChunk, 3).partials.size() == 40 * spec.attention.heads);
  }
}

TEST_CASE("sizes past 32 bits are counted, and refused where they do not fit", "[nn]") {
  // a hostile header within the registry's bounds: heads of almost nothing, and a huge context
  nn::DecoderSpec spec = test::llama_like();
  spec.layers = 1;
  spec.attention.kv_heads = 1;
  spec.attention.head_dim = 1;
  spec.attention.rope.reset();
  constexpr std::size_t kContext = std::size_t{1} << 26;
  spec.attention.heads = 1024;
  CHECK(nn::Scratch::bytes(spec, 1, kContext, 64) >
        std::uint64_t{kContext} / kernels::kAttentionChunk * 1024 * kernels::kTile * sizeof(float));
  spec.layers = 1024;
  CHECK(nn::KvCache::bytes(spec, KvType::f32, kContext) ==
        std::uint64_t{kContext} * 1024 * (2 + kernels::kTile) * sizeof(float));
  if constexpr (sizeof(void*) == 4) {
    CHECK_THROWS_AS(nn::Scratch(spec, 1, kContext, 64), std::bad_alloc);
    CHECK_THROWS_AS(nn::KvCache(spec, KvType::f32, kContext), std::bad_alloc);
  }
}
