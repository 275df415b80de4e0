// Hyperparameters that make no sense, for every family: each is an error that names the key, or harmless.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "support/errors.hpp"
#include "unit/models/family_values.hpp"

using namespace heed;
using namespace heed::test;
using formats::Metadata;
using Integer = std::int64_t;

namespace {

enum class Outcome { accepted, refused };

/// Makes a spec from values that must either make sense or lead to an error about the key, or about another key that does not fit
/// it.
Outcome judge(const Values& values, const std::string& key, nn::ModelSpec (*make)(const Values&) = spec_of) {
  try {
    make(values);
    return Outcome::accepted;
  } catch (const Error& error) {
    INFO(error.message());
    CHECK((error.code() == ErrorCode::invalid_file || error.code() == ErrorCode::unsupported));
    CHECK(error.message().find(key) != std::string::npos);
    return Outcome::refused;
  }
}

void check_refused(const std::string& architecture, const std::string& key, Metadata::Value value) {
  INFO(architecture << "." << key);
  CHECK(judge(with(values_of(architecture), architecture + "." + key, std::move(value)), architecture + "." + key + ":") ==
        Outcome::refused);
}

}  // namespace

TEST_CASE("every family is made from what it needs", "[models]") {
  for (const std::string architecture : kArchitectures) {
    INFO(architecture);
    const nn::ModelSpec spec = spec_of(values_of(architecture));
    CHECK((spec.encoder || spec.decoder || spec.vision));
  }
}

TEST_CASE("every hyperparameter of every family may be missing or mad", "[models]") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
  // these make sense alone, but do not fit the others, of which one may be named
  const Metadata::Value odd[] = {Integer{1}, Integer{7}, Metadata::Integers{4, 4, 4, 4}};
  const Metadata::Value mad[] = {Integer{0},
                                 Integer{-1},
                                 Integer{0xffffffff},
                                 std::numeric_limits<Integer>::max(),
                                 std::numeric_limits<Integer>::min(),
                                 0.0,
                                 -1.0,
                                 1e-30,
                                 1e30,
                                 1e300,
                                 kNan,
                                 kInf,
                                 true,
                                 std::string("seven"),
                                 Metadata::Integers{},
                                 Metadata::Integers{4, 0, 4, 0},
                                 Metadata::Integers{4, -4, 4, 4},
                                 Metadata::Integers{4, 4, 4, 4, 4}};
  std::size_t refused = 0;
  for (const std::string architecture : kArchitectures) {
    const Values values = values_of(architecture);
    for (const auto& [key, right] : values) {
      if (!key.starts_with(architecture + ".")) continue;
      const std::string bare = key.substr(architecture.size() + 1);
      INFO(key);
      Values less = values;
      less.erase(key);
      judge(less, architecture + ".");
      for (const Metadata::Value& value : odd) judge(with(values, key, value), architecture + ".");
      for (std::size_t i = 0; i < std::size(mad); ++i) {
        INFO("value " << i);
        refused += judge(with(values, key, mad[i]), bare) == Outcome::refused;
      }
    }
  }
  CHECK(refused > 3000);
}

TEST_CASE("every hyperparameter of every projector may be missing or mad", "[models][vision]") {
  const Metadata::Value mad[] = {Integer{0},
                                 Integer{-1},
                                 Integer{7},
                                 Integer{0xffffffff},
                                 std::numeric_limits<Integer>::max(),
                                 0.0,
                                 std::numeric_limits<double>::quiet_NaN(),
                                 1e300,
                                 true,
                                 std::string("seven"),
                                 Metadata::Integers{},
                                 Metadata::Integers{4, -4},
                                 Metadata::Floats{0, std::numeric_limits<float>::quiet_NaN(), 1}};
  std::size_t refused = 0;
  std::vector<std::pair<std::string, Values>> all;
  for (const std::string type : kProjectorTypes) all.emplace_back(type, projector_values(type));
  for (const std::string type : kHearingTypes) all.emplace_back(type, hearing_values(type));
  for (const auto& [type, values] : all) {
    INFO(type);
    CHECK(judge(values, "", projector_spec_of) == Outcome::accepted);
    for (const auto& [key, right] : values) {
      if (!key.starts_with("clip.") || key.starts_with("clip.text.")) continue;
      INFO(key);
      Values less = values;
      less.erase(key);
      judge(less, "clip.", projector_spec_of);
      for (const Metadata::Value& value : mad)
        refused += judge(with(values, key, value), "clip.", projector_spec_of) == Outcome::refused;
    }
  }
  CHECK(refused > 1000);
}

TEST_CASE("sizes of projectors that are out of bounds are named", "[models][vision]") {
  const auto refuses = [](const std::string& type, const std::string& key, Metadata::Value value) {
    INFO(type << " " << key);
    CHECK(judge(with(projector_values(type), "clip." + key, std::move(value)), "clip." + key + ":", projector_spec_of) ==
          Outcome::refused);
  };
  for (const Integer factor : {Integer{0}, Integer{17}, Integer{0xffffffff}}) {
    refuses("idefics3", "vision.projector.scale_factor", factor);
    refuses("pixtral", "vision.spatial_merge_size", factor);
  }
  for (const std::string type : kProjectorTypes) {
    refuses(type, "vision.patch_size", Integer{0});
    refuses(type, "vision.image_size", Integer{0});
    refuses(type, "vision.image_size", Integer{100000});
    refuses(type, "vision.projection_dim", Integer{0});
    refuses(type, "vision.image_std", Metadata::Floats{1, 0, 1});
    refuses(type, "vision.image_mean", Metadata::Floats{1, std::numeric_limits<float>::quiet_NaN(), 1});
    refuses(type, "has_vision_encoder", false);
  }
  refuses("gemma3", "vision.projector.scale_factor", Integer{5});  // of four patches per side
  refuses("idefics3", "vision.preproc_image_size", Integer{0});
  refuses("idefics3", "vision.preproc_image_size", Integer{100000});
  refuses("idefics3", "vision.preproc_image_size", Integer{8192});  // 256 tiles of 32 pixels per side
  refuses("internvl", "vision.preproc_max_tiles", Integer{100000});
  refuses("internvl", "vision.preproc_min_tiles", Integer{5});
  refuses("paddleocr", "vision.image_max_pixels", Integer{0});
  refuses("paddleocr", "vision.image_min_pixels", Integer{8193});
  refuses("qwen3vl_merger", "vision.spatial_merge_size", Integer{3});
  refuses("qwen3vl_merger", "vision.attention.head_count", Integer{32});  // of two values each
  refuses("mlp", "vision.block_count", Integer{1});
  refuses("qwen2.5vl_merger", "projector_type", std::string("resampler"));
}

TEST_CASE("a model is no projector, and a projector no model", "[models][vision]") {
  CHECK(judge(projector_values("idefics3"), "clip.projector_type: belongs to a text model") == Outcome::refused);
  CHECK(judge(values_of("llama"), "general.architecture: 'llama' has no projector", projector_spec_of) == Outcome::refused);
  CHECK(judge(values_of("clip"), "clip.has_vision_encoder", projector_spec_of) == Outcome::refused);
}

TEST_CASE("counts that are 0 or huge are named", "[models]") {
  const std::map<std::string, std::vector<std::string>> counts = {
      {"llama",
       {"embedding_length", "block_count", "context_length", "attention.head_count", "attention.head_count_kv",
        "attention.key_length", "attention.value_length", "rope.dimension_count", "expert_used_count",
        "expert_feed_forward_length"}},
      {"gpt2", {"feed_forward_length"}},
      {"deepseek2",
       {"attention.kv_lora_rank", "attention.head_count", "attention.key_length", "attention.value_length", "rope.dimension_count",
        "expert_count", "expert_group_count", "expert_group_used_count"}},
      {"gemma3n", {"attention.head_count_kv", "feed_forward_length"}},
      {"gemma4", {"attention.head_count_kv", "attention.key_length_swa", "attention.value_length_swa", "rope.dimension_count_swa"}},
      {"lfm2", {"shortconv.l_cache"}},
      {"mamba2", {"ssm.conv_kernel", "ssm.group_count", "ssm.inner_size", "ssm.state_size", "ssm.time_step_rank"}},
      {"qwen35", {"ssm.conv_kernel", "ssm.group_count", "ssm.inner_size", "ssm.state_size", "ssm.time_step_rank"}},
      {"t5", {"attention.relative_buckets_count", "decoder_block_count"}},
  };
  for (const auto& [architecture, keys] : counts)
    for (const std::string& key : keys)
      for (const Integer value : {Integer{0}, Integer{0xffffffff}, Integer{-1}}) {
        INFO(value);
        // a convolution's taps matter where a layer has one
        Values values = values_of(architecture);
        if (key == "shortconv.l_cache") values["lfm2.attention.head_count_kv"] = Metadata::Integers{4, 0, 4, 0};
        const std::string full = architecture + "." + key;
        INFO(full);
        CHECK(judge(with(values, full, value), key) == Outcome::refused);
      }
}

TEST_CASE("sizes that do not fit each other are named", "[models]") {
  check_refused("llama", "attention.head_count_kv", Integer{3});   // does not divide 8
  check_refused("llama", "attention.head_count_kv", Integer{16});  // more than heads
  check_refused("llama", "attention.head_count_kv", Metadata::Integers{4, 4, 4});
  check_refused("lfm2", "attention.head_count_kv", Metadata::Integers{4, 0, 4, 0, 4});
  check_refused("lfm2", "attention.head_count_kv", Metadata::Integers{4, 0, 3, 0});
  check_refused("llama", "rope.dimension_count", Integer{7});
  check_refused("llama", "rope.dimension_count", Integer{26});  // more than the head's 24
  check_refused("deepseek2", "rope.dimension_count", Integer{24});
  check_refused("deepseek2", "rope.dimension_count", Integer{5});
  check_refused("llama", "expert_used_count", Integer{9});
  check_refused("deepseek2", "expert_used_count", Integer{5});  // two of four groups have four
  check_refused("deepseek2", "expert_group_count", Integer{3});
  check_refused("deepseek2", "expert_group_used_count", Integer{5});
  check_refused("t5", "attention.relative_buckets_count", Integer{3});
  for (const std::string architecture : {"mamba2", "qwen35", "falcon-h1"}) {
    check_refused(architecture, "ssm.group_count", Integer{3});  // does not divide 4
    check_refused(architecture, "ssm.inner_size", Integer{42});
    check_refused(architecture, "ssm.state_size", Integer{1025});
  }
  check_refused("qwen35", "full_attention_interval", Integer{0});
  check_refused("qwen35", "nextn_predict_layers", Integer{4});  // of 4 blocks
  check_refused("qwen35", "attention.recurrent_layers", Metadata::Integers{1, 0, 1});
  Values large = with(with(values_of("mamba2"), "mamba2.ssm.inner_size", Integer{1 << 20}), "mamba2.ssm.state_size", Integer{1024});
  large = with(std::move(large), "mamba2.ssm.time_step_rank", Integer{1024});
  CHECK(judge(large, "mamba2.block_count:") == Outcome::refused);  // states of a gigabyte a layer
  for (const Integer token : {Integer{320}, Integer{0xffffffff}, Integer{-1}}) {
    check_refused("t5", "decoder_start_token_id", token);
    check_refused("transformer", "decoder_start_token_id", token);
  }
  for (const Integer sharing : {Integer{1}, Integer{3}, Integer{4}, Integer{5}, Integer{0xffffffff}})
    check_refused("gemma4", "attention.shared_kv_layers", sharing);
  check_refused("gemma4", "embedding_length_per_layer_input", Integer{1 << 17});
  check_refused("gemma4", "attention.sliding_window_pattern", Metadata::Integers{1, 0, 1});
  check_refused("granite", "logit_scale", 0.0);
  check_refused("gemma2", "attn_logit_softcapping", -1.0);
}

TEST_CASE("files say which layers keep states", "[models]") {
  const auto states = [](const Values& values) {
    std::vector<int> found;
    const nn::ModelSpec spec = spec_of(values);
    for (const nn::LayerSpec& layer : spec.decoder->stack.layers)
      found.push_back(std::holds_alternative<nn::GatedDeltaNetSpec>(layer.sublayers[0].block) ? 1 : 0);
    return found;
  };
  const Values values = values_of("qwen35");
  CHECK(states(values) == std::vector{1, 0, 1, 0});
  CHECK(states(with(values, "qwen35.full_attention_interval", Integer{3})) == std::vector{1, 1, 0, 1});
  const Values listed = with(values, "qwen35.attention.recurrent_layers", Metadata::Integers{0, 0, 1, 1});
  CHECK(states(listed) == std::vector{0, 0, 1, 1});
  CHECK(states(with(listed, "qwen35.nextn_predict_layers", Integer{1})) == std::vector{0, 0, 1});
}

TEST_CASE("groups of no layers have no last one", "[models]") {
  for (const std::string architecture : {"gemma3", "gemma3n"}) {
    const auto values = with(values_of(architecture), architecture + ".attention.sliding_window_pattern", Integer{0});
    const nn::ModelSpec spec = spec_of(values);
    for (const nn::LayerSpec& layer : spec.decoder->stack.layers)
      CHECK(std::get<nn::AttentionSpec>(layer.sublayers[0].block).window == 16);
  }
}

TEST_CASE("files list the layers with a window, or say how large their groups are", "[models]") {
  for (const std::string architecture : {"gemma3", "gemma3n"}) {
    INFO(architecture);
    const std::string key = architecture + ".attention.sliding_window_pattern";
    const auto windows = [&](const Metadata::Value& value) {
      std::vector<bool> found;
      const nn::ModelSpec spec = spec_of(with(values_of(architecture), key, value));
      for (const nn::LayerSpec& layer : spec.decoder->stack.layers)
        found.push_back(std::get<nn::AttentionSpec>(layer.sublayers[0].block).window != 0);
      return found;
    };
    CHECK(windows(Integer{2}) == std::vector{true, false, true, false});
    CHECK(windows(Metadata::Integers{1, 1, 0, 1}) == std::vector{true, true, false, true});
    check_refused(architecture, "attention.sliding_window_pattern", Metadata::Integers{1, 1, 0});
    check_refused(architecture, "attention.sliding_window_pattern", std::string("local"));
  }
}

TEST_CASE("every layer may have its own kv heads, but only some families have layers without", "[models]") {
  const Metadata::Integers mixed = {4, 0, 4, 0};
  const Values lfm2 = with(values_of("lfm2"), "lfm2.attention.head_count_kv", mixed);
  const std::vector<nn::LayerSpec> layers = spec_of(lfm2).decoder->stack.layers;
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(std::holds_alternative<nn::ShortConvolutionSpec>(layers[i].sublayers[0].block) == (i % 2 == 1));
  const auto qwen3 = spec_of(with(values_of("qwen3"), "qwen3.attention.head_count_kv", Metadata::Integers{4, 2, 1, 8}));
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(std::get<nn::AttentionSpec>(qwen3.decoder->stack.layers[i].sublayers[0].block).kv_heads ==
          std::vector<std::size_t>{4, 2, 1, 8}[i]);
  for (const std::string architecture : {"llama", "qwen3", "gemma3", "gpt-oss", "falcon", "bert"})
    check_refused(architecture, "attention.head_count_kv", mixed);
}
