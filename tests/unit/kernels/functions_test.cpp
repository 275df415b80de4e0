// exp and functions derived from it against the C library in double, over dense sweeps.
#include "kernels/generic/functions.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/dispatch.hpp"
#include "kernels/isa/scalar.hpp"
#include "support/fuzz.hpp"
#include "support/infinity.hpp"

namespace kernels = heed::kernels;
using heed::kernels::isa::Scalar;
using heed::test::Fuzz;
using heed::test::kInfinity;

namespace {

float heed_exp(float x) { return kernels::generic::exp<Scalar>(Scalar::splat(x)).v[0]; }

/// Distance in units of the last place of the exact result.
double ulps(float got, double exact) {
  const auto nearest = static_cast<float>(exact);
  const double ulp = static_cast<double>(std::nextafter(nearest, kInfinity)) - nearest;
  return std::fabs(got - exact) / ulp;
}

/// Every `step`th float of each sign from `from` to `to` in magnitude.
template <class F>
void sweep(float from, float to, std::uint32_t step, F f) {
  for (auto bits = std::bit_cast<std::uint32_t>(from); bits <= std::bit_cast<std::uint32_t>(to); bits += step)
    for (const std::uint32_t sign : {0u, 0x80000000u}) f(std::bit_cast<float>(bits | sign));
}

float activated(kernels::Activation f, float x) {
  kernels::select("scalar").activate(f, &x, nullptr, 1);
  return x;
}

}  // namespace

TEST_CASE("exp is within 2 units in the last place", "[kernels]") {
  double worst = 0;
  const auto measure = [&](float x) {
    if (-87.3f < x && x <= 88.3f) worst = std::max(worst, ulps(heed_exp(x), std::exp(static_cast<double>(x))));
  };
  sweep(0x1p-126f, 88.3f, 9973, measure);
  sweep(1.0f, 88.3f, 101, measure);
  INFO("worst " << worst);
  CHECK(worst <= 2.0);
}

TEST_CASE("exp outside its range is zero or the largest it has", "[kernels]") {
  CHECK(heed_exp(0.0f) == 1.0f);
  CHECK(heed_exp(-0.0f) == 1.0f);
  for (const float x : {-87.3f, -88.0f, -1e30f, -kInfinity}) CHECK(heed_exp(x) == 0.0f);
  for (const float x : {89.0f, 1e30f, kInfinity}) CHECK(heed_exp(x) == heed_exp(88.3f));
  CHECK(heed_exp(std::numeric_limits<float>::quiet_NaN()) == 0.0f);
}

TEST_CASE("silu is x / (1 + e^-x)", "[kernels]") {
  double worst = 0;
  sweep(1e-30f, 80.0f, 9973, [&](float x) {
    const double exact = x / (1 + std::exp(-static_cast<double>(x)));
    worst = std::max(worst, ulps(activated(kernels::Activation::silu, x), exact));
  });
  INFO("worst, in ulps: " << worst);
  CHECK(worst <= 4.0);
  CHECK(activated(kernels::Activation::silu, 1e30f) == 1e30f);
  CHECK(std::fabs(activated(kernels::Activation::silu, -1e6f)) < 1e-30f);
}

TEST_CASE("gelu_tanh is x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))", "[kernels]") {
  double worst = 0;
  sweep(1e-30f, 50.0f, 9973, [&](float x) {
    const double wide = x;
    const double exact = wide / 2 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (wide + 0.044715 * wide * wide * wide)));
    worst = std::max(worst, std::fabs(activated(kernels::Activation::gelu_tanh, x) - exact) / std::max(1.0, std::fabs(wide)));
  });
  INFO("worst, of max(1, |x|): " << worst);
  CHECK(worst <= 2e-7);
  CHECK(activated(kernels::Activation::gelu_tanh, 1e30f) == 1e30f);
  CHECK(activated(kernels::Activation::gelu_tanh, -1e30f) == 0.0f);
}

TEST_CASE("gelu is x times the normal distribution function", "[kernels]") {
  double worst = 0;
  sweep(1e-30f, 50.0f, 9973, [&](float x) {
    const double wide = x, exact = wide * 0.5 * std::erfc(-wide / std::sqrt(2.0));
    worst = std::max(worst, std::fabs(activated(kernels::Activation::gelu, x) - exact) / std::max(1.0, std::fabs(wide)));
  });
  INFO("worst, of max(1, |x|): " << worst);
  CHECK(worst <= 3e-7);
  CHECK(activated(kernels::Activation::gelu, 1e30f) == 1e30f);
  CHECK(activated(kernels::Activation::gelu, -1e30f) == 0.0f);
}

TEST_CASE("gelu_quick is x / (1 + e^(-1.702 x))", "[kernels]") {
  double worst = 0;
  sweep(1e-30f, 40.0f, 9973, [&](float x) {
    const double exact = x / (1 + std::exp(-1.702 * static_cast<double>(x)));
    // 1.702 x is rounded, which e^ makes a relative error of its size
    const double error = std::fabs(activated(kernels::Activation::gelu_quick, x) - exact);
    worst = std::max(worst, error / (std::fabs(exact) * (1 + std::fabs(x)) + 1e-37));
  });
  INFO("worst " << worst);
  CHECK(worst <= 4e-7);
}

TEST_CASE("relu is the positive part", "[kernels]") {
  for (const float x : {0.0f, 1e-40f, 3.5f, 1e38f, kInfinity}) {
    CHECK(activated(kernels::Activation::relu, x) == x);
    CHECK(activated(kernels::Activation::relu, -x) == 0.0f);
  }
}

TEST_CASE("relu_squared is the square of the positive part", "[kernels]") {
  for (const float x : {0.0f, 1e-30f, 3.5f, 1e18f, 1e30f, kInfinity}) {
    CHECK(activated(kernels::Activation::relu_squared, x) == x * x);
    CHECK(activated(kernels::Activation::relu_squared, -x) == 0.0f);
  }
}

TEST_CASE("xielu is a parabola above zero and a shifted exponential below", "[kernels]") {
  for (const kernels::Xielu f : {kernels::Xielu{0.8f, 1.1f, 0.5f}, {0.02f, 7.0f, -0.3f}, {0, 0, 1}}) {
    double worst = 0;
    sweep(1e-30f, 50.0f, 9973, [&](float x) {
      float got = x;
      kernels::select("scalar").xielu(f, &got, 1);
      const double wide = x;
      const double curved = x > 0 ? f.positive * wide * wide : f.negative * (std::expm1(wide) - wide);
      worst = std::max(worst, std::fabs(got - (curved + f.linear * wide)) /
                                  std::max({1.0, std::fabs(curved), std::fabs(f.linear * wide)}));
    });
    INFO("worst, of max(1, |terms|): " << worst);
    CHECK(worst <= 1e-6);
  }
  float zero = 0;
  kernels::select("scalar").xielu({2, 3, 4}, &zero, 1);
  CHECK(zero == 0.0f);
}

TEST_CASE("swiglu_oai clamps gate and up", "[kernels]") {
  Fuzz fuzz(1);
  const kernels::Kernels& scalar = kernels::select("scalar");
  const std::vector<float> gate = fuzz.reals(1000, 20), up = fuzz.reals(1000, 20);
  std::vector<float> y = gate;
  scalar.activate(kernels::Activation::swiglu_oai, y.data(), up.data(), y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double g = std::min(7.0, static_cast<double>(gate[i])), u = std::clamp(static_cast<double>(up[i]), -7.0, 7.0);
    const double exact = g / (1 + std::exp(-1.702 * g)) * (u + 1);
    CHECK(std::fabs(y[i] - exact) <= 1e-5 * std::fabs(exact) + 1e-12);
  }
}

TEST_CASE("sigmoid is 1 / (1 + e^-x)", "[kernels]") {
  Fuzz fuzz(1);
  for (const float x : fuzz.reals(1000, 80)) {
    const double exact = 1 / (1 + std::exp(-static_cast<double>(x)));
    CHECK(std::fabs(activated(kernels::Activation::sigmoid, x) - exact) <= 3e-7 * exact);
  }
}

TEST_CASE("softcap is cap tanh(x / cap), to a few units of the cap", "[kernels]") {
  Fuzz fuzz(1);
  for (const float cap : {0.5f, 30.0f, 50.0f}) {
    std::vector<float> x = fuzz.reals(1000, 3 * cap);
    const std::vector<float> given = x;
    kernels::select("scalar").softcap(x.data(), cap, x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      CHECK(std::fabs(x[i] - cap * std::tanh(static_cast<double>(given[i]) / cap)) <= 2e-7 * cap);
  }
}

TEST_CASE("add_scaled and scale round once a step", "[kernels]") {
  Fuzz fuzz(1);
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const std::size_t n : {1, 15, 16, 17, 100}) {
    const std::vector<float> x = fuzz.reals(n, 5), y = fuzz.reals(n, 5);
    std::vector<float> sum = x, scaled = x;
    scalar.add_scaled(sum.data(), y.data(), 0.3f, n);
    scalar.scale(scaled.data(), 0.3f, n);
    for (std::size_t i = 0; i < n; ++i) {
      const float product = y[i] * 0.3f;
      CHECK(sum[i] == x[i] + product);
      CHECK(scaled[i] == x[i] * 0.3f);
    }
  }
}

TEST_CASE("gated activations multiply by up", "[kernels]") {
  Fuzz fuzz(1);
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const auto f : {kernels::Activation::relu, kernels::Activation::relu_squared, kernels::Activation::silu,
                       kernels::Activation::gelu, kernels::Activation::gelu_tanh, kernels::Activation::gelu_quick}) {
    const std::vector<float> x = fuzz.reals(37, 5), up = fuzz.reals(37, 5);
    std::vector<float> gated = x;
    scalar.activate(f, gated.data(), up.data(), gated.size());
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(gated[i] == activated(f, x[i]) * up[i]);
  }
}

TEST_CASE("softmax is exp(x - max) / sum", "[kernels]") {
  Fuzz fuzz(1);
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const std::size_t n : {1, 2, 15, 16, 17, 100, 1000}) {
    for (const float magnitude : {0.01f, 1.0f, 50.0f, 1000.0f}) {
      const std::vector<float> x = fuzz.reals(n, magnitude);
      std::vector<float> y = x;
      scalar.softmax(y.data(), n);
      const double top = *std::max_element(x.begin(), x.end());
      double sum = 0, total = 0;
      for (const float value : x) sum += std::exp(value - top);
      for (std::size_t i = 0; i < n; ++i) {
        total += y[i];
        const double exact = std::exp(x[i] - top) / sum;
        // x - max is rounded, which e^ makes a relative error of its size
        CHECK(std::fabs(y[i] - exact) <= (12 + static_cast<double>(n) / 16 + 2 * magnitude) * 0x1p-24 * exact + 1e-37);
      }
      CHECK(std::fabs(total - 1) < 1e-5);
    }
  }
}

TEST_CASE("softmax gives -infinity no weight", "[kernels]") {
  std::vector<float> x = {1.0f, -kInfinity, 1.0f};
  kernels::select("scalar").softmax(x.data(), x.size());
  CHECK(x == std::vector<float>{0.5f, 0.0f, 0.5f});
}
