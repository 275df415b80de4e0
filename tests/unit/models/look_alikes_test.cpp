// Families that look alike and differ: in how they pair what RoPE turns, in which layers have positions, in how experts are weighted.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <optional>

#include "support/errors.hpp"
#include "unit/models/family_values.hpp"

using namespace heed;
using namespace heed::test;
using formats::Metadata;
using Integer = std::int64_t;
using nn::RopePairing;

namespace {

const nn::StackSpec& stack_of(const nn::ModelSpec& spec) { return spec.decoder ? spec.decoder->stack : spec.encoder->stack; }

/// Of the first layer that turns anything; nothing if none does.
std::optional<RopePairing> pairing_of(const nn::StackSpec& stack) {
  for (const nn::LayerSpec& layer : stack.layers)
    for (const nn::SublayerSpec& sublayer : layer.sublayers) {
      if (const auto* attention = std::get_if<nn::AttentionSpec>(&sublayer.block); attention && attention->rope)
        return attention->rope->pairing;
      if (const auto* latent = std::get_if<nn::LatentAttentionSpec>(&sublayer.block)) return latent->rope.pairing;
    }
  return std::nullopt;
}

std::vector<nn::AttentionSpec> self_attentions_of(const Values& values) {
  std::vector<nn::AttentionSpec> all;
  const nn::ModelSpec spec = spec_of(values);
  for (const nn::LayerSpec& layer : stack_of(spec).layers)
    if (const auto* attention = nn::self_attention(layer)) all.push_back(*attention);
  return all;
}

/// A letter for each layer: w with a window and positions, x with a window alone, r with positions alone, n with neither.
std::string windows_and_positions(const Values& values) {
  std::string letters;
  for (const nn::AttentionSpec& attention : self_attentions_of(values))
    letters += attention.window != 0 ? (attention.rope ? "w" : "x") : (attention.rope ? "r" : "n");
  return letters;
}

nn::ExpertsSpec last_experts(const Values& values) {
  const nn::ModelSpec spec = spec_of(values);
  const nn::LayerSpec& layer = stack_of(spec).layers.back();
  return std::get<nn::ExpertsSpec>(layer.sublayers[layer.sublayers.size() - 1].block);
}

}  // namespace

TEST_CASE("which two values RoPE turns together is the family's", "[models]") {
  const auto check = [](const std::optional<RopePairing>& expected, std::initializer_list<const char*> architectures) {
    for (const std::string architecture : architectures) {
      INFO(architecture);
      const nn::ModelSpec spec = spec_of(values_of(architecture));
      CHECK(pairing_of(stack_of(spec)) == expected);
    }
  };
  check(RopePairing::interleaved,
        {"internlm2", "olmo", "xverse", "deepseek", "plm", "chatglm", "bailingmoe", "maincoder", "nanbeige", "llama4", "cohere2moe",
         "llama-embed", "deci", "ernie4_5-moe", "muse-glimmer", "mistral3", "llada"});
  check(RopePairing::halves,
        {"exaone",      "minicpm3",       "bitnet",      "phimoe",        "nemotron",         "orion",   "qwen",
         "openelm",     "codeshell",      "jais2",       "dots1",         "bailingmoe2",      "glm4moe", "grovemoe",
         "afmoe",       "laguna",         "mimo2",       "step35",        "talkie",           "mellum",  "exaone-moe",
         "maple",       "pangu-embedded", "hunyuan-moe", "spark2_5",      "cogvlm",           "plamo",   "plamo3",
         "maion-coder", "hunyuan_vl",     "k2-horizon",  "deepseek2-ocr", "gemma-embedding2", "plamo2",  "hrm_text",
         "dream",       "rnd1",           "llada-moe"});
  check(std::nullopt, {"starcoder", "mpt", "refact", "jais", "jamba", "baichuan"});
}

TEST_CASE("Baichuan's depth says how it places positions", "[models]") {
  const auto of_depth = [](Integer layers) { return spec_of(with(values_of("baichuan"), "baichuan.block_count", layers)); };
  CHECK(pairing_of(of_depth(32).decoder->stack) == RopePairing::interleaved);
  CHECK_FALSE(of_depth(32).decoder->stack.bias);
  CHECK_FALSE(pairing_of(of_depth(40).decoder->stack));
  CHECK(of_depth(40).decoder->stack.bias->steepest == 8);
  CHECK_FALSE(of_depth(12).decoder->stack.bias);
  CHECK(spec_of(values_of("refact")).decoder->stack.bias->steepest == 8);
  CHECK_FALSE(spec_of(without(values_of("mpt"), "mpt.attention.max_alibi_bias")).decoder->stack.bias);
}

TEST_CASE("windows and positions lie in the family's layers", "[models]") {
  CHECK(windows_and_positions(values_of("exaone-moe")) == "wwwn");
  CHECK(windows_and_positions(values_of("afmoe")) == "wwwn");
  CHECK(windows_and_positions(with(values_of("afmoe"), "afmoe.attention.sliding_window_pattern", Metadata::Integers{0, 1, 0, 1})) ==
        "rwrx");
  CHECK(windows_and_positions(values_of("muse-glimmer")) == "wwwn");
  CHECK(windows_and_positions(values_of("maple")) == "wwwn");
  CHECK(windows_and_positions(values_of("maion-coder")) == "wwwn");
  CHECK(windows_and_positions(values_of("llama4")) == "wwwn");
  CHECK(windows_and_positions(values_of("mellum")) == "wwwr");
  CHECK(windows_and_positions(values_of("laguna")) == "rwww");
  CHECK(windows_and_positions(values_of("cohere2moe")) == "rwww");  // of the global layers, the first is dense, and has positions
  CHECK(windows_and_positions(with(values_of("cohere2moe"), "cohere2moe.leading_dense_block_count", Integer{0})) == "nwww");
  CHECK(windows_and_positions(with(values_of("plamo3"), "plamo3.attention.sliding_window_pattern", Integer{2})) == "wrwr");
  CHECK(windows_and_positions(values_of("mimo2")) == "rwrw");
  CHECK(windows_and_positions(values_of("phimoe")) == "rrrr");  // whatever window the file has
}

TEST_CASE("experts are weighted as the family has it", "[models]") {
  const auto check = [](const std::string& architecture, nn::Gating gating, bool normalized, const char* absent = "") {
    Values values = values_of(architecture);
    values.erase(architecture + "." + absent);
    const nn::ExpertsSpec experts = last_experts(values);
    INFO(architecture);
    CHECK(experts.gating == gating);
    CHECK(experts.normalized == normalized);
  };
  check("deepseek", nn::Gating::softmax, false);
  check("deepseek2-ocr", nn::Gating::softmax, false);
  for (const char* architecture : {"phimoe", "hunyuan-moe", "mellum", "grovemoe", "maple", "maion-coder", "rnd1"})
    check(architecture, nn::Gating::softmax, true);
  for (const char* architecture : {"llada-moe", "jamba"}) check(architecture, nn::Gating::softmax, false);
  check("llama4", nn::Gating::sigmoid, false);
  for (const char* architecture : {"mimo2", "kimi-linear"}) check(architecture, nn::Gating::sigmoid, true);
  for (const char* architecture : {"glm4moe", "afmoe", "cohere2moe", "step35", "laguna", "k2-horizon"}) {
    check(architecture, nn::Gating::softmax, false);  // as the key says
    check(architecture, nn::Gating::sigmoid, false, "expert_gating_func");
  }
  CHECK(last_experts(values_of("hunyuan-moe")).expert.feed_forward == 172);
  CHECK(last_experts(values_of("deepseek")).shared == 40);
  CHECK(last_experts(without(values_of("deepseek"), "deepseek.expert_shared_feed_forward_length")).shared == 48);
  CHECK(last_experts(with(values_of("bailingmoe2"), "bailingmoe2.expert_shared_count", Integer{3})).shared == 120);
  CHECK(last_experts(values_of("llama4")).shared == 48);
}

TEST_CASE("what a family has that its file does not say", "[models]") {
  CHECK(self_attentions_of(values_of("jais"))[0].scale == 1.0f / 24);
  CHECK(spec_of(values_of("muse-glimmer")).decoder->stack.post_norm->epsilon == 1e-8f);
  CHECK(std::get<nn::MlpSpec>(spec_of(values_of("qwen")).decoder->stack.layers[0].sublayers[1].block).feed_forward == 86);
  CHECK(self_attentions_of(values_of("cogvlm"))[0].rope->theta == 10000);
  const float turned = self_attentions_of(values_of("hunyuan_vl"))[0].rope->theta;
  CHECK(std::abs(turned / (10000 * std::pow(10.0, 24.0 / 22)) - 1) < 1e-6);
  const auto step = self_attentions_of(values_of("step35"));
  CHECK(step[3].rope->dims == 4);  // of a layer that sees all: half
  CHECK(step[0].rope->dims == 8);
  const nn::DecoderSpec minicpm = *spec_of(values_of("minicpm3")).decoder;
  CHECK(minicpm.embedding.scale == 12);
  CHECK(minicpm.stack.residual_scale == 1.4f / 2);
  CHECK(minicpm.head.scale == 4);
  const nn::DecoderSpec rwkv = *spec_of(values_of("rwkv6")).decoder;
  CHECK(rwkv.stack.layers[0].sublayers[1].scale == 1);
  CHECK(rwkv.stack.layers[1].sublayers[1].scale == 0.5f);
  const auto layers = spec_of(values_of("cohere2moe")).decoder->stack.layers;
  CHECK(layers[0].sublayers[1].factor == 1);
  CHECK(layers[1].sublayers[1].factor == 0.5f);
}

TEST_CASE("layers run in the order that a file's loops and cycles say", "[models]") {
  const auto blocks_of = [](const Values& values) {
    std::string blocks;
    const nn::ModelSpec spec = spec_of(values);
    for (std::size_t i = 0; i < spec.decoder->stack.layers.size(); ++i) {
      const nn::LayerSpec& layer = spec.decoder->stack.layers[i];
      blocks += std::to_string(layer.block.value_or(i)) + (layer.turn_norm.empty() ? "" : "|");
    }
    return blocks;
  };
  const Values nanbeige = values_of("nanbeige");
  CHECK(blocks_of(nanbeige) == "0123|0123");
  CHECK(blocks_of(with(nanbeige, "nanbeige.skip_loop_final_norm", true)) == "01230123");
  CHECK(blocks_of(with(nanbeige, "nanbeige.num_loops", Integer{3})) == "0123|0123|0123");
  for (const Integer loops : {0, 17, -1})
    check_throws(ErrorCode::invalid_file, "nanbeige.num_loops:", [&] { spec_of(with(nanbeige, "nanbeige.num_loops", loops)); });
  const Values hrm = values_of("hrm_text");  // two cycles of the low stack's one and the high one
  CHECK(blocks_of(hrm) == "0|1|0|1|");
  const Values deeper = with(with(hrm, "hrm_text.hrm.h_cycles", Integer{1}), "hrm_text.hrm.l_cycles", Integer{3});
  CHECK(blocks_of(deeper) == "0|0|0|1|");
  check_throws(ErrorCode::invalid_file, "hrm_text.block_count:", [&] { spec_of(with(hrm, "hrm_text.hrm.h_cycles", Integer{3})); });
}
