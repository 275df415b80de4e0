// RoPE's rotation, the KV cache's storage and attention against their formulas in double.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "kernels/dispatch.hpp"
#include "support/fuzz.hpp"
#include "support/stored_rows.hpp"
#include "tensor/buffer.hpp"
#include "tensor/half.hpp"
#include "unit/kernels/attend.hpp"

namespace kernels = heed::kernels;
using heed::KvType;
using heed::test::Fuzz;
using heed::test::HowToAttend;
using heed::test::SeenQuery;

namespace {

using Vectors = std::vector<std::vector<float>>;

/// One kv head, filled with `keys` and `values`.
struct Cache : heed::test::OneHead {
  Cache(const kernels::Kernels& target, KvType type, const Vectors& k, const Vectors& v)
      : OneHead(type, k[0].size(), v[0].size(), k.size()) {
    for (std::size_t t = 0; t < k.size(); ++t) target.store_kv(head, t, k[t].data(), v[t].data());
  }
};

std::vector<double> rounded(const std::vector<float>& x, float steps, double top) {
  std::vector<double> codes(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) codes[i] = std::nearbyint(x[i] * (steps / top)) * (top / steps);
  return codes;
}

double largest(const std::vector<float>& x) {
  double top = 0;
  for (const float value : x) top = std::max(top, std::fabs(static_cast<double>(value)));
  return top;
}
double norm(const std::vector<float>& x) { return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0)); }

/// Keys and values as a cache of this type stores them, and the query for them.
std::vector<double> as_value(KvType type, const std::vector<float>& x) {
  if (type == KvType::int16) return rounded(x, 32767, largest(x));
  std::vector<double> kept(x.begin(), x.end());
  if (type == KvType::f16)
    for (std::size_t i = 0; i < x.size(); ++i) kept[i] = heed::test::half_value(heed::f32_to_f16(x[i]));
  return kept;
}
std::vector<double> as_key(KvType type, const std::vector<float>& x) {
  return type == KvType::int16 ? rounded(x, 32000, norm(x)) : as_value(type, x);
}
std::vector<double> as_query(KvType type, const std::vector<float>& x) {
  return heed::has_scales(type) ? rounded(x, 32000, norm(x)) : std::vector<double>(x.begin(), x.end());
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The formula, with keys and values as stored in the cache.
void check_attention(const kernels::Kernels& target, const Cache& cache, const Vectors& keys, const Vectors& values,
                     const std::vector<SeenQuery>& queries, const HowToAttend& how) {
  const KvType type = cache.head.type;
  // integers: where a code lies between two, single and double precision may differ; and each weight, of values of at most
  // 1, is rounded to half a step of 1/32767 of the sum of 16
  const bool integers = heed::has_scales(type);
  const auto results = heed::test::attend(target, cache.head, queries, how);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const SeenQuery& seen = queries[q];
    std::vector<double> weights(seen.end), expected(values[0].size());
    double sum = seen.sink ? std::exp(static_cast<double>(*seen.sink)) : 0;
    for (std::size_t t = seen.begin; t < seen.end; ++t) {
      double score = how.scale * dot(as_query(type, seen.query), as_key(type, keys[t]));
      if (how.softcap != 0) score = how.softcap * std::tanh(score / how.softcap);
      if (!seen.bias.empty()) score += seen.bias[t];
      sum += weights[t] = std::exp(score);
    }
    for (std::size_t t = seen.begin; t < seen.end; ++t) {
      const std::vector<double> value = as_value(type, values[t]);
      weights[t] /= sum;
      for (std::size_t i = 0; i < value.size(); ++i) expected[i] += weights[t] * value[i];
    }
    double furthest = 0;
    INFO("positions " << seen.begin << " to " << seen.end);
    for (std::size_t t = 0; t < seen.end; ++t) furthest = std::max(furthest, std::fabs(results[q].weights[t] - weights[t]));
    CHECK(furthest <= (integers ? 5e-5 : 2e-6));
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(std::fabs(results[q].output[i] - expected[i]) <= (integers ? 3e-4 : 3e-6));
  }
}

}  // namespace

TEST_CASE("rope rotates the pairs (i, i + rotary / 2) and leaves the rest", "[kernels]") {
  Fuzz fuzz(1);
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const std::size_t rotary : {2, 8, 32, 34, 64}) {
    for (const std::size_t rest : {0, 3}) {
      const std::size_t heads = 3, d = rotary + rest, half = rotary / 2;
      const std::vector<float> x = fuzz.reals(heads * d), angles = fuzz.reals(half, 3);
      std::vector<float> y = x, cosines(half), sines(half);
      for (std::size_t i = 0; i < half; ++i) {
        cosines[i] = std::cos(angles[i]);
        sines[i] = std::sin(angles[i]);
      }
      scalar.rope(y.data(), heads, d, rotary, cosines.data(), sines.data());
      for (std::size_t h = 0; h < heads; ++h) {
        for (std::size_t i = 0; i < d; ++i) {
          const std::size_t at = h * d + i;
          double expected = x[at];
          const double c = cosines[i % half], s = sines[i % half];
          if (i < half) expected = c * x[at] - s * x[at + half];
          else if (i < rotary) expected = s * x[at - half] + c * x[at];
          CHECK(std::fabs(y[at] - expected) <= 3 * 0x1p-24 * 2);
        }
      }
    }
  }
}

TEST_CASE("attention is softmax(scale q k) v over the positions that the query sees", "[kernels]") {
  Fuzz fuzz(1);
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const KvType type : {KvType::f32, KvType::f16, KvType::int16}) {
    for (const std::size_t d : {1, 8, 16, 24, 64}) {
      for (const std::size_t end : {1, 15, 16, 17, 50, 700}) {
        Vectors keys, values;
        for (std::size_t t = 0; t < end; ++t) {
          keys.push_back(fuzz.reals(d));
          values.push_back(fuzz.reals(d));
        }
        const Cache cache(scalar, type, keys, values);
        std::vector<SeenQuery> queries;
        for (const std::size_t begin : {std::size_t{0}, end / 2, end - 1}) queries.push_back({fuzz.reals(d, 4), begin, end});
        for (const std::size_t last : {(end + 1) / 2, end}) queries.push_back({fuzz.reals(d, 4), 0, last});
        INFO(to_string(type) << ", head_dim " << d << ", " << end << " positions");
        check_attention(scalar, cache, keys, values, queries, {.scale = 1 / std::sqrt(static_cast<float>(d))});
      }
    }
  }
}

TEST_CASE("values may be shorter or longer than keys, and chunks that nobody sees may be absent", "[kernels]") {
  Fuzz fuzz(3);
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const KvType type : {KvType::f32, KvType::f16, KvType::int16}) {
    for (const auto& [key_dim, value_dim] : {std::pair<std::size_t, std::size_t>{24, 7}, {5, 40}, {17, 16}}) {
      for (const std::size_t positions : {512, 513, 700, 1400}) {
        constexpr std::size_t kSeen = 2 * kernels::kAttentionChunk;
        Vectors keys, values;
        for (std::size_t t = 0; t < positions; ++t) {
          keys.push_back(fuzz.reals(key_dim));
          values.push_back(fuzz.reals(value_dim));
        }
        Cache cache(scalar, type, keys, values);
        for (std::size_t i = 0; i < (positions - kSeen) / kernels::kAttentionChunk; ++i) cache.chunks[i] = {};
        std::vector<SeenQuery> queries;
        for (const std::size_t seen : {std::size_t{1}, std::size_t{100}, kSeen})
          queries.push_back({fuzz.reals(key_dim, 4), positions - seen, positions});
        queries.push_back({fuzz.reals(key_dim, 4), positions - 300, positions - 290});
        INFO(to_string(type) << ", keys of " << key_dim << ", values of " << value_dim << ", " << positions << " positions");
        check_attention(scalar, cache, keys, values, queries, {.scale = 0.3f});
      }
    }
  }
}

TEST_CASE("scores are capped, then biased, and a sink takes its share of the softmax", "[kernels]") {
  Fuzz fuzz(4);
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const float softcap : {0.0f, 0.5f, 30.0f}) {
    for (const bool biased : {false, true}) {
      for (const bool sunk : {false, true}) {
        constexpr std::size_t kPositions = 600, kDim = 20;
        Vectors keys, values;
        for (std::size_t t = 0; t < kPositions; ++t) {
          keys.push_back(fuzz.reals(kDim));
          values.push_back(fuzz.reals(kDim));
        }
        const Cache cache(scalar, KvType::f32, keys, values);
        std::vector<SeenQuery> queries;
        for (const std::size_t end : {1, 15, 16, 255, 256, 257, 600}) {
          queries.push_back({fuzz.reals(kDim, 4), end / 3, end});
          if (biased) queries.back().bias = fuzz.reals(kernels::padded(end), 3);
          if (sunk) queries.back().sink = fuzz.real(6);
        }
        INFO("softcap " << softcap << ", biased " << biased << ", sunk " << sunk);
        check_attention(scalar, cache, keys, values, queries, {.scale = 0.7f, .softcap = softcap});
      }
    }
  }
}

TEST_CASE("a sink far above all scores takes everything, one far below nothing", "[kernels]") {
  const kernels::Kernels& scalar = kernels::select("scalar");
  const Vectors ones(3, std::vector<float>(4, 1.0f));
  const Cache cache(scalar, KvType::f32, ones, ones);
  for (const auto& [sink, left] : {std::pair{1000.0f, 0.0f}, {-1000.0f, 1.0f}}) {
    const auto results = heed::test::attend(scalar, cache.head, {{std::vector<float>(4, 1.0f), 0, 3, {}, sink}}, {});
    for (const float value : results[0].output) CHECK(std::fabs(value - left) < 1e-6f);
  }
}

TEST_CASE("who attends together, and who takes which chunk, changes no bit", "[kernels]") {
  Fuzz fuzz(2);
  for (const kernels::Kernels* target : kernels::available()) {
    for (const KvType type : {KvType::f32, KvType::f16, KvType::int16, KvType::q8, KvType::q4}) {
      const std::size_t d = 24, positions = 3 * kernels::kAttentionChunk + 5;
      Vectors keys, values;
      for (std::size_t t = 0; t < positions; ++t) {
        keys.push_back(fuzz.reals(d, 3));
        values.push_back(fuzz.reals(d));
      }
      Cache cache(*target, type, keys, values);
      std::vector<SeenQuery> queries;
      for (const auto& [begin, end] : {std::pair<std::size_t, std::size_t>{0, positions},
                                       {300, 301},
                                       {250, 520},
                                       {0, 1},
                                       {255, 256},
                                       {256, 257},
                                       {511, positions}})
        queries.push_back({fuzz.reals(d, 4), begin, end});
      const auto alone = heed::test::attend(*target, cache.head, queries, {.scale = 0.3f, .together = 1});
      for (const std::size_t together : {2u, 3u, 4u}) {
        for (const bool split : {false, true}) {
          const auto results = heed::test::attend(*target, cache.head, queries,
                                                  {.scale = 0.3f, .together = together, .split = split});
          for (std::size_t q = 0; q < queries.size(); ++q) {
            INFO(target->name << ", " << to_string(type) << ", query " << q << ", together " << together << split);
            CHECK(results[q].output == alone[q].output);
            CHECK(results[q].weights == alone[q].weights);
          }
        }
      }
    }
  }
}

TEST_CASE("keys in a tile after the query are not seen", "[kernels]") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const kernels::Kernels* target : kernels::available()) {
    for (const KvType type : {KvType::f32, KvType::f16, KvType::int16, KvType::q8, KvType::q4}) {
      Vectors keys(16, std::vector<float>(16, kNan)), values = keys;
      for (std::size_t t = 0; t < 3; ++t) keys[t] = values[t] = std::vector<float>(16, static_cast<float>(t));
      Cache cache(*target, type, keys, values);
      const std::vector<float> query(16, 0.0f);
      const auto results = heed::test::attend(*target, cache.head, {{query, 0, 3}, {query, 0, 16}, {query, 1, 2}}, {});
      const float bound = heed::has_blocks(type) ? 0.3f : 1e-6f;  // no code is zero
      for (const float value : results[0].output) CHECK(std::fabs(value - 1.0f) < bound);
      for (const float value : results[2].output) CHECK(std::fabs(value - 1.0f) < bound);
    }
  }
}
