// Sixteen virtual f32 lanes (one, two or four registers), so that a reduction has the same order on every target.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/kernels.hpp"

namespace heed::kernels::generic {

template <class Isa>
struct Wide {
  static constexpr std::size_t kParts = kTile / Isa::kLanes;
  std::array<typename Isa::F32, kParts> part;

  static Wide splat(float x) {
    Wide out;
    for (auto& p : out.part) p = Isa::splat(x);
    return out;
  }
  static Wide load(const float* p) {
    Wide out;
    for (std::size_t i = 0; i < kParts; ++i) out.part[i] = Isa::load(p + i * Isa::kLanes);
    return out;
  }
  /// The first n of 16 floats; `fill` in the other lanes.
  static Wide load_part(const float* p, std::size_t n, float fill = 0.0f) {
    float lanes[kTile];
    for (std::size_t i = 0; i < kTile; ++i) lanes[i] = i < n ? p[i] : fill;
    return load(lanes);
  }
  void store(float* p) const {
    for (std::size_t i = 0; i < kParts; ++i) Isa::store(p + i * Isa::kLanes, part[i]);
  }
  void store_part(float* p, std::size_t n) const {
    float lanes[kTile];
    store(lanes);
    for (std::size_t i = 0; i < n; ++i) p[i] = lanes[i];
  }
};

/// f on each register of the operands.
template <class Isa, class F, class... Rest>
Wide<Isa> map(F f, const Wide<Isa>& first, const Rest&... rest) {
  Wide<Isa> out;
  for (std::size_t i = 0; i < Wide<Isa>::kParts; ++i) out.part[i] = f(first.part[i], rest.part[i]...);
  return out;
}

template <class Isa>
Wide<Isa> operator+(const Wide<Isa>& a, const Wide<Isa>& b) {
  return map<Isa>([](auto x, auto y) { return Isa::add(x, y); }, a, b);
}
template <class Isa>
Wide<Isa> operator-(const Wide<Isa>& a, const Wide<Isa>& b) {
  return map<Isa>([](auto x, auto y) { return Isa::sub(x, y); }, a, b);
}
template <class Isa>
Wide<Isa> operator*(const Wide<Isa>& a, const Wide<Isa>& b) {
  return map<Isa>([](auto x, auto y) { return Isa::mul(x, y); }, a, b);
}
template <class Isa>
Wide<Isa> max(const Wide<Isa>& a, const Wide<Isa>& b) {
  return map<Isa>([](auto x, auto y) { return Isa::max(x, y); }, a, b);
}

/// The fixed tree: lane i with lane i + 8, then + 4, + 2, + 1; whole registers first.
template <class Isa, class Combine, class CombineLanes>
float fold(Wide<Isa> a, Combine combine, CombineLanes combine_lanes) {
  for (std::size_t parts = Wide<Isa>::kParts / 2; parts > 0; parts /= 2)
    for (std::size_t i = 0; i < parts; ++i) a.part[i] = combine(a.part[i], a.part[i + parts]);
  float lanes[Isa::kLanes];
  Isa::store(lanes, a.part[0]);
  for (std::size_t width = Isa::kLanes / 2; width > 0; width /= 2)
    for (std::size_t i = 0; i < width; ++i) lanes[i] = combine_lanes(lanes[i], lanes[i + width]);
  return lanes[0];
}
template <class Isa>
float sum(const Wide<Isa>& a) {
  return fold(a, [](auto x, auto y) { return Isa::add(x, y); }, [](float x, float y) { return x + y; });
}
template <class Isa>
float largest(const Wide<Isa>& a) {
  return fold(a, [](auto x, auto y) { return Isa::max(x, y); }, [](float x, float y) { return x < y ? y : x; });
}

/// Calls f(offset, count) for each run of 16 of n, then for what is left; count is a constant 16 in the first loop.
template <class F>
void for_each_tile(std::size_t n, F f) {
  std::size_t i = 0;
  for (; i + kTile <= n; i += kTile) f(i, kTile);
  if (i < n) f(i, n - i);
}

template <class Isa>
Wide<Isa> load_tile(const float* p, std::size_t count, float fill = 0.0f) {
  return count == kTile ? Wide<Isa>::load(p) : Wide<Isa>::load_part(p, count, fill);
}
template <class Isa>
void store_tile(float* p, std::size_t count, const Wide<Isa>& a) {
  if (count == kTile) a.store(p);
  else a.store_part(p, count);
}

}  // namespace heed::kernels::generic
