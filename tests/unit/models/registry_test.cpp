// From metadata to specs, and errors that name the wrong key.
#include "models/registry.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support/errors.hpp"
#include "unit/models/family_values.hpp"

using namespace heed;
using namespace heed::test;
using formats::Metadata;

namespace {

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

nn::AttentionSpec attention_of(const Values& values) {
  return std::get<nn::AttentionSpec>(spec_of(values).decoder->stack.layers[0].sublayers[0].block);
}
nn::RopeSpec rope_of(const Values& values) { return *attention_of(values).rope; }

void check_refused(const Values& values, ErrorCode code, const std::string& message) {
  check_throws(code, message, [&] { spec_of(values); });
}

}  // namespace

TEST_CASE("llama's metadata makes its spec", "[models]") {
  const nn::ModelSpec model = spec_of(llama_values());
  CHECK_FALSE(model.encoder);
  const nn::DecoderSpec& spec = *model.decoder;
  CHECK(spec.embedding.width == 64);
  CHECK(spec.embedding.vocabulary == 320);
  CHECK(spec.embedding.context_length == 2048);
  CHECK(spec.embedding.positions == nn::Positions::none);
  CHECK(spec.stack.width == 64);
  CHECK(spec.stack.norm.kind == nn::NormKind::rms);
  CHECK(spec.stack.norm.epsilon == 1e-6f);
  REQUIRE(spec.stack.layers.size() == 3);
  REQUIRE(spec.stack.layers[2].sublayers.size() == 2);
  CHECK_FALSE(spec.stack.layers[2].parallel);
  CHECK(spec.stack.layers[2].sublayers[0].pre_norm == "attn_norm");
  CHECK(spec.stack.layers[2].sublayers[1].pre_norm == "ffn_norm");
  const auto& attention = std::get<nn::AttentionSpec>(spec.stack.layers[2].sublayers[0].block);
  CHECK(attention.heads == 8);
  CHECK(attention.kv_heads == 4);
  CHECK(attention.key_dim == 8);
  CHECK(attention.value_dim == 8);
  CHECK(attention.scale == 1 / std::sqrt(8.0f));
  CHECK_FALSE(attention.biased);
  REQUIRE(attention.rope);
  CHECK(attention.rope->pairing == nn::RopePairing::interleaved);
  CHECK(attention.rope->dims == 8);
  CHECK(attention.rope->theta == 10000);
  CHECK(attention.rope->factor == 1);
  const auto& mlp = std::get<nn::MlpSpec>(spec.stack.layers[2].sublayers[1].block);
  CHECK(mlp.feed_forward == 172);
  CHECK(mlp.activation == kernels::Activation::silu);
  CHECK(mlp.gated);
}

TEST_CASE("gpt2's metadata makes its spec", "[models]") {
  const nn::DecoderSpec spec = *spec_of(gpt2_values()).decoder;
  CHECK(spec.stack.norm.kind == nn::NormKind::layer);
  CHECK(spec.stack.norm.epsilon == 1e-5f);
  CHECK(spec.embedding.positions == nn::Positions::learned);
  const auto& attention = std::get<nn::AttentionSpec>(spec.stack.layers[0].sublayers[0].block);
  CHECK(attention.kv_heads == 4);
  CHECK(attention.key_dim == 16);
  CHECK(attention.biased);
  CHECK_FALSE(attention.rope);
  const auto& mlp = std::get<nn::MlpSpec>(spec.stack.layers[0].sublayers[1].block);
  CHECK(mlp.activation == kernels::Activation::gelu_tanh);
  CHECK_FALSE(mlp.gated);
  CHECK(mlp.biased);
}

TEST_CASE("a llama with experts is a mixture", "[models]") {
  const auto values = with(with(llama_values(), "llama.expert_count", std::int64_t{8}), "llama.expert_used_count", std::int64_t{2});
  const nn::DecoderSpec spec = *spec_of(values).decoder;
  const auto& experts = std::get<nn::ExpertsSpec>(spec.stack.layers[0].sublayers[1].block);
  CHECK(experts.count == 8);
  CHECK(experts.used == 2);
  CHECK(experts.normalized);
  CHECK(experts.expert.feed_forward == 172);
}

TEST_CASE("head size and rope dimensions may be said", "[models]") {
  const auto values = with(llama_values(), "llama.attention.key_length", std::int64_t{12});
  CHECK(attention_of(values).key_dim == 12);
  CHECK(attention_of(values).value_dim == 12);
  CHECK(attention_of(with(values, "llama.attention.value_length", std::int64_t{4})).value_dim == 4);
  CHECK(rope_of(values).dims == 12);
  CHECK(rope_of(with(values, "llama.rope.dimension_count", std::int64_t{6})).dims == 6);
  CHECK(rope_of(with(values, "llama.rope.freq_base", 5e5)).theta == 5e5f);
}

TEST_CASE("rope scaling is read", "[models]") {
  const auto linear = with(with(llama_values(), "llama.rope.scaling.type", std::string("linear")), "llama.rope.scaling.factor",
                           4.0);
  CHECK(rope_of(linear).scaling == nn::RopeScaling::linear);
  CHECK(rope_of(linear).factor == 4);

  const auto untyped = with(llama_values(), "llama.rope.scaling.factor", 8.0);
  CHECK(rope_of(untyped).scaling == nn::RopeScaling::linear);
  CHECK(rope_of(untyped).factor == 8);
  CHECK(rope_of(with(linear, "llama.rope.scaling.factor", 0.0)).factor == 1);
  CHECK(rope_of(with(linear, "llama.rope.scaling.type", std::string("none"))).scaling == nn::RopeScaling::none);

  const auto old = with(llama_values(), "llama.rope.scale_linear", 2.0);
  CHECK(rope_of(old).scaling == nn::RopeScaling::linear);
  CHECK(rope_of(old).factor == 2);

  auto yarn = with(linear, "llama.rope.scaling.type", std::string("yarn"));
  CHECK(rope_of(yarn).original_context == 2048);
  yarn = with(with(yarn, "llama.rope.scaling.original_context_length", std::int64_t{512}), "llama.rope.scaling.attn_factor", 1.5);
  CHECK(rope_of(yarn).scaling == nn::RopeScaling::yarn);
  CHECK(rope_of(yarn).original_context == 512);
  CHECK(rope_of(yarn).magnitude == 1.5f);
}

TEST_CASE("an architecture that is not there is named, with one that is near to it", "[models]") {
  for (const auto& [name, nearest] : {std::pair<std::string, std::string>{"mamba3", "mamba2"},
                                      {"gpt-os", "gpt-oss"},
                                      {"exaone5", "exaone4"},
                                      {"deepseek3", "deepseek2"},
                                      {"rwkv8", "rwkv6"},
                                      {"Qwen3", "qwen3"},
                                      {"zebra", ""},
                                      {"flux", ""},
                                      {"", ""},
                                      {std::string(100000, 'x'), ""}}) {
    const std::string shown = name.size() > 64 ? name.substr(0, 64) + "..." : name;
    const std::string near = nearest.empty() ? "" : "; nearest to it by name is '" + nearest + "'";
    check_refused(with(llama_values(), "general.architecture", name), ErrorCode::unsupported,
                  "general.architecture: architecture '" + shown + "' is not supported" + near +
                      ". Ask for it at https://github.com/heed-authors/heed/issues");
  }
  auto values = llama_values();
  values.erase("general.architecture");
  check_refused(values, ErrorCode::invalid_file, "general.architecture");
}

TEST_CASE("a file that belongs beside a model is named by its kind", "[models]") {
  for (const auto& [key, value, kind] :
       {std::tuple<std::string, std::string, std::string>{"general.type", "adapter", "an adapter (LoRA)"},
        {"general.type", "mmproj", "a projector"},
        {"general.type", "vocab", "a vocabulary"},
        {"general.architecture", "imatrix", "an importance matrix"},
        {"general.architecture", "controlvector", "a control vector"}})
    check_refused(with(llama_values(), key, value), ErrorCode::unsupported,
                  key + ": the file is " + kind + ", which belongs beside a model");
  CHECK_NOTHROW(spec_of(with(llama_values(), "general.type", std::string("model"))));
}

TEST_CASE("unsupported features are rejected by name", "[models]") {
  check_refused(with(llama_values(), "llama.rope.scaling.type", std::string("ntk")), ErrorCode::unsupported,
                "llama.rope.scaling.type: RoPE scaling 'ntk' is not supported; known: none, linear, yarn, longrope");
  check_refused(with(values_of("bert"), "bert.pooling_type", std::int64_t{5}), ErrorCode::unsupported,
                "bert.pooling_type: pooling 5 is not supported; known: none (0), mean (1), cls (2), last (3), rank (4)");
  for (const std::int64_t gating : {0, 4})
    check_refused(with(values_of("qwen3moe"), "qwen3moe.expert_gating_func", gating), ErrorCode::unsupported,
                  "qwen3moe.expert_gating_func: gating function " + std::to_string(gating));
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
  for (const char* key : {"embedding_length", "block_count", "context_length", "feed_forward_length", "attention.head_count",
                          "attention.head_count_kv", "attention.key_length"}) {
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
  check_refused(with(yarn, "llama.rope.scaling.original_context_length", std::int64_t{0}), ErrorCode::invalid_file,
                "llama.rope.scaling.original_context_length:");
}
