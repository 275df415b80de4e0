// Sixteen virtual f32 lanes, in one, two or four registers, so that reductions have the same order on every target.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/generic/vectors.hpp"
#include "kernels/kernels.hpp"

namespace heed::kernels::generic {

template <class Isa>
struct Wide {
  static constexpr std::size_t kParts = kWide / Isa::kLanes;
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
  void store(float* p) const {
    for (std::size_t i = 0; i < kParts; ++i) Isa::store(p + i * Isa::kLanes, part[i]);
  }
};

/// Applies f to each register of the operands.
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

/// Reduction by a fixed tree: combines lane i with lane i + 8, then + 4, + 2, + 1; registers first.
template <class Isa, class Combine, class CombineLanes>
float fold(Wide<Isa> a, Combine combine, CombineLanes combine_lanes) {
  for (std::size_t parts = Wide<Isa>::kParts / 2; parts > 0; parts /= 2)
    for (std::size_t i = 0; i < parts; ++i) a.part[i] = combine(a.part[i], a.part[i + parts]);
  float lanes[Isa::kLanes];
  Isa::store(lanes, a.part[0]);
  for (std::size_t width = Isa::kLanes / 2; width > 2; width /= 2)
    for (std::size_t i = 0; i < width; i += 4)
      store_vector<float>(lanes + i, combine_lanes(load_vector(lanes + i), load_vector(lanes + i + width)));
  auto four = load_vector(lanes);
  four = combine_lanes(four, __builtin_shufflevector(four, four, 2, 3, 2, 3));
  return combine_lanes(four, __builtin_shufflevector(four, four, 1, 1, 1, 1))[0];
}
template <class Isa>
float sum(const Wide<Isa>& a) {
  return fold(a, [](auto x, auto y) { return Isa::add(x, y); }, [](Vector<float> x, Vector<float> y) { return x + y; });
}
/// Compares whole vectors to the last step, because WebAssembly engines compile a comparison of single floats to a branch.
template <class Isa>
float largest(const Wide<Isa>& a) {
  return fold(a, [](auto x, auto y) { return Isa::max(x, y); }, [](Vector<float> x, Vector<float> y) { return x < y ? y : x; });
}

/// Calls f(offset, count) for each run of 16 of n values, and for the rest. One body serves both: it accesses whole runs directly,
/// and the rest through a copy.
template <class F>
void for_each_wide(std::size_t n, F f) {
  for (std::size_t i = 0; i < n; i += kWide) f(i, n - i < kWide ? n - i : kWide);
}

[[gnu::noinline]] inline void copy_floats(const float* from, std::size_t n, float* to) {
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

/// Loads the first `count` of 16 floats, with `fill` in the other lanes.
template <class Isa>
Wide<Isa> load_wide(const float* p, std::size_t count, float fill = 0.0f) {
  if (count == kWide) return Wide<Isa>::load(p);
  float lanes[kWide];
  Wide<Isa>::splat(fill).store(lanes);
  copy_floats(p, count, lanes);
  return Wide<Isa>::load(lanes);
}
template <class Isa>
void store_wide(float* p, std::size_t count, const Wide<Isa>& a) {
  float lanes[kWide];
  float* to = count == kWide ? p : lanes;
  a.store(to);
  if (count < kWide) copy_floats(lanes, count, p);
}

}  // namespace heed::kernels::generic
