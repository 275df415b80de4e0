#include "models/registry.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "models/check.hpp"
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

struct Entry {
  std::string_view name;  // general.architecture
  Family* family;
};

// The comments are the rows of the table in docs/families.md, which tools/docs/families.mjs writes: the family, in which text in
// brackets links to the files of the names below; what distinguishes it; and its distance from llama.cpp.
constexpr Entry kFamilies[] = {
    // [Llama] 1 to 3, Mistral, SmolLM, Mixtral | RMSNorm, RoPE (linear, YaRN, Llama 3), grouped queries, gated MLP; experts | 9e-7
    {"llama", llama},
    // [SmolLM3] | no RoPE in every fourth layer | 2e-6
    {"smollm3", smollm3},
    // [Mistral] 3, Ministral 3 | its own YaRN variant, queries scaled by position | 1e-6
    {"mistral3", mistral3},
    // [Granite] 3, with windows; MiniCPM | multipliers; sinks, RoPE in some layers | 1e-6
    {"granite", granite},
    {"granitemoe", granite},
    {"granite_swa", granite_swa},
    {"minicpm", minicpm},
    // [ERNIE] 4.5, PaddleOCR-VL (text) | as Llama; dense layers, then experts | 2e-6
    {"ernie4_5", ernie4_5},
    {"ernie4_5-moe", ernie4_5_moe},
    {"paddleocr", paddleocr},
    // [Arcee] AFM | squared ReLU | 6e-7
    {"arcee", arcee},
    // [Qwen] 2, 2-VL, 3, 3-VL (text); Seed-OSS | biases, query and key norms, shared experts | 1e-6
    {"qwen2", qwen2},
    {"qwen2vl", qwen2vl},
    {"qwen3", qwen3},
    {"qwen2moe", qwen2moe},
    {"qwen3moe", qwen3moe},
    {"qwen3vl", qwen3vl},
    {"qwen3vlmoe", qwen3vlmoe},
    {"seed_oss", seed_oss},
    // [Hunyuan], dense | query and key norms after RoPE | 9e-7
    {"hunyuan-dense", hunyuan_dense},
    // [Apertus] | xIELU with per-layer parameters | 5e-7
    {"apertus", apertus},
    // [Gemma] 1 to 3, EmbeddingGemma | soft-capping, norms before and after each block, sliding windows, two RoPEs | 9e-7
    {"gemma", gemma},
    {"gemma2", gemma2},
    {"gemma3", gemma3},
    {"gemma-embedding", gemma_embedding},
    // [Gemma 3n] (text) | four residual streams, a low-rank path beside attention, per-layer embeddings, sparse gates | 2e-6
    {"gemma3n", gemma3n},
    // [Gemma 4] (text) | keys and values shared between layers; per-layer embeddings or experts beside the MLP | 2e-6
    {"gemma4", gemma4},
    // [Phi] 2, 3 | attention and MLP in parallel; fused matrices, LongRoPE | 1e-6
    {"phi2", phi2},
    {"phi3", phi3},
    // [GPT-2] | LayerNorm, learned positions | 6e-7
    {"gpt2", gpt2},
    // [GPT-NeoX], Pythia | RoPE on part of each head | 4e-7
    {"gptneox", gptneox},
    // [StarCoder2] | LayerNorm with RoPE and grouped queries | 8e-7
    {"starcoder2", starcoder2},
    // [StableLM] | per-head norms of queries and keys | 6e-7
    {"stablelm", stablelm},
    // [Falcon] | multi-query attention | 4e-7
    {"falcon", falcon},
    // [BLOOM] | ALiBi | 4e-7
    {"bloom", bloom},
    // [OLMo] 2, OLMoE | norms after the blocks; query and key norms over all heads together | 5e-7
    {"olmo2", olmo2},
    {"olmoe", olmoe},
    // [EXAONE] 4 | norms after the blocks; RoPE only in layers with a sliding window | 5e-6
    {"exaone4", exaone4},
    // [GLM-4] of 2025 | norms before and after each block, RoPE on part of each head | 2e-6
    {"glm4", glm4},
    // [Command R], R7B | parallel blocks; RoPE only in layers with a sliding window (R7B) | 9e-7
    {"command-r", command_r},
    {"cohere2", cohere2},
    // [DeepSeek] V2, V3 | latent attention, plain and absorbed; expert groups | 3e-6
    {"deepseek2", deepseek2},
    // [gpt-oss] | attention sinks, experts with biases | 1e-6
    {"gpt-oss", gpt_oss},
    // [LFM2] | short convolutions; experts | 1e-6
    {"lfm2", lfm2},
    {"lfm2moe", lfm2},
    // [Qwen] 3-Next, 3.5 | the gated delta rule in place of most attention layers, gates on the others | 4e-6
    {"qwen3next", qwen3next},
    {"qwen35", qwen35},
    {"qwen35moe", qwen35moe},
    // [Mamba 2, Granite 4, Falcon-H1] | recurrent states instead of attention, alternating with it, or in parallel with it | 1e-6
    {"mamba2", mamba2},
    {"granitehybrid", granitehybrid},
    {"falcon-h1", falcon_h1},
    // [Nemotron-H, Nemotron 3] | one block per layer: Mamba 2, attention, or squared ReLU, with experts of a narrower width | 1e-6
    {"nemotron_h", nemotron_h},
    {"nemotron_h_moe", nemotron_h},
    // [SmallThinker] | experts chosen before attention; sliding windows | 2e-6
    {"smallthinker", smallthinker},
    // [LLaMA's kin]: InternLM 2, XVERSE, ChatGLM, GLM-Edge, Maincoder; Llama as an encoder | norms after RoPE (Maincoder) | 6e-7
    {"internlm2", llama},
    {"xverse", llama},
    {"chatglm", llama},
    {"maincoder", maincoder},
    {"llama-embed", llama_embed},
    // [Qwen 1], EXAONE 3, Pangu, CogVLM2 (text), OpenELM | as Qwen 2 and 3; heads and widths by layer (OpenELM) | 7e-7
    {"qwen", qwen},
    {"exaone", qwen2},
    {"pangu-embedded", qwen2},
    {"cogvlm", cogvlm},
    {"openelm", qwen3},
    // [OLMo 1] | LayerNorm without weights, bounded queries, keys and values | 9e-7
    {"olmo", olmo},
    // [BitNet b1.58] | norms before the last matrix of attention and MLP | 8e-7
    {"bitnet", bitnet},
    // [MiniCPM 3, PLM] | latent attention without experts | 5e-7
    {"minicpm3", minicpm3},
    {"plm", plm},
    // [Nemotron 4, Minitron], Jais 2 | LayerNorm, squared ReLU | 4e-7
    {"nemotron", nemotron},
    {"jais2", nemotron},
    // [MPT, Refact, Jais, Baichuan] | ALiBi; bounds, divided activations (MPT) | 1e-6
    {"mpt", mpt},
    {"refact", refact},
    {"jais", jais},
    {"baichuan", baichuan},
    // [StarCoder], [CodeShell], [Orion] | one kv head and learned positions; the head as the only table | 4e-7
    {"starcoder", gpt2},
    {"codeshell", starcoder2},
    {"orion", stablelm},
    // [EXAONE's mixtures] | RoPE only in layers with a window | 6e-7
    {"exaone-moe", exaone_moe},
    // [DeepSeek 1, DeepSeek-OCR (text), dots.llm1] | dense layers, then shared experts | 6e-7
    {"deepseek", deepseek},
    {"deepseek2-ocr", deepseek2_ocr},
    {"dots1", dots1},
    // [Ling 1, 2] | shared experts; groups of experts | 5e-7
    {"bailingmoe", bailingmoe},
    {"bailingmoe2", bailingmoe2},
    // [Arcee's mixtures] | gated heads, norms on both sides, no positions in every fourth layer | 8e-7
    {"afmoe", afmoe},
    // [Phi-3.5-MoE] | RMSNorm with biases, experts | 5e-7
    {"phimoe", phimoe},
    // [GLM-4.5] | shared experts, partial RoPE | 3e-7
    {"glm4moe", glm4moe},
    // [Hunyuan's mixture and OCR] (text) | norms after RoPE; sections of RoPE | 5e-7
    {"hunyuan-moe", hunyuan_moe},
    {"hunyuan_vl", hunyuan_vl},
    // [Command A's mixture] | attention and experts in parallel | 5e-7
    {"cohere2moe", cohere2moe},
    // [GroveMoE] | groups of experts share a small one | 4e-7
    {"grovemoe", grovemoe},
    // [Mellum 2], [Laguna] | YaRN in layers without a window; gates with softplus (Laguna) | 8e-7
    {"mellum", mellum},
    {"laguna", laguna},
    // [Maple, Maion Coder] | limits of what experts multiply; narrower experts | 7e-7
    {"maple", maple},
    {"maion-coder", maion_coder},
    // [Llama 4] | chunks of attention, weighed inputs of experts | 5e-7
    {"llama4", llama4},
    // [Step 3.5, MiMo-V2] | heads and RoPE by layer, limits, sinks | 5e-7
    {"step35", step35},
    {"mimo2", mimo2},
    // [K2 Horizon] | norms over groups of channels; the values of attention have experts, too | 5e-7
    {"k2-horizon", k2_horizon},
    // [Spark 2.5] | a gate for each head | 5e-7
    {"spark2_5", spark2_5},
    // [Nanbeige] | layers that run several times | 7e-7
    {"nanbeige", nanbeige},
    // [DeciLM, Llama-Nemotron] | heads and widths by layer, layers without attention | 7e-7
    {"deci", deci},
    // [PLaMo] 1 to 3 | parallel blocks; Mamba with heads (2); windows (3) | 1e-6
    {"plamo", plamo},
    {"plamo2", plamo2},
    {"plamo3", plamo3},
    // [Muse Glimmer], [Talkie] | norms without weights; layers that add to the embedding (Talkie) | 5e-7
    {"muse-glimmer", muse_glimmer},
    {"talkie", talkie},
    // [BERT], Nomic, Jina | encoders; mean, cls and last pooling; experts, ALiBi | 2e-6
    {"bert", bert},
    {"nomic-bert", nomic_bert},
    {"nomic-bert-moe", nomic_bert_moe},
    {"jina-bert-v2", jina_bert_v2},
    {"jina-bert-v3", jina_bert_v3},
    // [ModernBERT], NeoBERT, EuroBERT | encoders built like decoders; windows on both sides | 1e-6
    {"modern-bert", modern_bert},
    {"neo-bert", neo_bert},
    {"eurobert", eurobert},
    // [T5] and its encoder | encoder and decoder, relative position biases | 9e-7
    {"t5", t5},
    {"t5encoder", t5encoder},
    // [EmbeddingGemma 2] | Gemma 4 in both directions, with per-layer inputs | 5e-7
    {"gemma-embedding2", gemma_embedding2},
    // [Mamba, Falcon Mamba, Jamba] | a state space of channels; attention and experts in some layers | 1e-6
    {"mamba", mamba},
    {"jamba", jamba},
    // [RWKV 6, 7, ARWKV 7] | token shift, decays by channel, a delta rule | 1e-6
    {"rwkv6", rwkv6},
    {"rwkv7", rwkv7},
    {"arwkv7", arwkv7},
    // [Kimi Linear] | the delta rule with decays by channel, latent attention without positions | 4e-6
    {"kimi-linear", kimi_linear},
    // [HRM-Text] | two stacks that run in turns | 1e-6
    {"hrm_text", hrm_text},
    // [LLaDA, Dream, RND1] | masked diffusion: masks are predicted from both sides, the most certain ones first | 1e-6
    {"llada", llada},
    {"llada-moe", llada_moe},
    {"dream", dream},
    {"rnd1", rnd1},
    // [The Transformer] of 2017 | sinusoidal positions, post-norm, cross-attention | 4e-7, from float64
    {"transformer", transformer},
    // [ViT, CLIP] | image patches; two towers; the source documents the file layout | 4e-7, from float64
    {"vit", vit},
    {"clip", clip},
    // [Whisper], turbo, Distil-Whisper | speech to text: an audio tower, cross-attention; [files of whisper.cpp](guide/audio.md) | 5e-7, from float64
    {"whisper", whisper},
};

constexpr std::size_t kLongest = 64;  // letters of a name that are compared and shown

/// The edit distance: how many letters must be changed, added or removed to turn one name into the other.
std::size_t difference(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t before = std::exchange(row[0], i + 1);  // in the row above, to the left
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = before + (a[i] == b[j] ? 0 : 1);
      before = std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

/// The known architecture with the nearest name, as a part of a sentence; empty if more than half of the letters differ.
std::string nearest(std::string_view name) {
  const auto from = [&](const Entry& entry) { return difference(name, entry.name); };
  const Entry& entry = *std::ranges::min_element(kFamilies, {}, from);
  return 2 * from(entry) > name.size() ? "" : "; nearest to it by name is '" + std::string(entry.name) + "'";
}

/// Throws unsupported for a file that only supplements a model, and says what it is.
void refuse_other_files(const formats::Metadata& metadata) {
  constexpr struct {
    const char *key, *value, *what;
  } kOthers[] = {
      {"general.type", "adapter", "an adapter (LoRA)"},
      {"general.type", "mmproj", "a projector"},
      {"general.type", "vocab", "a vocabulary"},
      {"general.type", "imatrix", "an importance matrix"},
      {"general.architecture", "imatrix", "an importance matrix"},
      {"general.architecture", "controlvector", "a control vector"},
  };
  for (const auto& [key, value, what] : kOthers)
    if (metadata.text(key, "") == value)
      throw Error(ErrorCode::unsupported, std::string("the file is ") + what + ", which belongs beside a model", key);
}

}  // namespace

nn::ModelSpec model_spec(const formats::Metadata& metadata) {
  refuse_other_files(metadata);
  const std::string name = metadata.text("general.architecture");
  for (const Entry& entry : kFamilies) {
    if (entry.name == name) {
      const Hyperparameters h(metadata);
      nn::ModelSpec spec = as_file_asks(entry.family(h), h);
      check(spec, h);
      return spec;
    }
  }
  const std::string shown = name.substr(0, kLongest);
  throw Error(ErrorCode::unsupported,
              "architecture '" + shown + (shown.size() < name.size() ? "...'" : "'") + " is not supported" + nearest(shown) +
                  ". Ask for it at https://github.com/heed-authors/heed/issues",
              "general.architecture");
}

}  // namespace heed::models
