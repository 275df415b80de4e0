// Types of cache with blocks against naive forms in double: what is stored, read from the saved bytes alone, and attention to it.
#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>

#include "kernels/dispatch.hpp"
#include "kernels/generic/kv_blocks.hpp"
#include "support/fuzz.hpp"
#include "tensor/half.hpp"
#include "unit/kernels/attend.hpp"

namespace kernels = heed::kernels;
using heed::KvType;
using heed::test::Fuzz;
using heed::test::OneHead;
using heed::test::SeenQuery;

namespace {

using Vector = std::vector<double>;

double product_of(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double largest_of(const Vector& x) {
  double top = 0;
  for (const double value : x) top = std::max(top, std::fabs(value));
  return top;
}

std::size_t piece_of(std::size_t dim) {
  std::size_t piece = 1;
  while (piece < 256 && dim % (2 * piece) == 0) piece *= 2;
  return piece;
}

/// H x by the definition of the matrix: the sign of an element is the parity of the bits that row and column share.
Vector rotated(const Vector& x, std::size_t piece) {
  Vector y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = i / piece * piece; j < (i / piece + 1) * piece; ++j)
      y[i] += std::popcount(i % piece & j % piece) % 2 == 0 ? x[j] : -x[j];
  return y;
}

/// Where centers begin in the first chunk.
constexpr std::size_t kBegins[] = {2, 4, 8, 16, 32, 64, 128};

/// The center of a position after the first two, among those of all chunks.
std::size_t center_at(std::size_t position) {
  if (position >= 256) return position / 256 * 7 + position % 256 / 64;
  return static_cast<std::size_t>(std::upper_bound(std::begin(kBegins), std::end(kBegins), position) - std::begin(kBegins)) - 1;
}

/// What a cache holds, rotated.
struct Stored {
  std::vector<Vector> keys, values, value_scales, value_numbers;
  std::vector<Vector> centers;  // of every chunk in turn
};

Stored stored(const kernels::Kernels& target, const kernels::KvHead& kv, std::size_t positions) {
  Stored all;
  const std::size_t bits = kv.type == KvType::q4 ? 4 : 8;
  for (std::size_t first = 0; first < positions; first += 256) {
    const std::size_t count = std::min<std::size_t>(256, positions - first), key_blocks = (kv.key_dim + 31) / 32;
    std::vector<std::byte> saved(static_cast<std::size_t>(kernels::kv_saved_bytes(kv.type, kv.key_dim, kv.value_dim, count)));
    target.save_kv(kv, first / 256, count, saved.data());
    const std::byte* at = saved.data();
    const auto numbers = [&](std::size_t n) {
      Vector read;
      for (std::size_t i = 0; i < n; ++i) {
        const int code = bits == 8 ? static_cast<std::int8_t>(at[i]) : static_cast<int>(at[i / 2]) >> i % 2 * 4 & 15;
        read.push_back(bits == 8 ? code : kernels::generic::kNibbleNumbers[code] - 64);
      }
      at += (n * bits + 7) / 8;
      return read;
    };
    const auto scales = [&](std::size_t n) {
      Vector read;
      for (std::size_t i = 0; i < n; ++i, at += 2) {
        std::uint16_t scale;
        std::memcpy(&scale, at, 2);
        read.push_back(static_cast<double>(heed::bf16_to_f32(scale)));
      }
      return read;
    };
    for (std::size_t t = 0; t < count; ++t) {
      Vector key = numbers(kv.key_dim), value = numbers(kv.value_dim);
      all.value_numbers.push_back(value);
      const Vector of_key = scales(key_blocks), of_value = scales((kv.value_dim + 63) / 64);
      for (std::size_t i = 0; i < key.size(); ++i) key[i] *= of_key[i / 32];
      for (std::size_t i = 0; i < value.size(); ++i) value[i] *= of_value[i / 64];
      all.keys.push_back(key);
      all.values.push_back(value);
      all.value_scales.push_back(of_value);
    }
    for (std::size_t i = 0; i < 7; ++i) {
      const Vector scale = scales(1);
      Vector center;
      for (std::size_t k = 0; k < kv.key_dim; ++k) center.push_back(static_cast<std::int8_t>(*at++));
      for (double& number : center) number *= scale[0];
      all.centers.push_back(center);
    }
    REQUIRE(at == saved.data() + saved.size());
  }
  for (std::size_t t = 2; t < positions; ++t)
    for (std::size_t i = 0; i < kv.key_dim; ++i) all.keys[t][i] += all.centers[center_at(t)][i];
  return all;
}

/// A cache with keys that have an outlier, as trained models' keys do.
struct Filled {
  std::vector<std::vector<float>> keys, values;
  OneHead cache;

  Filled(const kernels::Kernels& target, Fuzz& fuzz, KvType type, std::size_t key_dim, std::size_t value_dim, std::size_t positions)
      : cache(type, key_dim, value_dim, positions) {
    for (std::size_t t = 0; t < positions; ++t) {
      keys.push_back(fuzz.reals(key_dim));
      keys.back()[key_dim / 2] += 6;
      values.push_back(fuzz.reals(value_dim));
      target.store_kv(cache.head, t, keys[t].data(), values[t].data());
    }
  }
};

double relative_error(const std::vector<float>& got, const std::vector<float>& x, double offset_at, double offset) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = static_cast<double>(x[i]) - (static_cast<double>(i) == offset_at ? offset : 0);
    error += std::pow(static_cast<double>(got[i]) - static_cast<double>(x[i]), 2);
    size += value * value;
  }
  return error / size;
}

constexpr std::pair<std::size_t, std::size_t> kDims[] = {{64, 64}, {128, 128}, {32, 32}, {8, 8},
                                                         {80, 80}, {96, 40},   {7, 20},  {192, 128}};

}  // namespace

TEST_CASE("keys and values in blocks are stored rotated, less a center, to the bits that they have", "[kernels][blocks]") {
  Fuzz fuzz(1);
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const KvType type : {KvType::q8, KvType::q4})
    for (const auto& [key_dim, value_dim] : kDims) {
      INFO(to_string(type) << ", keys of " << key_dim << ", values of " << value_dim);
      constexpr std::size_t kPositions = 600;
      const Filled filled(scalar, fuzz, type, key_dim, value_dim, kPositions);
      const Stored naive = stored(scalar, filled.cache.head, kPositions);
      double key_error = 0, value_error = 0;
      for (std::size_t t = 0; t < kPositions; ++t) {
        std::vector<float> key(key_dim), value(value_dim);
        scalar.read_kv(filled.cache.head, t, key.data(), value.data());
        const auto turned_back = [](const Vector& x) {
          const std::size_t piece = piece_of(x.size());
          Vector y = rotated(x, piece);
          for (double& number : y) number /= static_cast<double>(piece);
          return y;
        };
        const Vector expected_key = turned_back(naive.keys[t]), expected_value = turned_back(naive.values[t]);
        for (std::size_t i = 0; i < key_dim; ++i) REQUIRE(std::fabs(static_cast<double>(key[i]) - expected_key[i]) < 1e-5);
        for (std::size_t i = 0; i < value_dim; ++i) REQUIRE(std::fabs(static_cast<double>(value[i]) - expected_value[i]) < 1e-5);
        if (t >= 32) key_error += relative_error(key, filled.keys[t], static_cast<double>(key_dim / 2), 6) / (kPositions - 32);
        value_error += relative_error(value, filled.values[t], -1, 0) / kPositions;
      }
      // of the squares; the outlier of the keys is in the center
      CHECK(key_error < (type == KvType::q4 ? 0.014 : 1e-4));
      CHECK(value_error < (type == KvType::q4 ? 0.014 : 1e-4));
    }
}

TEST_CASE("a center is the mean of one half of the keys before, or of the other, whichever is nearer to zero",
          "[kernels][blocks]") {
  Fuzz fuzz(2);
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const KvType type : {KvType::q8, KvType::q4}) {
    constexpr std::size_t kPositions = 600, kDim = 24;
    const Filled filled(scalar, fuzz, type, kDim, kDim, kPositions);
    const Stored naive = stored(scalar, filled.cache.head, kPositions);
    std::size_t zeros = 0;
    std::vector<std::size_t> begins(std::begin(kBegins), std::end(kBegins));
    for (std::size_t begin = 256; begin < kPositions; begin += 64) begins.push_back(begin);
    for (const std::size_t begin : begins) {
      const Vector& center = naive.centers[center_at(begin)];
      const std::size_t first = std::max<std::size_t>(1, begin - std::min<std::size_t>(begin, 32)),
                        seen = begin - first;  // not key 0
      Vector expected;
      for (std::size_t i = 0; i < kDim; ++i) {
        double halves[2] = {}, all = 0;
        for (std::size_t t = first; t < begin; ++t) {
          const std::size_t half = t - first < seen / 2 ? 0 : 1;
          halves[half] += naive.keys[t][i] / static_cast<double>(half == 0 ? seen / 2 : seen - seen / 2);
          all += naive.keys[t][i] / static_cast<double>(seen);
        }
        const double nearer = std::fabs(halves[0]) < std::fabs(halves[1]) ? halves[0] : halves[1];
        if (seen < 15) expected.push_back(all);
        else expected.push_back(halves[0] * halves[1] < 0 ? 0 : nearer);
        zeros += expected[i] == 0;
      }
      const double step = largest_of(expected) / 127;
      for (std::size_t i = 0; i < kDim; ++i) CHECK(std::fabs(center[i] - expected[i]) <= step * 0.9 + 1e-5);
    }
    CHECK(zeros > 0);
  }
}

TEST_CASE("attention to blocks is that to what they stand for, but for the rounding of queries and weights", "[kernels][blocks]") {
  Fuzz fuzz(3);
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const KvType type : {KvType::q8, KvType::q4})
    for (const auto& [key_dim, value_dim] : kDims)
      for (const std::size_t positions : {1, 17, 70, 600}) {
        const Filled filled(scalar, fuzz, type, key_dim, value_dim, positions);
        const Stored naive = stored(scalar, filled.cache.head, positions);
        const std::size_t piece = piece_of(key_dim);
        const float scale = 1 / std::sqrt(static_cast<float>(key_dim));
        std::vector<SeenQuery> queries;
        for (const std::size_t begin : {std::size_t{0}, positions / 2, positions - 1})
          queries.push_back({fuzz.reals(key_dim, 2), begin, positions});
        const auto results = heed::test::attend(scalar, filled.cache.head, queries, {.scale = scale});
        for (std::size_t q = 0; q < queries.size(); ++q) {
          INFO(to_string(type) << ", " << key_dim << ", " << value_dim << ", positions " << queries[q].begin << " to "
                               << positions);
          const Vector query = rotated(Vector(queries[q].query.begin(), queries[q].query.end()), piece);
          const double size = type == KvType::q4 ? largest_of(query) : std::sqrt(product_of(query, query));
          const double top = type == KvType::q4 ? 127 : 32000;
          Vector codes = query;
          for (double& code : codes) code = std::nearbyint(code * (top / size)) * (size / top);
          Vector weights(positions), expected(value_dim), bound(value_dim);
          double sum = 0;
          for (std::size_t t = queries[q].begin; t < positions; ++t) {
            Vector key = naive.keys[t];
            double whole = 0;  // a query is hardly rounded where it meets a center
            for (std::size_t i = 0; t > 1 && i < key_dim; ++i) {
              key[i] -= naive.centers[center_at(t)][i];
              whole += query[i] * naive.centers[center_at(t)][i];
            }
            sum += weights[t] = std::exp(static_cast<double>(scale) * (product_of(codes, key) + whole) /
                                         static_cast<double>(piece));
          }
          double furthest = 0;
          for (std::size_t t = 0; t < positions; ++t) {
            weights[t] /= sum;
            furthest = std::max(furthest, std::fabs(static_cast<double>(results[q].weights[t]) - weights[t]));
          }
          CHECK(furthest < (type == KvType::q4 ? 5e-3 : 5e-5));  // where a code lies between two, single and double may differ
          for (std::size_t run = 0; run < positions; run += 16)
            for (std::size_t i = 0; i < value_dim; ++i) {
              double most = 0, numbers = 0;
              for (std::size_t t = run; t < std::min(run + 16, positions); ++t) {
                expected[i] += weights[t] * naive.values[t][i];
                const double weight = weights[t] * std::fabs(naive.value_scales[t][i / 64]);
                most = type == KvType::q4 ? std::max(most, weight) : most + weight;
                numbers += std::fabs(naive.value_numbers[t][i]);
              }
              bound[i] += most / (type == KvType::q4 ? 127 : 32767) / 2 * numbers;
            }
          const std::size_t value_piece = piece_of(value_dim);
          const Vector output = rotated(expected, value_piece);
          for (std::size_t i = 0; i < value_dim; ++i) {
            double most = 0;
            for (std::size_t j = i / value_piece * value_piece; j < (i / value_piece + 1) * value_piece; ++j) most += bound[j];
            const auto divisor = static_cast<double>(value_piece);
            CHECK(std::fabs(static_cast<double>(results[q].output[i]) - output[i] / divisor) <=
                  most / divisor + 30 * furthest + 1e-5);
          }
        }
      }
}

TEST_CASE("vectors may be stored as they are", "[kernels][blocks]") {
  Fuzz fuzz(4);
  const kernels::Kernels& scalar = kernels::select("scalar");
  OneHead cache(KvType::q8, 64, 64, 1);
  cache.head.rotated = false;
  std::vector<float> key(64), value(64), read(64);
  key[3] = 5;
  scalar.store_kv(cache.head, 0, key.data(), value.data());
  scalar.read_kv(cache.head, 0, read.data(), nullptr);
  CHECK(std::fabs(read[3] - 5) < 0.02f);
  for (std::size_t i = 0; i < 64; ++i)
    if (i != 3) CHECK(read[i] == 0);
}
