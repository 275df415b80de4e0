// Encoders, and decoders that embed, as described by their files: which layers see all tokens, how vectors are pooled and
// projected.
#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"
#include "unit/models/family_values.hpp"

using namespace heed;
using namespace heed::test;
using formats::Metadata;
using Integer = std::int64_t;

namespace {

nn::EncoderSpec encoder_of(const Values& values) {
  const nn::ModelSpec spec = spec_of(values);
  REQUIRE(spec.encoder);
  CHECK_FALSE(spec.decoder);
  return *spec.encoder;
}

/// The attentions of a stack that sees this way.
std::vector<nn::AttentionSpec> attentions_of(const nn::EncoderSpec& spec, nn::Mask mask) {
  std::vector<nn::AttentionSpec> all;
  for (const nn::LayerSpec& layer : spec.stack.layers) {
    all.push_back(std::get<nn::AttentionSpec>(layer.sublayers[0].block));
    CHECK(all.back().mask == mask);
  }
  return all;
}

/// One letter per layer: w for a window, o for none; a capital if its RoPE has the base of layers without a window.
std::string pattern(const Values& values) {
  std::string letters;
  for (const nn::AttentionSpec& attention : attentions_of(encoder_of(values), nn::Mask::none)) {
    CHECK((attention.window == 0 || attention.window == 16));
    const bool own = attention.rope->theta == 10000.0f;
    letters += attention.window == 0 ? (own ? 'o' : 'O') : own ? 'w' : 'W';
  }
  return letters;
}

}  // namespace

TEST_CASE("most layers of some encoders see a window", "[models]") {
  using Case = std::tuple<std::string, const char*, const char*, const char*>;
  for (const auto& [architecture, all, every_second, none] :
       {Case{"modern-bert", "Owww", "OwOw", "wwww"}, {"gemma-embedding", "wwwwwO", "wOwOwO", "wwwwww"}}) {
    INFO(architecture);
    const std::string key = architecture + ".attention.sliding_window_pattern";
    Values values = with(values_of(architecture), architecture + ".rope.freq_base", 160000.0);
    values = with(std::move(values), architecture + ".rope.freq_base_swa", 10000.0);
    if (architecture == "modern-bert") values = with(std::move(values), key, Integer{4});
    else values = with(std::move(values), "gemma-embedding.block_count", Integer{6});
    CHECK(pattern(values) == all);
    CHECK(pattern(with(values, key, Integer{2})) == every_second);
    CHECK(pattern(with(values, key, Integer{0})) == none);
  }
  Values plain = values_of("modern-bert");
  CHECK(pattern(with(plain, "modern-bert.rope.freq_base", 160000.0)) == "OWWO");
  plain.erase("modern-bert.attention.sliding_window");
  CHECK(pattern(plain) == "oooo");
  CHECK(encoder_of(plain).stack.layers[0].sublayers[0].pre_norm.empty());
  CHECK(encoder_of(plain).stack.layers[1].sublayers[0].pre_norm == "attn_norm");
}

TEST_CASE("encoders name their activation", "[models]") {
  const auto activation = [](const Values& values) {
    return std::get<nn::MlpSpec>(encoder_of(values).stack.layers[0].sublayers[1].block).activation;
  };
  Values values = values_of("modern-bert");
  CHECK(activation(values) == kernels::Activation::silu);
  check_throws(ErrorCode::unsupported, "modern-bert.hidden_activation: activation 'relu' is not supported; known: gelu, silu",
               [&] { spec_of(with(values, "modern-bert.hidden_activation", std::string("relu"))); });
  values.erase("modern-bert.hidden_activation");
  CHECK(activation(values) == kernels::Activation::gelu);
}

TEST_CASE("some layers of Nomic's have experts", "[models]") {
  const auto layers = [](const Values& values) {
    std::string letters;
    for (const nn::LayerSpec& layer : encoder_of(values).stack.layers)
      letters += std::holds_alternative<nn::ExpertsSpec>(layer.sublayers[1].block) ? 'e' : 'd';
    return letters;
  };
  Values values = values_of("nomic-bert-moe");
  CHECK(layers(values) == "dede");
  const std::string key = "nomic-bert-moe.moe_every_n_layers";
  CHECK(layers(with(values, key, Integer{3})) == "dedd");
  for (const Integer never : {0, 1, 9}) CHECK(layers(with(values, key, never)) == (never == 9 ? "dedd" : "dddd"));
}

TEST_CASE("pooled vectors go through the layers that the file has for them", "[models]") {
  Values values = values_of("gemma-embedding");
  const auto rows = [](const Values& v) {
    std::vector<std::size_t> all;
    for (const nn::ProjectionSpec& projection : encoder_of(v).projections) all.push_back(projection.rows);
    return all;
  };
  CHECK(rows(values) == std::vector<std::size_t>{28, 32});
  for (const std::string name : {"dense_2_feat_out", "dense_3_feat_out"})
    for (const Integer value : {Integer{0}, Integer{1 << 18}, Integer{-1}})
      check_throws(ErrorCode::invalid_file, "gemma-embedding." + name + ":",
                   [&] { spec_of(with(values, "gemma-embedding." + name, value)); });
  values.erase("gemma-embedding.dense_2_feat_out");
  CHECK(rows(values) == std::vector<std::size_t>{32});
}

TEST_CASE("a decoder embeds where its file says how it is pooled", "[models]") {
  const std::string pooling = "qwen3.pooling_type", labels = "qwen3.classifier.output_labels";
  const Values values = values_of("qwen3");
  CHECK(spec_of(values).decoder);
  CHECK(spec_of(with(values, pooling, Integer{0})).decoder);
  const nn::Pooling kinds[] = {nn::Pooling::mean, nn::Pooling::cls, nn::Pooling::last};
  for (Integer type = 1; type <= 3; ++type) {
    const nn::EncoderSpec spec = encoder_of(with(values, pooling, type));
    CHECK(spec.pooling == kinds[type - 1]);
    CHECK(spec.scores == 0);
    attentions_of(spec, nn::Mask::causal);
    attentions_of(encoder_of(with(with(values, pooling, type), "qwen3.attention.causal", false)), nn::Mask::none);
  }
  const nn::EncoderSpec both_sides = encoder_of(with(values, "qwen3.attention.causal", false));  // cannot generate
  CHECK(both_sides.pooling == nn::Pooling::mean);
  attentions_of(both_sides, nn::Mask::none);
  const nn::EncoderSpec one = encoder_of(with(values, pooling, Integer{4}));
  CHECK(one.pooling == nn::Pooling::last);
  CHECK(one.scores == 1);
  CHECK_FALSE(one.probabilities);
  const nn::EncoderSpec two = encoder_of(with(with(values, pooling, Integer{4}), labels, Metadata::Strings{"yes", "no"}));
  CHECK(two.scores == 2);
  CHECK(two.probabilities);
  check_throws(ErrorCode::unsupported, "qwen3.pooling_type: pooling 5 is not supported;",
               [&] { spec_of(with(values, pooling, Integer{5})); });
  check_throws(ErrorCode::invalid_file, labels + ": must be at most 65536",
               [&] { spec_of(with(with(values, pooling, Integer{4}), labels, Metadata::Strings(65537, "x"))); });
  for (const Metadata::Value& mad : {Metadata::Value{-1.0}, {Integer{-1}}, {std::string("last")}, {Metadata::Integers{1}}})
    check_throws(ErrorCode::invalid_file, pooling + ":", [&] { spec_of(with(values, pooling, mad)); });
}

TEST_CASE("every decoder that is alone embeds where its file says so", "[models]") {
  for (const std::string architecture : kArchitectures) {
    INFO(architecture);
    const nn::ModelSpec plain = spec_of(values_of(architecture));
    const Values pooled = with(values_of(architecture), architecture + ".pooling_type", Integer{3});
    if (plain.decoder && plain.decoder->per_layer.width != 0) {
      check_throws(ErrorCode::unsupported, architecture + ".pooling_type:", [&] { spec_of(pooled); });
      continue;
    }
    const nn::ModelSpec asked = spec_of(pooled);
    CHECK(asked.encoder.has_value() == (plain.encoder || plain.decoder));
    CHECK(asked.decoder.has_value() == (plain.encoder && plain.decoder));
  }
}

TEST_CASE("an encoder beside a decoder keeps it", "[models]") {
  const nn::ModelSpec spec = spec_of(with(values_of("t5"), "t5.pooling_type", Integer{3}));
  CHECK(spec.decoder);
  CHECK(spec.encoder->pooling == nn::Pooling::last);
}
