// Written by tools/contract from api/: the engine's options of sampling have its defaults and ranges.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "runtime/generate.hpp"
#include "sampling/sampler.hpp"
#include "support/infinity.hpp"

using heed::sampling::SamplerOptions;
using heed::test::kInfinity;

namespace {

bool takes(float SamplerOptions::* option, float value) {
  SamplerOptions options;
  options.*option = value;
  try {
    heed::sampling::check(options);
    return true;
  } catch (const heed::Error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("Options of sampling have the defaults of the contract", "[sampling]") {
  const heed::runtime::GenerateOptions options;
  CHECK(options.max_tokens == 256);
  CHECK(options.sampling.temperature == 0.8f);
  CHECK(options.sampling.top_k == 40);
  CHECK(options.sampling.top_p == 0.95f);
  CHECK(options.sampling.min_p == 0.05f);
  CHECK(options.sampling.repetition_penalty == 1.0f);
  CHECK(options.sampling.frequency_penalty == 0.0f);
  CHECK(options.sampling.presence_penalty == 0.0f);
  CHECK(options.sampling.penalty_window == 64);
  CHECK(options.stop_at_end == true);
  CHECK(options.special == false);
  CHECK(options.top_logprobs == 0);
}

TEST_CASE("Options of sampling have the ranges of the contract", "[sampling]") {
  CHECK(takes(&SamplerOptions::temperature, 0.0f));
  CHECK_FALSE(takes(&SamplerOptions::temperature, std::nextafter(0.0f, -kInfinity)));
  CHECK(takes(&SamplerOptions::temperature, 1.0f));
  CHECK_FALSE(takes(&SamplerOptions::temperature, kInfinity));
  CHECK_FALSE(takes(&SamplerOptions::temperature, std::numeric_limits<float>::quiet_NaN()));
  CHECK_FALSE(takes(&SamplerOptions::top_p, 0.0f));
  CHECK(takes(&SamplerOptions::top_p, 1.0f));
  CHECK_FALSE(takes(&SamplerOptions::top_p, std::nextafter(1.0f, kInfinity)));
  CHECK(takes(&SamplerOptions::top_p, 0.5f));
  CHECK_FALSE(takes(&SamplerOptions::top_p, kInfinity));
  CHECK_FALSE(takes(&SamplerOptions::top_p, std::numeric_limits<float>::quiet_NaN()));
  CHECK(takes(&SamplerOptions::min_p, 0.0f));
  CHECK_FALSE(takes(&SamplerOptions::min_p, std::nextafter(0.0f, -kInfinity)));
  CHECK_FALSE(takes(&SamplerOptions::min_p, 1.0f));
  CHECK(takes(&SamplerOptions::min_p, 0.5f));
  CHECK_FALSE(takes(&SamplerOptions::min_p, kInfinity));
  CHECK_FALSE(takes(&SamplerOptions::min_p, std::numeric_limits<float>::quiet_NaN()));
  CHECK_FALSE(takes(&SamplerOptions::repetition_penalty, 0.0f));
  CHECK(takes(&SamplerOptions::repetition_penalty, 1.0f));
  CHECK_FALSE(takes(&SamplerOptions::repetition_penalty, kInfinity));
  CHECK_FALSE(takes(&SamplerOptions::repetition_penalty, std::numeric_limits<float>::quiet_NaN()));
  CHECK(takes(&SamplerOptions::frequency_penalty, 0.0f));
  CHECK_FALSE(takes(&SamplerOptions::frequency_penalty, kInfinity));
  CHECK_FALSE(takes(&SamplerOptions::frequency_penalty, std::numeric_limits<float>::quiet_NaN()));
  CHECK(takes(&SamplerOptions::presence_penalty, 0.0f));
  CHECK_FALSE(takes(&SamplerOptions::presence_penalty, kInfinity));
  CHECK_FALSE(takes(&SamplerOptions::presence_penalty, std::numeric_limits<float>::quiet_NaN()));
}
