// Norms against their formulas in double.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "kernels/dispatch.hpp"
#include "support/fuzz.hpp"

namespace kernels = heed::kernels;
using heed::test::Fuzz;

namespace {

constexpr double kRounding = 0x1p-24;
constexpr float kEpsilon = 1e-5f;

double mean_square(const std::vector<double>& x) {
  return std::inner_product(x.begin(), x.end(), x.begin(), 0.0) / static_cast<double>(x.size());
}

}  // namespace

TEST_CASE("rms_norm is x / sqrt(mean(x^2) + epsilon) * weight", "[kernels]") {
  Fuzz fuzz(1);
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const std::size_t n : {1, 15, 16, 17, 64, 100, 1000}) {
    for (const float magnitude : {1e-4f, 1.0f, 1e4f}) {
      const std::vector<float> x = fuzz.reals(n, magnitude), weight = fuzz.reals(n);
      std::vector<float> y(n);
      scalar.rms_norm(x.data(), weight.data(), kEpsilon, n, y.data());
      const double scale = 1 / std::sqrt(mean_square({x.begin(), x.end()}) + kEpsilon);
      for (std::size_t i = 0; i < n; ++i) {
        const double expected = x[i] * scale * weight[i];
        // a lane adds n / 16 squares; half of that error survives the square root
        CHECK(std::fabs(y[i] - expected) <= (static_cast<double>(n) / 32 + 8) * kRounding * std::fabs(expected));
      }
    }
  }
}

TEST_CASE("layer_norm is (x - mean) / sqrt(variance + epsilon) * weight + bias", "[kernels]") {
  Fuzz fuzz(1);
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const std::size_t n : {2, 15, 16, 17, 64, 100, 1000}) {
    for (const float offset : {0.0f, 3.0f, -100.0f}) {
      std::vector<float> x = fuzz.reals(n);
      for (float& value : x) value += offset;
      const std::vector<float> weight = fuzz.reals(n), bias = fuzz.reals(n);
      std::vector<float> y(n), unbiased(n);
      scalar.layer_norm(x.data(), weight.data(), bias.data(), kEpsilon, n, y.data());
      scalar.layer_norm(x.data(), weight.data(), nullptr, kEpsilon, n, unbiased.data());

      std::vector<double> centered(x.begin(), x.end());
      const double mean = std::accumulate(centered.begin(), centered.end(), 0.0) / static_cast<double>(n);
      for (double& value : centered) value -= mean;
      const double scale = 1 / std::sqrt(mean_square(centered) + kEpsilon);
      // the mean is as exact as the values around it are large
      const double bound = 40 * kRounding * (1 + std::fabs(offset)) * scale;
      for (std::size_t i = 0; i < n; ++i) {
        CHECK(std::fabs(unbiased[i] - centered[i] * scale * weight[i]) <= bound);
        CHECK(std::fabs(y[i] - (centered[i] * scale * weight[i] + bias[i])) <= bound + kRounding);
      }
    }
  }
}
