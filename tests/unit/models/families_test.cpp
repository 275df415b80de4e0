// The properties of families other than numbers and sizes: patterns of layers, positions, defaults.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "images/layout.hpp"
#include "support/errors.hpp"
#include "unit/models/family_values.hpp"

using namespace heed;
using namespace heed::test;
using formats::Metadata;
using Integer = std::int64_t;

namespace {

std::vector<nn::LayerSpec> layers_of(const Values& values) { return spec_of(values).decoder->stack.layers; }

std::vector<nn::AttentionSpec> attentions_of(const Values& values) {
  std::vector<nn::AttentionSpec> all;
  for (const nn::LayerSpec& layer : layers_of(values))
    if (const auto* attention = std::get_if<nn::AttentionSpec>(&layer.sublayers[0].block)) all.push_back(*attention);
  return all;
}

/// A letter for each layer: w for a window of this size, n for no positions.
std::string pattern(const Values& values, std::size_t window) {
  std::string letters;
  for (const nn::AttentionSpec& attention : attentions_of(values)) {
    CHECK((attention.window == 0 || attention.window == window));
    letters += attention.window == 0 ? (attention.rope ? "r" : "n") : attention.rope ? "w" : "x";
  }
  return letters;
}

}  // namespace

TEST_CASE("patterns of layers are the families' or the files'", "[models]") {
  const Values granite = values_of("granite_swa");
  CHECK(pattern(granite, 16) == "wwwn");
  CHECK(pattern(with(granite, "granite_swa.attention.rope_pattern", Metadata::Integers{0, 1, 0, 1}), 16) == "xwxr");
  CHECK(pattern(with(granite, "granite_swa.attention.sliding_window_pattern", true), 16) == "wwwx");
  CHECK(pattern(without(granite, "granite_swa.attention.sliding_window_pattern"), 16) == "rrrn");
  CHECK(pattern(without(granite, "granite_swa.attention.rope_pattern"), 16) == "wwwr");
  for (const nn::AttentionSpec& attention : attentions_of(granite)) CHECK(attention.sinks);
  check_throws(ErrorCode::invalid_file, "granite_swa.attention.rope_pattern: has 3 entries for 4 layers",
               [&] { spec_of(with(granite, "granite_swa.attention.rope_pattern", Metadata::Integers{1, 1, 1})); });

  const Values small = values_of("smallthinker");
  CHECK(pattern(small, 4096) == "nwww");
  CHECK(pattern(without(small, "smallthinker.attention.sliding_window"), 0) == "rrrr");

  const Values exaone = values_of("exaone4"), large = with(exaone, "exaone4.block_count", Integer{64});
  CHECK(pattern(exaone, 0) == "rrrr");
  CHECK(pattern(large, 16).substr(0, 8) == "wwwnwwwn");
  CHECK(pattern(without(large, "exaone4.attention.sliding_window"), 4096).substr(60) == "wwwn");

  const Values gemma = with(values_of("gemma3"), "gemma3.block_count", Integer{6});
  CHECK(pattern(gemma, 16) == "wwwwwr");
  const Values wide = without(with(gemma, "gemma3.rope.freq_base", 160000.0), "gemma3.attention.sliding_window");
  CHECK(pattern(wide, 0) == "rrrrrr");
  for (const nn::AttentionSpec& attention : attentions_of(wide)) CHECK(attention.rope->theta == 160000.0f);
}

TEST_CASE("Phi-3 has factors of LongRoPE if its file has their magnitude and names no scaling type", "[models]") {
  const std::string type = "phi3.rope.scaling.type", magnitude = "phi3.rope.scaling.attn_factor";
  Values values = values_of("phi3");
  CHECK(attentions_of(values)[0].rope->scaling == nn::RopeScaling::none);
  values = with(with(std::move(values), magnitude, 1.19), "phi3.rope.scaling.original_context_length", Integer{24});
  for (const nn::AttentionSpec& attention : attentions_of(values)) {
    CHECK(attention.rope->scaling == nn::RopeScaling::longrope);
    CHECK(attention.rope->magnitude == 1.19f);
    CHECK(attention.rope->original_context == 24);
  }
  CHECK(*attentions_of(with(values, type, std::string("longrope")))[0].rope == *attentions_of(values)[0].rope);
}

TEST_CASE("a deepseek2 without experts has an MLP in each layer", "[models]") {
  const Values values = without(values_of("deepseek2"), "deepseek2.expert_count");
  const auto width = std::get<Integer>(values.at("deepseek2.feed_forward_length"));
  for (const nn::LayerSpec& layer : layers_of(values)) {
    CHECK(std::holds_alternative<nn::LatentAttentionSpec>(layer.sublayers[0].block));
    CHECK(std::get<nn::MlpSpec>(layer.sublayers[1].block).feed_forward == static_cast<std::size_t>(width));
  }
}

TEST_CASE("the 27B models of Gemma scale by the model's width over its heads", "[models]") {
  for (const auto& [family, layers] : {std::pair{"gemma2", 46}, std::pair{"gemma3", 62}}) {
    const Values values = values_of(family);
    const auto scales = [&](Integer count) {
      const std::string key = std::string(family) + ".block_count";
      return attentions_of(with(values, key, count)).front().scale;
    };
    CHECK(scales(layers) == 1.0f / std::sqrt(64.0f / 8));
    CHECK(scales(layers - 1) == attentions_of(values).front().scale);
    CHECK(scales(layers - 1) != scales(layers));
  }
}

TEST_CASE("some layers of ERNIE's mixtures are dense", "[models]") {
  const auto dense_of = [](const Values& values) {
    std::string letters;
    for (const nn::LayerSpec& layer : layers_of(values))
      letters += std::holds_alternative<nn::MlpSpec>(layer.sublayers[1].block) ? "d" : "e";
    return letters;
  };
  const Values ernie = values_of("ernie4_5-moe");  // the first layer is dense; after it, every second layer has experts
  CHECK(dense_of(ernie) == "dede");
  CHECK(dense_of(without(ernie, "ernie4_5-moe.interleave_moe_layer_step")) == "deee");
  CHECK(dense_of(with(ernie, "ernie4_5-moe.leading_dense_block_count", Integer{9})) == "dddd");
  check_throws(ErrorCode::invalid_file, "ernie4_5-moe.interleave_moe_layer_step:", [&] {
    spec_of(with(ernie, "ernie4_5-moe.interleave_moe_layer_step", Integer{0}));
  });
}

TEST_CASE("mistral3 reads a YaRN of its own, and a temperature", "[models]") {
  const Values values = values_of("mistral3");
  const nn::AttentionSpec attention = attentions_of(values)[3];
  CHECK(attention.rope->fast_turns == 0.5f);
  CHECK(attention.rope->slow_turns == 0.1f);
  CHECK(std::abs(attention.rope->magnitude * (1 + 0.1 * std::log(4.0)) - 1) < 1e-6);
  CHECK(attention.temperature == 0.3f);
  CHECK(attention.temperature_period == 24);

  const nn::AttentionSpec plain = attentions_of(with(values, "mistral3.rope.scaling.type", std::string("none")))[0];
  CHECK(plain.rope->fast_turns == 32);
  CHECK(plain.rope->magnitude == 1);
  CHECK(attentions_of(without(values, "mistral3.attention.temperature_scale"))[0].temperature == 0);

  for (const std::string key : {"rope.scaling.yarn_beta_fast", "rope.scaling.yarn_beta_slow"})
    for (const double turns : {0.0, -1.0})
      check_throws(ErrorCode::invalid_file, "mistral3." + key + ":", [&] { spec_of(with(values, "mistral3." + key, turns)); });
  check_throws(ErrorCode::invalid_file, "mistral3.rope.scaling.original_context_length:", [&] {
    spec_of(with(values, "mistral3.rope.scaling.original_context_length", Integer{0}));
  });
}

TEST_CASE("multipliers have a family's values where the file is silent", "[models]") {
  const nn::DecoderSpec minicpm = *spec_of(without(values_of("minicpm"), "minicpm.logit_scale")).decoder;
  CHECK(minicpm.embedding.scale == 12);
  CHECK(minicpm.stack.residual_scale == 1.4f / 2);
  CHECK(minicpm.head.scale == 64 / 256.0f);
  const nn::DecoderSpec granite = *spec_of(without(values_of("granite"), "granite.logit_scale")).decoder;
  CHECK(granite.embedding.scale == 1);
  CHECK(granite.stack.residual_scale == 1);
  CHECK(granite.head.scale == 1);
}

TEST_CASE("xIELU has finite parameters for each layer", "[models]") {
  const Values values = values_of("apertus");
  const auto layers = layers_of(values);
  for (const std::size_t i : {0u, 3u}) {
    const double raw = i == 0 ? 0.9f : -0.5f;
    const kernels::Xielu xielu = *std::get<nn::MlpSpec>(layers[i].sublayers[1].block).xielu;
    CHECK(std::abs(xielu.positive - std::log1p(std::exp(raw))) < 1e-6);
    CHECK(std::abs(xielu.negative - (std::log1p(std::exp(raw)) + raw)) < 1e-6);
    CHECK(xielu.linear == static_cast<float>(raw));
  }
  for (const std::string key : {"xielu.alpha_p", "xielu.alpha_n", "xielu.beta"})
    for (const Metadata::Value& value : {Metadata::Value{Metadata::Floats{1, 1, 1}},
                                         {Metadata::Floats{1, 1, 1, std::nanf("")}},
                                         {Metadata::Floats{1, 1, 1, HUGE_VALF}},
                                         {Metadata::Integers{1, 1, 1, 1}},
                                         {1.0}})
      check_throws(ErrorCode::invalid_file, key + ":", [&] { spec_of(with(values, key, value)); });
  // as large as a float may be
  CHECK(std::isfinite(
      std::get<nn::MlpSpec>(layers_of(with(values, "xielu.alpha_p", Metadata::Floats{1e38f, 0, 0, 0}))[0].sublayers[1].block)
          .xielu->positive));
}

TEST_CASE("sections of a multi-axis RoPE make up all its pairs", "[models]") {
  for (const std::string name : {"paddleocr", "qwen2vl", "qwen3vl", "qwen3vlmoe", "qwen35", "qwen35moe"}) {
    const Values values = values_of(name);
    const std::string key = name + ".rope.dimension_sections";
    CHECK(attentions_of(values)[0].rope->dims == 8);
    const bool in_turn = name.starts_with("qwen3");
    CHECK(attentions_of(values)[0].rope->axes == (in_turn ? nn::RopeAxes::interleaved : nn::RopeAxes::consecutive));
    CHECK(nn::places_pictures(spec_of(values).decoder->stack));
    CHECK(attentions_of(without(values, key))[0].rope->axes == nn::RopeAxes::position);
    for (const Metadata::Integers& sections : {Metadata::Integers{2, 1, 1}, {2, 1, 0, 0}, {4, 4, 4, 4}})
      check_throws(ErrorCode::invalid_file, key + ":", [&] { spec_of(with(values, key, sections)); });
  }
  const Values glm = values_of("glm4");
  const Values with_axes = with(glm, "glm4.rope.dimension_sections", Metadata::Integers{2, 1, 1, 0});
  CHECK(attentions_of(glm)[0].rope->pairing == nn::RopePairing::interleaved);
  CHECK(attentions_of(with_axes)[0].rope->pairing == nn::RopePairing::halves);
  CHECK(attentions_of(with_axes)[0].rope->axes == nn::RopeAxes::consecutive);
}

TEST_CASE("rows of pictures reach as many of the first layers as the file says", "[models][vision]") {
  const Values values = values_of("qwen3vl");
  CHECK(spec_of(values).decoder->stack.deep_rows == 0);
  CHECK(spec_of(with(values, "qwen3vl.n_deepstack_layers", std::int64_t{3})).decoder->stack.deep_rows == 3);
  check_throws(ErrorCode::invalid_file, "qwen3vl.n_deepstack_layers: must be at most block_count",
               [&] { spec_of(with(values, "qwen3vl.n_deepstack_layers", std::int64_t{5})); });
}

TEST_CASE("in Gemma 3 and in the local layers of Gemma 4 the rows of a tile attend to each other", "[models][vision]") {
  for (const std::string name : {"gemma3", "gemma4"})
    for (const nn::AttentionSpec& attention : attentions_of(values_of(name)))
      CHECK(attention.whole_tiles == (name == "gemma3" || attention.window != 0));
  for (const std::string name : {"gemma2", "gemma3n", "llama", "qwen3vl"})
    CHECK_FALSE(nn::reads_whole_tiles(spec_of(values_of(name)).decoder->stack));
}

TEST_CASE("an image is one tile for a file of SmolVLM that does not say how long its edge becomes", "[models][vision]") {
  const Values values = projector_values("idefics3");
  const nn::VisionSpec cut = *projector_spec_of(values).vision;
  CHECK(std::get<images::LongestEdge>(cut.preparation.method).edge == 64);
  const nn::VisionSpec whole = *projector_spec_of(without(values, "clip.vision.preproc_image_size")).vision;
  const images::Layout layout = images::layout_of(whole.preparation, {300, 200});
  CHECK(layout.canvas == images::Size{32, 32});
  CHECK_FALSE(layout.fitted);  // stretched, as overviews are
  CHECK(layout.tiles().size() == 1);
  CHECK(std::string(whole.markers.before) == std::string(cut.markers.overview));
  CHECK(whole.markers.after == cut.markers.after);
}
