// Metadata that every family can be made from: all keys that any of them needs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "formats/metadata.hpp"
#include "models/registry.hpp"
#include "models/vision/registry.hpp"
#include "nn/spec.hpp"

namespace heed::test {

using Values = std::map<std::string, formats::Metadata::Value>;

inline constexpr const char* kArchitectures[] = {"afmoe",
                                                 "apertus",
                                                 "arcee",
                                                 "arwkv7",
                                                 "baichuan",
                                                 "bailingmoe",
                                                 "bailingmoe2",
                                                 "bert",
                                                 "bitnet",
                                                 "bloom",
                                                 "chatglm",
                                                 "clip",
                                                 "codeshell",
                                                 "cogvlm",
                                                 "cohere2",
                                                 "cohere2moe",
                                                 "command-r",
                                                 "deci",
                                                 "deepseek",
                                                 "deepseek2",
                                                 "deepseek2-ocr",
                                                 "dots1",
                                                 "dream",
                                                 "ernie4_5",
                                                 "ernie4_5-moe",
                                                 "eurobert",
                                                 "exaone",
                                                 "exaone-moe",
                                                 "exaone4",
                                                 "falcon",
                                                 "falcon-h1",
                                                 "gemma",
                                                 "gemma-embedding",
                                                 "gemma-embedding2",
                                                 "gemma2",
                                                 "gemma3",
                                                 "gemma3n",
                                                 "gemma4",
                                                 "glm4",
                                                 "glm4moe",
                                                 "gpt-oss",
                                                 "gpt2",
                                                 "gptneox",
                                                 "granite",
                                                 "granite_swa",
                                                 "granitehybrid",
                                                 "granitemoe",
                                                 "grovemoe",
                                                 "hrm_text",
                                                 "hunyuan-dense",
                                                 "hunyuan-moe",
                                                 "hunyuan_vl",
                                                 "internlm2",
                                                 "jais",
                                                 "jais2",
                                                 "jamba",
                                                 "jina-bert-v2",
                                                 "jina-bert-v3",
                                                 "k2-horizon",
                                                 "kimi-linear",
                                                 "laguna",
                                                 "lfm2",
                                                 "lfm2moe",
                                                 "llada",
                                                 "llada-moe",
                                                 "llama",
                                                 "llama-embed",
                                                 "llama4",
                                                 "maincoder",
                                                 "maion-coder",
                                                 "mamba",
                                                 "mamba2",
                                                 "maple",
                                                 "mellum",
                                                 "mimo2",
                                                 "minicpm",
                                                 "minicpm3",
                                                 "mistral3",
                                                 "modern-bert",
                                                 "mpt",
                                                 "muse-glimmer",
                                                 "nanbeige",
                                                 "nemotron",
                                                 "nemotron_h",
                                                 "nemotron_h_moe",
                                                 "neo-bert",
                                                 "nomic-bert",
                                                 "nomic-bert-moe",
                                                 "olmo",
                                                 "olmo2",
                                                 "olmoe",
                                                 "openelm",
                                                 "orion",
                                                 "paddleocr",
                                                 "pangu-embedded",
                                                 "phi2",
                                                 "phi3",
                                                 "phimoe",
                                                 "plamo",
                                                 "plamo2",
                                                 "plamo3",
                                                 "plm",
                                                 "qwen",
                                                 "qwen2",
                                                 "qwen2moe",
                                                 "qwen2vl",
                                                 "qwen3",
                                                 "qwen35",
                                                 "qwen35moe",
                                                 "qwen3moe",
                                                 "qwen3next",
                                                 "qwen3vl",
                                                 "qwen3vlmoe",
                                                 "refact",
                                                 "rnd1",
                                                 "rwkv6",
                                                 "rwkv7",
                                                 "seed_oss",
                                                 "smallthinker",
                                                 "smollm3",
                                                 "spark2_5",
                                                 "stablelm",
                                                 "starcoder",
                                                 "starcoder2",
                                                 "step35",
                                                 "t5",
                                                 "t5encoder",
                                                 "talkie",
                                                 "transformer",
                                                 "vit",
                                                 "xverse"};

/// Keys as they are without the architecture.
inline Values bare_values() {
  using Integer = std::int64_t;
  return {
      {"embedding_length", Integer{64}},
      {"block_count", Integer{4}},
      {"decoder_block_count", Integer{3}},
      {"decoder_start_token_id", Integer{0}},
      {"context_length", Integer{2048}},
      {"feed_forward_length", Integer{172}},
      {"attention.head_count", Integer{8}},
      {"attention.head_count_kv", Integer{4}},
      {"attention.key_length", Integer{24}},
      {"attention.value_length", Integer{16}},
      {"attention.sliding_window", Integer{16}},
      {"attention.kv_lora_rank", Integer{32}},
      {"attention.q_lora_rank", Integer{20}},
      {"attention.relative_buckets_count", Integer{32}},
      {"attention.layer_norm_rms_epsilon", 1e-6},
      {"attention.layer_norm_epsilon", 1e-5},
      {"attn_logit_softcapping", 50.0},
      {"rope.dimension_count", Integer{8}},
      {"rope.freq_base", 10000.0},
      {"expert_count", Integer{8}},
      {"expert_used_count", Integer{2}},
      {"expert_feed_forward_length", Integer{48}},
      {"expert_shared_feed_forward_length", Integer{40}},
      {"expert_shared_count", Integer{1}},
      {"expert_group_count", Integer{4}},
      {"expert_group_used_count", Integer{2}},
      {"expert_gating_func", Integer{1}},
      {"leading_dense_block_count", Integer{1}},
      {"logit_scale", 2.0},
      {"shortconv.l_cache", Integer{3}},
      {"full_attention_interval", Integer{2}},
      {"nextn_predict_layers", Integer{0}},
      {"ssm.conv_kernel", Integer{4}},
      {"ssm.group_count", Integer{2}},
      {"ssm.inner_size", Integer{40}},
      {"ssm.state_size", Integer{6}},
      {"ssm.time_step_rank", Integer{4}},
      {"moe_latent_size", Integer{12}},
      {"hidden_activation", std::string("silu")},
      {"experts_per_group", Integer{2}},
      {"expert_chunk_feed_forward_length", Integer{10}},
      {"attention.clamp_kqv", 2.0},
      {"attention.max_alibi_bias", 8.0},
      {"attention.value_scale", 0.7},
      {"attention.group_norm_groups", Integer{2}},
      {"num_loops", Integer{2}},
      {"wkv.head_size", Integer{8}},
      {"time_mix_extra_dim", Integer{5}},
      {"time_decay_extra_dim", Integer{6}},
      {"attention.decay_lora_rank", Integer{6}},
      {"attention.iclr_lora_rank", Integer{5}},
      {"attention.value_residual_mix_lora_rank", Integer{4}},
      {"attention.gate_lora_rank", Integer{7}},
      {"kda.head_dim", Integer{8}},
      {"embedding_length_out", Integer{28}},
      {"hrm.layers_per_stack", Integer{1}},
      {"hrm.h_cycles", Integer{2}},
      {"hrm.l_cycles", Integer{1}},
      {"moe_every_n_layers", Integer{2}},
      {"dense_2_feat_out", Integer{28}},
      {"dense_3_feat_out", Integer{32}},
      {"image_size", Integer{32}},
      {"patch_size", Integer{8}},
      {"image_mean", formats::Metadata::Floats{0.5f, 0.5f, 0.5f}},
      {"image_std", formats::Metadata::Floats{0.25f, 0.25f, 0.25f}},
      {"projection_dim", Integer{20}},
  };
}

inline Values values_of(const std::string& architecture) {
  Values values = {{"general.architecture", architecture}, {"tokenizer.ggml.tokens", formats::Metadata::Strings(320, "x")}};
  for (auto& [key, value] : bare_values()) values[architecture + "." + key] = value;
  const auto set = [&](const std::string& key, formats::Metadata::Value value) {
    values[architecture + "." + key] = std::move(value);
  };
  if (architecture == "apertus")
    for (const std::string key : {"xielu.alpha_p", "xielu.alpha_n", "xielu.beta"})
      values[key] = formats::Metadata::Floats{0.9f, 0.6f, 1.0f, -0.5f};
  if (architecture == "ernie4_5-moe") set("interleave_moe_layer_step", std::int64_t{2});
  if (architecture == "granite_swa") {
    set("attention.sliding_window_pattern", formats::Metadata::Integers{1, 1, 1, 0});
    set("attention.rope_pattern", formats::Metadata::Integers{1, 1, 1, 0});
  }
  if (architecture == "mistral3") {
    set("rope.scaling.type", std::string("yarn"));
    set("rope.scaling.factor", 4.0);
    set("rope.scaling.original_context_length", std::int64_t{24});
    set("rope.scaling.yarn_beta_fast", 0.5);
    set("rope.scaling.yarn_beta_slow", 0.1);
    set("rope.scaling.yarn_log_multiplier", 1.0);
    set("attention.temperature_scale", 0.3);
  }
  if (architecture == "qwen2vl" || architecture == "paddleocr" || architecture.starts_with("qwen3vl") ||
      architecture.starts_with("qwen35"))
    set("rope.dimension_sections", formats::Metadata::Integers{2, 1, 1, 0});
  using formats::Metadata;
  if (architecture == "hunyuan_vl") {
    set("rope.dimension_sections", Metadata::Integers{1, 1, 1, 1});
    set("rope.scaling.alpha", 10.0);
  }
  if (architecture == "mimo2") set("attention.sliding_window_pattern", Metadata::Integers{0, 1, 0, 1});
  if (architecture == "llama4" || architecture == "maion-coder") set("interleave_moe_layer_step", std::int64_t{2});
  if (architecture == "step35" || architecture == "maple") set("swiglu_clamp_exp", Metadata::Floats{0.5f, 0.0f, 0.9f, 0.7f});
  if (architecture == "step35") set("swiglu_clamp_shexp", Metadata::Floats{0.0f, 0.6f, 0.0f, 0.8f});
  if (architecture == "openelm" || architecture == "laguna" || architecture == "spark2_5") {
    set("attention.head_count", Metadata::Integers{8, 4, 4, 8});
    set("attention.head_count_kv", Metadata::Integers{4, 4, 2, 4});
  }
  if (architecture == "deci") {
    set("attention.head_count", Metadata::Integers{8, 8, 0, 8});
    set("attention.head_count_kv", Metadata::Integers{4, 0, 0, 4});
  }
  if (architecture == "k2-horizon") {
    set("attention.value_expert_count", std::int64_t{4});
    set("attention.value_expert_used_count", std::int64_t{2});
  }
  if (architecture == "rwkv6") set("rescale_every_n_layers", std::int64_t{2});
  if (architecture == "gemma-embedding2") {
    set("attention.sliding_window_pattern", Metadata::Integers{1, 0, 1, 0});
    set("embedding_length_per_layer_input", std::int64_t{6});
  }
  if (architecture == "gemma4") {
    values["gemma4.attention.sliding_window_pattern"] = formats::Metadata::Integers{1, 0, 1, 0};
    values["gemma4.attention.shared_kv_layers"] = std::int64_t{2};
    values["gemma4.attention.key_length_swa"] = std::int64_t{12};
    values["gemma4.attention.value_length_swa"] = std::int64_t{10};
    values["gemma4.rope.dimension_count_swa"] = std::int64_t{12};
    values["gemma4.rope.freq_base_swa"] = 1000.0;
    values["gemma4.embedding_length_per_layer_input"] = std::int64_t{6};
    values["gemma4.final_logit_softcapping"] = 20.0;
  }
  if (architecture == "clip")
    for (const std::string tower : {"text.", "vision."})
      for (auto& [key, value] : bare_values()) values[architecture + "." + tower + key] = value;
  return values;
}

/// The types of projectors that mmproj files name.
inline constexpr const char* kProjectorTypes[] = {"gemma3", "gemma4v",   "glm4v",   "idefics3",         "internvl",      "lfm2",
                                                  "mlp",    "paddleocr", "pixtral", "qwen2.5vl_merger", "qwen3vl_merger"};

/// Metadata that a vision tower with a projector of any type can be made from.
inline Values projector_values(const std::string& type) {
  using Integer = std::int64_t;
  Values values = values_of("clip");
  values["clip.projector_type"] = type;
  values["clip.has_vision_encoder"] = true;
  values["clip.use_gelu"] = true;
  for (const auto& [key, value] : {std::pair{"projector.scale_factor", Integer{2}},
                                   {"spatial_merge_size", Integer{2}},
                                   {"preproc_image_size", Integer{64}},
                                   {"image_min_pixels", Integer{512}},
                                   {"image_max_pixels", Integer{8192}},
                                   {"n_wa_pattern", Integer{2}},
                                   {"preproc_min_tiles", Integer{1}},
                                   {"preproc_max_tiles", Integer{4}}})
    values[std::string("clip.vision.") + key] = value;
  return values;
}

/// The types of projectors for sounds.
inline constexpr const char* kHearingTypes[] = {"gemma4a",  "gemma4ua",      "glma",     "granite_speech", "lfm2a",
                                                "meralion", "musicflamingo", "parakeet", "qwen2.5o",       "qwen2a",
                                                "qwen3a",   "ultravox",      "voxtral"};

/// The metadata of an mmproj file with an audio tower alone, small, with rows of 32 numbers.
inline Values hearing_values(const std::string& type) {
  using Integer = std::int64_t;
  Values values;
  values["general.architecture"] = std::string("clip");
  values["clip.projector_type"] = type;
  values["clip.has_audio_encoder"] = true;
  values["clip.audio.attention.layer_norm_epsilon"] = 1e-5;
  for (const auto& [key, value] : {std::pair{"embedding_length", Integer{16}},
                                   {"feed_forward_length", Integer{24}},
                                   {"block_count", Integer{2}},
                                   {"projection_dim", Integer{32}},
                                   {"attention.head_count", Integer{2}},
                                   {"num_mel_bins", Integer{16}},
                                   {"projector.stack_factor", Integer{15}},
                                   {"conv_kernel_size", Integer{7}},
                                   {"chunk_size", Integer{6}},
                                   {"max_pos_emb", Integer{4}},
                                   {"projector.window_size", Integer{6}},
                                   {"projector.downsample_rate", Integer{3}},
                                   {"projector.head_count", Integer{2}}})
    values[std::string("clip.audio.") + key] = value;
  return values;
}

/// Makes layers of all kinds, for families whose layers differ.
inline void mix_layers(Values& values, const std::string& architecture) {
  using formats::Metadata;
  if (architecture == "lfm2" || architecture == "lfm2moe" || architecture == "granitehybrid" || architecture == "jamba" ||
      architecture == "plamo2" || architecture == "kimi-linear")
    values[architecture + ".attention.head_count_kv"] = Metadata::Integers{0, 4, 0, 4};
  if (architecture == "deci" || architecture == "openelm") {
    const std::int64_t last = architecture == "deci" ? 0 : 20;
    values[architecture + ".feed_forward_length"] = Metadata::Integers{40, 28, 30, last};
  }
  if (architecture.starts_with("nemotron_h")) {
    values[architecture + ".attention.head_count_kv"] = Metadata::Integers{0, 4, 0, 0};
    values[architecture + ".feed_forward_length"] = Metadata::Integers{0, 0, 40, 0};
  }
}

inline Values with(Values values, const std::string& key, formats::Metadata::Value value) {
  values[key] = std::move(value);
  return values;
}

inline Values without(Values values, const std::string& key) {
  values.erase(key);
  return values;
}

inline formats::Metadata metadata_of(const Values& values) {
  formats::Metadata metadata;
  for (const auto& [key, value] : values) metadata.set(key, value);
  return metadata;
}

inline nn::ModelSpec spec_of(const Values& values) { return models::model_spec(metadata_of(values)); }

/// Of an mmproj file.
inline nn::ModelSpec projector_spec_of(const Values& values) { return models::projector_spec(metadata_of(values)); }

}  // namespace heed::test
