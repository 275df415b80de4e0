// From metadata to specs, and errors that name the key which is wrong.
#include "models/registry.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support/errors.hpp"

using namespace heed;
using formats::Metadata;
using test::check_throws;

namespace {

using Values = std::map<std::string, Metadata::Value>;

Values llama_values() {
  return {
      {"general.architecture", std::string("llama")},
      {"llama.embedding_length", std::int64_t{64}},
      {"llama.block_count", std::int64_t{3}},
      {"llama.context_length", std::int64_t{2048}},
      {"llama.feed_forward_length", std::int64_t{172}},
      {"llama.attention.head_count", std::int64_t{8}},
      {"llama.attention.head_count_kv", std::int64_t{4}},
      {"llama.attention.layer_norm_rms_epsilon", 1e-6},
      {"tokenizer.ggml.tokens", Metadata::Strings(320, "x")},
  };
}

Values gpt2_values() {
  return {
      {"general.architecture", std::string("gpt2")},   {"gpt2.embedding_length", std::int64_t{64}},
      {"gpt2.block_count", std::int64_t{2}},           {"gpt2.context_length", std::int64_t{128}},
      {"gpt2.feed_forward_length", std::int64_t{256}}, {"gpt2.attention.head_count", std::int64_t{4}},
      {"gpt2.attention.layer_norm_epsilon", 1e-5},     {"tokenizer.ggml.tokens", Metadata::Strings(50, "x")},
  };
}

nn::DecoderSpec spec_of(const Values& values) {
  Metadata metadata;
  for (const auto& [key, value] : values) metadata.set(key, value);
  return models::decoder_spec(metadata);
}

Values with(Values values, const std::string& key, Metadata::Value value) {
  values[key] = std::move(value);
  return values;
}

void check_refused(const Values& values, ErrorCode code, const std::string& message) {
  check_throws(code, message, [&] { spec_of(values); });
}

}  // namespace

TEST_CASE("llama's metadata makes its spec", "[models]") {
  const nn::DecoderSpec spec = spec_of(llama_values());
  CHECK(spec.width == 64);
  CHECK(spec.layers == 3);
  CHECK(spec.vocabulary == 320);
  CHECK(spec.context == 2048);
  CHECK(spec.norm.kind == nn::NormKind::rms);
  CHECK(spec.norm.epsilon == 1e-6f);
  CHECK(spec.attention.heads == 8);
  CHECK(spec.attention.kv_heads == 4);
  CHECK(spec.attention.head_dim == 8);
  CHECK(spec.attention.scale == 1 / std::sqrt(8.0f));
  CHECK_FALSE(spec.attention.biased);
  REQUIRE(spec.attention.rope);
  CHECK(spec.attention.rope->pairing == nn::RopePairing::interleaved);
  CHECK(spec.attention.rope->dims == 8);
  CHECK(spec.attention.rope->theta == 10000);
  CHECK(spec.attention.rope->factor == 1);
  CHECK(spec.mlp.feed_forward == 172);
  CHECK(spec.mlp.activation == kernels::Activation::silu);
  CHECK(spec.mlp.gated);
  CHECK_FALSE(spec.learned_positions);
}

TEST_CASE("gpt2's metadata makes its spec", "[models]") {
  const nn::DecoderSpec spec = spec_of(gpt2_values());
  CHECK(spec.norm.kind == nn::NormKind::layer);
  CHECK(spec.norm.epsilon == 1e-5f);
  CHECK(spec.attention.kv_heads == 4);
  CHECK(spec.attention.head_dim == 16);
  CHECK(spec.attention.biased);
  CHECK_FALSE(spec.attention.rope);
  CHECK(spec.mlp.activation == kernels::Activation::gelu_tanh);
  CHECK_FALSE(spec.mlp.gated);
  CHECK(spec.mlp.biased);
  CHECK(spec.learned_positions);
}

TEST_CASE("head size and rope dimensions may be said", "[models]") {
  auto values = with(llama_values(), "llama.attention.key_length", std::int64_t{12});
  CHECK(spec_of(values).attention.head_dim == 12);
  CHECK(spec_of(values).attention.rope->dims == 12);
  CHECK(spec_of(with(values, "llama.rope.dimension_count", std::int64_t{6})).attention.rope->dims == 6);
  CHECK(spec_of(with(values, "llama.rope.freq_base", 5e5)).attention.rope->theta == 5e5f);
}

TEST_CASE("rope scaling is read", "[models]") {
  const auto linear = with(with(llama_values(), "llama.rope.scaling.type", std::string("linear")),
                           "llama.rope.scaling.factor", 4.0);
  CHECK(spec_of(linear).attention.rope->scaling == nn::RopeScaling::linear);
  CHECK(spec_of(linear).attention.rope->factor == 4);

  const auto untyped = with(llama_values(), "llama.rope.scaling.factor", 8.0);
  CHECK(spec_of(untyped).attention.rope->scaling == nn::RopeScaling::linear);
  CHECK(spec_of(untyped).attention.rope->factor == 8);
  CHECK(spec_of(with(linear, "llama.rope.scaling.factor", 0.0)).attention.rope->factor == 1);
  CHECK(spec_of(with(linear, "llama.rope.scaling.type", std::string("none"))).attention.rope->scaling ==
        nn::RopeScaling::none);

  const auto old = with(llama_values(), "llama.rope.scale_linear", 2.0);
  CHECK(spec_of(old).attention.rope->scaling == nn::RopeScaling::linear);
  CHECK(spec_of(old).attention.rope->factor == 2);

  auto yarn = with(linear, "llama.rope.scaling.type", std::string("yarn"));
  CHECK(spec_of(yarn).attention.rope->original_context == 2048);
  yarn = with(with(yarn, "llama.rope.scaling.original_context_length", std::int64_t{512}),
              "llama.rope.scaling.attn_factor", 1.5);
  CHECK(spec_of(yarn).attention.rope->scaling == nn::RopeScaling::yarn);
  CHECK(spec_of(yarn).attention.rope->original_context == 512);
  CHECK(spec_of(yarn).attention.rope->magnitude == 1.5f);
}

TEST_CASE("an architecture that is not there is named, with those that are", "[models]") {
  check_refused(with(llama_values(), "general.architecture", std::string("mamba")), ErrorCode::unsupported,
                "general.architecture: architecture 'mamba' is not one of llama, gpt2");
  auto values = llama_values();
  values.erase("general.architecture");
  check_refused(values, ErrorCode::invalid_file, "general.architecture");
}

TEST_CASE("what this version does not have is refused by name", "[models]") {
  check_refused(with(llama_values(), "llama.rope.scaling.type", std::string("longrope")),
                ErrorCode::unsupported,
                "llama.rope.scaling.type: RoPE scaling 'longrope'; there are none, linear and yarn");
  check_refused(with(llama_values(), "llama.expert_count", std::int64_t{8}), ErrorCode::unsupported,
                "llama.expert_count: ");
  check_refused(with(llama_values(), "llama.attention.value_length", std::int64_t{4}), ErrorCode::unsupported,
                "llama.attention.value_length: values must be as long as keys");
}

TEST_CASE("a hyperparameter that is missing is named", "[models]") {
  for (const Values& values : {llama_values(), gpt2_values()}) {
    for (const auto& [key, value] : values) {
      if (key.ends_with("head_count_kv")) continue;  // as many as heads where it is absent
      Values less = values;
      less.erase(key);
      check_refused(less, ErrorCode::invalid_file, key + ":");
    }
  }
}

TEST_CASE("a hyperparameter out of range is named", "[models]") {
  const auto out_of_range = [](const std::string& key, Metadata::Value value) {
    INFO(key);
    check_refused(with(llama_values(), key, std::move(value)), ErrorCode::invalid_file, key + ":");
  };
  for (const char* key : {"embedding_length", "block_count", "context_length", "feed_forward_length",
                          "attention.head_count", "attention.head_count_kv", "attention.key_length"}) {
    const std::string full = std::string("llama.") + key;
    for (const std::int64_t value : {0ll, 0xffffffffll, -1ll}) out_of_range(full, value);
  }
  out_of_range("llama.attention.head_count_kv", std::int64_t{3});   // does not divide 8
  out_of_range("llama.attention.head_count_kv", std::int64_t{16});  // more than heads
  out_of_range("llama.attention.layer_norm_rms_epsilon", -1.0);
  out_of_range("llama.attention.layer_norm_rms_epsilon", std::nan(""));
  out_of_range("llama.rope.dimension_count", std::int64_t{0});
  out_of_range("llama.rope.dimension_count", std::int64_t{7});
  out_of_range("llama.rope.dimension_count", std::int64_t{10});  // more than the head's 8
  out_of_range("llama.rope.freq_base", 1.0);
  out_of_range("llama.rope.scaling.factor", -1.0);
  out_of_range("tokenizer.ggml.tokens", Metadata::Strings{});
  out_of_range("llama.block_count", std::string("three"));
  check_refused(with(gpt2_values(), "gpt2.attention.layer_norm_epsilon", -1.0), ErrorCode::invalid_file,
                "gpt2.attention.layer_norm_epsilon:");
  const auto yarn = with(llama_values(), "llama.rope.scaling.type", std::string("yarn"));
  check_refused(with(yarn, "llama.rope.scaling.original_context_length", std::int64_t{0}),
                ErrorCode::invalid_file, "llama.rope.scaling.original_context_length:");
}
