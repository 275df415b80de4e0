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

constexpr Entry kFamilies[] = {
    {"afmoe", afmoe},
    {"apertus", apertus},
    {"arcee", arcee},
    {"arwkv7", arwkv7},
    {"baichuan", baichuan},
    {"bailingmoe", bailingmoe},
    {"bailingmoe2", bailingmoe2},
    {"bert", bert},
    {"bitnet", bitnet},
    {"bloom", bloom},
    {"chatglm", llama},
    {"clip", clip},
    {"codeshell", starcoder2},
    {"cogvlm", cogvlm},
    {"cohere2", cohere2},
    {"cohere2moe", cohere2moe},
    {"command-r", command_r},
    {"deci", deci},
    {"deepseek", deepseek},
    {"deepseek2", deepseek2},
    {"deepseek2-ocr", deepseek2_ocr},
    {"dots1", dots1},
    {"dream", dream},
    {"ernie4_5", ernie4_5},
    {"ernie4_5-moe", ernie4_5_moe},
    {"eurobert", eurobert},
    {"exaone", qwen2},
    {"exaone-moe", exaone_moe},
    {"exaone4", exaone4},
    {"falcon", falcon},
    {"falcon-h1", falcon_h1},
    {"gemma", gemma},
    {"gemma-embedding", gemma_embedding},
    {"gemma-embedding2", gemma_embedding2},
    {"gemma2", gemma2},
    {"gemma3", gemma3},
    {"gemma3n", gemma3n},
    {"gemma4", gemma4},
    {"glm4", glm4},
    {"glm4moe", glm4moe},
    {"gpt-oss", gpt_oss},
    {"gpt2", gpt2},
    {"gptneox", gptneox},
    {"granite", granite},
    {"granite_swa", granite_swa},
    {"granitehybrid", granitehybrid},
    {"granitemoe", granite},
    {"grovemoe", grovemoe},
    {"hrm_text", hrm_text},
    {"hunyuan-dense", hunyuan_dense},
    {"hunyuan-moe", hunyuan_moe},
    {"hunyuan_vl", hunyuan_vl},
    {"internlm2", llama},
    {"jais", jais},
    {"jais2", nemotron},
    {"jamba", jamba},
    {"jina-bert-v2", jina_bert_v2},
    {"jina-bert-v3", jina_bert_v3},
    {"k2-horizon", k2_horizon},
    {"kimi-linear", kimi_linear},
    {"laguna", laguna},
    {"lfm2", lfm2},
    {"lfm2moe", lfm2},
    {"llada", llada},
    {"llada-moe", llada_moe},
    {"llama", llama},
    {"llama-embed", llama_embed},
    {"llama4", llama4},
    {"maincoder", maincoder},
    {"maion-coder", maion_coder},
    {"mamba", mamba},
    {"mamba2", mamba2},
    {"maple", maple},
    {"mellum", mellum},
    {"mimo2", mimo2},
    {"minicpm", minicpm},
    {"minicpm3", minicpm3},
    {"mistral3", mistral3},
    {"modern-bert", modern_bert},
    {"mpt", mpt},
    {"muse-glimmer", muse_glimmer},
    {"nanbeige", nanbeige},
    {"nemotron", nemotron},
    {"nemotron_h", nemotron_h},
    {"nemotron_h_moe", nemotron_h},
    {"neo-bert", neo_bert},
    {"nomic-bert", nomic_bert},
    {"nomic-bert-moe", nomic_bert_moe},
    {"olmo", olmo},
    {"olmo2", olmo2},
    {"olmoe", olmoe},
    {"openelm", qwen3},
    {"orion", stablelm},
    {"paddleocr", paddleocr},
    {"pangu-embedded", qwen2},
    {"phi2", phi2},
    {"phi3", phi3},
    {"phimoe", phimoe},
    {"plamo", plamo},
    {"plamo2", plamo2},
    {"plamo3", plamo3},
    {"plm", plm},
    {"qwen", qwen},
    {"qwen2", qwen2},
    {"qwen2moe", qwen2moe},
    {"qwen2vl", qwen2vl},
    {"qwen3", qwen3},
    {"qwen35", qwen35},
    {"qwen35moe", qwen35moe},
    {"qwen3moe", qwen3moe},
    {"qwen3next", qwen3next},
    {"qwen3vl", qwen3vl},
    {"qwen3vlmoe", qwen3vlmoe},
    {"refact", refact},
    {"rnd1", rnd1},
    {"rwkv6", rwkv6},
    {"rwkv7", rwkv7},
    {"seed_oss", seed_oss},
    {"smallthinker", smallthinker},
    {"smollm3", smollm3},
    {"spark2_5", spark2_5},
    {"stablelm", stablelm},
    {"starcoder", gpt2},
    {"starcoder2", starcoder2},
    {"step35", step35},
    {"t5", t5},
    {"t5encoder", t5encoder},
    {"talkie", talkie},
    {"transformer", transformer},
    {"vit", vit},
    {"whisper", whisper},
    {"xverse", llama},
};

/// How many letters must be changed, added or left out to make one of the other.
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

std::string_view nearest(std::string_view name) {
  constexpr std::size_t kCompared = 64;  // letters; names are shorter
  const auto from = [name = name.substr(0, kCompared)](const Entry& entry) { return difference(name, entry.name); };
  return std::ranges::min_element(kFamilies, {}, from)->name;
}

}  // namespace

nn::ModelSpec model_spec(const formats::Metadata& metadata) {
  const std::string name = metadata.text("general.architecture");
  for (const Entry& entry : kFamilies) {
    if (entry.name == name) {
      const Hyperparameters h(metadata);
      nn::ModelSpec spec = as_file_asks(entry.family(h), h);
      check(spec, h);
      return spec;
    }
  }
  throw Error(ErrorCode::unsupported,
              "architecture '" + name + "' is not supported; nearest to it by name is '" + std::string(nearest(name)) +
                  "'. Ask for it at https://github.com/heed-authors/heed/issues",
              "general.architecture");
}

}  // namespace heed::models
