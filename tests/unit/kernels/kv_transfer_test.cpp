// Keys and values in the target-independent order.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/dispatch.hpp"
#include "unit/kernels/attend.hpp"

using namespace heed;

TEST_CASE("saved keys and values lie position by position, then their scales", "[kernels]") {
  for (const kernels::Kernels* target : kernels::available()) {
    INFO(target->name);
    const test::OneHead cache(KvType::f32, 3, 2, 2);
    const std::array<float, 3> keys[] = {{1, 2, 3}, {4, 5, 6}};
    const std::array<float, 2> values[] = {{7, 8}, {9, 10}};
    for (std::size_t t = 0; t < 2; ++t) target->store_kv(cache.head, t, keys[t].data(), values[t].data());
    std::array<float, 10> saved;
    target->save_kv(cache.head, 0, 2, reinterpret_cast<std::byte*>(saved.data()));
    CHECK(saved == std::array<float, 10>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  }
}

TEST_CASE("integers that store_kv never makes are refused", "[kernels]") {
  struct Saved {  // one position: key, value, scales
    std::array<std::int16_t, 2> key, value;
    float key_scale, value_scale;
  };
  static_assert(sizeof(Saved) == kernels::kv_saved_bytes(KvType::int16, 2, 2, 1));
  const test::OneHead cache(KvType::int16, 2, 2, 1);
  const auto loads = [&](const Saved& saved) {
    return kernels::select().load_kv(cache.head, 0, 1, reinterpret_cast<const std::byte*>(&saved));
  };
  constexpr float kInf = std::numeric_limits<float>::infinity();
  CHECK(loads({{32000, 0}, {32767, -32767}, 1.0f, 2.0f}));
  CHECK_FALSE(loads({{32000, 32000}, {0, 0}, 1.0f, 2.0f}));
  CHECK_FALSE(loads({{1, 1}, {0, 0}, kInf, 2.0f}));
  CHECK_FALSE(loads({{1, 1}, {0, 0}, 1.0f, -kInf}));
}

TEST_CASE("blocks that save_kv never writes are refused", "[kernels]") {
  constexpr std::size_t kKey = 32, kValue = 3;
  const test::OneHead cache(KvType::q4, kKey, kValue, 1);
  std::array<float, kKey> key{1, 2, 3};
  const std::array<float, kValue> value{4, -5, 6};
  const kernels::Kernels& target = kernels::select();
  target.store_kv(cache.head, 0, key.data(), value.data());
  std::vector<std::byte> saved(static_cast<std::size_t>(kernels::kv_saved_bytes(KvType::q4, kKey, kValue, 1)));
  target.save_kv(cache.head, 0, 1, saved.data());
  const auto loads = [&] { return target.load_kv(cache.head, 0, 1, saved.data()); };
  CHECK(loads());
  const std::size_t last_value = kKey / 2 + kValue / 2, center_scale = saved.size() - kKey - 2;
  for (const std::size_t unused : {last_value, center_scale, saved.size() - 1}) {  // one position has no center
    INFO(unused);
    const std::byte written = saved[unused];
    saved[unused] |= std::byte{0x10};
    CHECK_FALSE(loads());
    saved[unused] = written;
  }
  CHECK(loads());
}
