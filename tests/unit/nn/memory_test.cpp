// The memory of a session, checked before anything is allocated.
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <new>
#include <set>

#include "kernels/dispatch.hpp"
#include "nn/kv_cache.hpp"
#include "nn/scratch.hpp"
#include "unit/kernels/attend.hpp"
#include "unit/kernels/emulated_relaxed.hpp"
#include "unit/nn/tiny_decoder.hpp"

using namespace heed;

namespace {

constexpr std::size_t kChunk = kernels::kAttentionChunk;
constexpr nn::CacheLayer kAll{.kv_heads = 1, .key_dim = 1, .value_dim = 1};

nn::CacheLayer local(std::size_t window) {
  nn::CacheLayer layer = kAll;
  layer.window = window;
  return layer;
}

/// Passes of one token each, up to `length` positions.
void read(nn::KvCache& cache, std::size_t length) {
  while (cache.length() < length) {
    cache.make_room(cache.length() + 1);
    cache.wrote(cache.length() + 1);
  }
}

/// Marks a position of a cache, and finds the mark again.
void mark(nn::KvCache& cache, std::size_t layer, std::size_t position, float value) {
  cache.store(layer, position, &value, &value, kernels::select());
}
float marked(const nn::KvCache& cache, std::size_t layer, std::size_t position) {
  return test::attend(kernels::select(), cache.head(layer, 0), {{{0.0f}, position, position + 1}}, {})[0].output[0];
}

}  // namespace

TEST_CASE("a KV cache takes keys, values and, for integers, their scales, in chunks", "[nn]") {
  const auto layers = nn::Stack::cache_layers(test::llama_like().stack);  // 2 layers, 2 kv heads of 10
  const auto bytes = [&](KvType type, std::size_t positions) { return nn::KvCachePool(layers, type).bytes(positions, 1); };
  CHECK(bytes(KvType::f32, 17) == (2 * 2 * kChunk) * (10 + 16) * 4);
  CHECK(bytes(KvType::f16, 17) == (2 * 2 * kChunk) * (10 + 16) * 2);
  CHECK(bytes(KvType::int16, 17) == (2 * 2 * kChunk) * ((10 + 16) * 2 + 2 * 4));
  CHECK(bytes(KvType::q8, kChunk) == (2 * 2) * (kChunk * (16 + 16 + 2 * 2) + 7 * (32 + 2)));
  CHECK(bytes(KvType::q4, kChunk) == (2 * 2) * (kChunk * (8 + 8 + 2 * 2) + 7 * (32 + 2)));
  CHECK(bytes(KvType::q4, kChunk + 1) == 2 * bytes(KvType::q4, kChunk));
  for (const std::size_t dim : {64, 128, 256})
    CHECK(kernels::kv_chunk_bytes(KvType::q4, dim, dim) * 16 <= 2 * kChunk * dim * 9);  // at most 0.5625 bytes a value
}

TEST_CASE("the heads of a KV cache do not overlap", "[nn]") {
  const auto layers = nn::Stack::cache_layers(test::llama_like().stack);
  for (const KvType type : {KvType::f32, KvType::f16, KvType::int16, KvType::q8, KvType::q4}) {
    nn::KvCachePool pool(layers, type);
    nn::KvCache cache(pool);
    cache.make_room(2 * kChunk + 1);
    const auto bytes = static_cast<std::size_t>(kernels::kv_chunk_bytes(type, 10, 10));
    std::set<const std::byte*> shares;
    for (std::size_t i = 0; i < 4; ++i) {
      const kernels::KvHead head = cache.head(i / 2, i % 2);
      CHECK(head.type == type);
      CHECK(head.key_dim == 10);
      CHECK(head.value_dim == 10);
      for (std::size_t chunk = 0; chunk < 3; ++chunk) shares.insert(head.chunk(chunk));
    }
    REQUIRE(shares.size() == 12);
    for (auto it = shares.begin(), next = std::next(it); next != shares.end(); ++it, ++next) CHECK(*it + bytes <= *next);
  }
}

TEST_CASE("a sequence takes memory as it grows, and gives it back", "[nn]") {
  nn::KvCachePool pool({kAll, kAll}, KvType::f16);
  CHECK(pool.allocated_bytes() == 0);
  const std::uint64_t chunk = pool.bytes(1, 1);
  {
    nn::KvCache cache(pool);
    read(cache, kChunk);
    CHECK(pool.allocated_bytes() == chunk);
    read(cache, kChunk + 1);
    CHECK(pool.allocated_bytes() == 2 * chunk);
    cache.cut(1);
    nn::KvCache other(pool);  // which takes the memory that the first has returned
    read(other, kChunk);
    CHECK(pool.allocated_bytes() == 2 * chunk);
    CHECK(pool.trim() == 0);
  }
  CHECK(pool.trim() == 2 * chunk);
  CHECK(pool.allocated_bytes() == 0);
}

TEST_CASE("reserved memory is contiguous", "[nn]") {
  nn::KvCachePool pool({kAll}, KvType::f32);
  nn::KvCache cache(pool);
  cache.reserve(5 * kChunk);
  cache.make_room(5 * kChunk);
  const kernels::KvHead head = cache.head(0, 0);
  for (std::size_t i = 1; i < 5; ++i) CHECK(head.chunk(i) == head.chunk(i - 1) + kernels::kv_chunk_bytes(KvType::f32, 1, 1));
}

TEST_CASE("a copy of a sequence shares its chunks until one of the two writes", "[nn]") {
  nn::KvCachePool pool({kAll, local(3)}, KvType::f32);
  nn::KvCache first(pool);
  read(first, kChunk + 10);
  for (const std::size_t layer : {0u, 1u}) mark(first, layer, kChunk + 9, 1);
  nn::KvCache second(first);
  CHECK(second.length() == kChunk + 10);
  CHECK(second.head(0, 0).chunk(0) == first.head(0, 0).chunk(0));
  CHECK(second.head(0, 0).chunk(1) == first.head(0, 0).chunk(1));
  second.make_room(kChunk + 11);
  for (const std::size_t layer : {0u, 1u}) {
    mark(second, layer, kChunk + 10, 2);
    CHECK(second.head(layer, 0).chunk(0) == first.head(layer, 0).chunk(0));
    CHECK(second.head(layer, 0).chunk(1) != first.head(layer, 0).chunk(1));
    CHECK(marked(second, layer, kChunk + 9) == 1);
    CHECK(marked(second, layer, kChunk + 10) == 2);
  }
  first.make_room(kChunk + 11);
  mark(first, 0, kChunk + 10, 3);
  CHECK(marked(second, 0, kChunk + 10) == 2);
  CHECK(marked(first, 0, kChunk + 10) == 3);
}

TEST_CASE("a layer that sees a window keeps little more, one that sees all keeps all", "[nn]") {
  nn::KvCachePool pool({kAll, local(300)}, KvType::q4);
  const nn::CacheLayer none{};
  nn::KvCache cache(pool);
  read(cache, 10 * kChunk);
  for (std::size_t chunk = 0; chunk < 10; ++chunk) {
    CHECK(cache.head(0, 0).chunks[chunk].data != nullptr);
    CHECK((cache.head(1, 0).chunks[chunk].data != nullptr) == (chunk >= 7));  // 300 from the end, and one chunk before
  }
  const auto bytes = [&](std::vector<nn::CacheLayer> layers, std::size_t positions, bool shared = false) {
    return nn::KvCachePool(std::move(layers), KvType::f32, shared).bytes(positions, 1);
  };
  CHECK(bytes({local(300)}, 100 * kChunk) == bytes({kAll}, 4 * kChunk));
  CHECK(bytes({local(300)}, 2 * kChunk) == bytes({kAll}, 2 * kChunk));
  CHECK(bytes({kAll, none, kAll}, 100) == 2 * bytes({kAll}, 100));
  CHECK(bytes({kAll, none, kAll}, 100, true) == bytes({kAll}, 100));
}

TEST_CASE("truncation goes back as far as all windows still have their keys", "[nn]") {
  nn::KvCachePool pool({kAll, local(9)}, KvType::f32);
  nn::KvCache cache(pool);
  read(cache, 500);
  CHECK(cache.cut(1) == 1);  // nothing is lost yet
  read(cache, 1000);
  // positions from 2 kChunk on are there, and the next token at `length` would see length - 8 ...
  CHECK(cache.cut(2 * kChunk + 8) == 2 * kChunk + 8);
  CHECK(cache.cut(2 * kChunk + 7) == 0);
  CHECK(cache.length() == 0);
}

TEST_CASE("states are remembered when a chunk is reached and where asked, and one goes back to these", "[nn]") {
  nn::KvCachePool pool({kAll, {.state = 2}}, KvType::f32);
  nn::KvCache cache(pool);
  const auto advance = [&](std::size_t length) {
    cache.make_room(length);
    cache.state(1)[0] = static_cast<float>(length);
    cache.wrote(length);
  };
  for (const std::size_t length : {kChunk / 2, kChunk, kChunk + 50}) advance(length);
  cache.remember_state();
  advance(kChunk + 90);
  nn::KvCache copy(cache);
  CHECK(cache.cut(kChunk + 89) == kChunk + 50);
  CHECK(cache.state(1)[0] == static_cast<float>(kChunk + 50));
  cache.state(1)[0] = -1;  // a pass that does not end
  CHECK(cache.undo() == kChunk + 50);
  CHECK(cache.state(1)[0] == static_cast<float>(kChunk + 50));
  CHECK(cache.cut(kChunk + 49) == kChunk);
  CHECK(cache.state(1)[0] == static_cast<float>(kChunk));
  CHECK(cache.cut(kChunk - 1) == 0);
  CHECK(cache.state(1)[0] == 0);
  CHECK(copy.length() == kChunk + 90);
  CHECK(copy.state(1)[0] == static_cast<float>(kChunk + 90));
  CHECK(copy.cut(kChunk + 60) == kChunk + 50);
}

TEST_CASE("of many large states every second is forgotten", "[nn]") {
  constexpr std::size_t kState = std::size_t{1} << 22;  // of which four are remembered
  nn::KvCachePool pool({kAll, {.state = kState}}, KvType::f32);
  nn::KvCache cache(pool);
  for (std::size_t length = kChunk; length <= 6 * kChunk; length += kChunk) {
    cache.make_room(length);
    cache.state(1)[0] = static_cast<float>(length);
    cache.wrote(length);
  }
  // After four chunks the second and the fourth were kept.
  for (const std::size_t kept : {6, 5, 4, 2, 0}) {
    CHECK(cache.cut((kept + 1) * kChunk - 1) == kept * kChunk);
    CHECK(cache.state(1)[0] == static_cast<float>(kept * kChunk));
  }
}

TEST_CASE("scratch takes the bytes that it says, and blocks share them", "[nn]") {
  for (const nn::DecoderSpec& spec : {test::llama_like(), test::gpt2_like()}) {
    const nn::ScratchNeed need = nn::Decoder::need(spec, {24, 7, 40, 3});
    const nn::ScratchNeed longer = nn::Decoder::need(spec, {24, 7, 40 * kernels::kAttentionChunk, 3});
    CHECK(need.columns == 40);  // of the output of 4 heads of 10
    CHECK(need.product_input == 7 * 40);
    CHECK(longer.bytes > need.bytes);
    const std::uint64_t bytes = need.bytes + need.product_input / 32 * kernels::quantized_bytes(1, 32) +
                                3 * kernels::matmul_scratch(40);
    for (const auto targets : {kernels::available(), test::emulated_relaxed()})
      for (const kernels::Kernels* target : targets)
        CHECK(nn::Scratch::bytes(need, 3, *target) == bytes + (target->widen ? need.product_input * 2 : 0));
  }
  nn::ScratchNeed need = nn::ScratchNeed().allocate<float>(5);
  const std::uint64_t one = need.bytes;
  CHECK(one >= 5 * sizeof(float));
  CHECK(need.with(nn::ScratchNeed().allocate<float>(3)).bytes == 2 * one);
  CHECK(need.either(nn::ScratchNeed().allocate<float>(1)).bytes == 2 * one);
  nn::Scratch scratch(need, 1, kernels::select());
  float* first = nullptr;
  {
    const nn::Scratch::Scope scope(scratch);
    first = scratch.allocate<float>(5);
    CHECK(scratch.allocate<float>(3) >= first + 5);
  }
  CHECK(scratch.allocate<float>(1) == first);
}

TEST_CASE("sizes past 32 bits are counted, and refused where they do not fit", "[nn]") {
  // a hostile header within the registry's bounds: heads of almost nothing, and a huge context
  constexpr std::size_t kContext = std::size_t{1} << 26;
  nn::DecoderSpec spec = test::pre_norm_decoder(
      nn::AttentionSpec{.heads = 1024, .kv_heads = 1, .key_dim = 1, .value_dim = 1, .scale = 1}, nn::MlpSpec{.feed_forward = 1},
      1024);
  const nn::ScratchNeed need = nn::Decoder::need(spec, {spec.stack.width, 1, kContext, 64});
  CHECK(nn::Scratch::bytes(need, 64, kernels::select()) >
        std::uint64_t{kContext} / kernels::kAttentionChunk * 1024 * kernels::kWide * sizeof(float));
  const auto layers = nn::Stack::cache_layers(spec.stack);
  nn::KvCachePool pool(layers, KvType::f32);
  CHECK(pool.bytes(kContext, 1) == std::uint64_t{kContext} * 1024 * (2 + kernels::kWide) * sizeof(float));
  if constexpr (sizeof(void*) == 4) {
    CHECK_THROWS_AS(nn::Scratch(need, 64, kernels::select()), std::bad_alloc);
    CHECK_THROWS_AS(nn::KvCache(pool).make_room(kContext), std::bad_alloc);
  }
}
