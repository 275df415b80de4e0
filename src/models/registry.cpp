#include "models/registry.hpp"

#include <string>

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
    {"apertus", apertus},
    {"arcee", arcee},
    {"bert", bert},
    {"bloom", bloom},
    {"clip", clip},
    {"cohere2", cohere2},
    {"command-r", command_r},
    {"deepseek2", deepseek2},
    {"ernie4_5", ernie4_5},
    {"ernie4_5-moe", ernie4_5_moe},
    {"eurobert", eurobert},
    {"exaone4", exaone4},
    {"falcon", falcon},
    {"falcon-h1", falcon_h1},
    {"gemma", gemma},
    {"gemma-embedding", gemma_embedding},
    {"gemma2", gemma2},
    {"gemma3", gemma3},
    {"gemma3n", gemma3n},
    {"gemma4", gemma4},
    {"glm4", glm4},
    {"gpt-oss", gpt_oss},
    {"gpt2", gpt2},
    {"gptneox", gptneox},
    {"granite", granite},
    {"granite_swa", granite_swa},
    {"granitehybrid", granitehybrid},
    {"granitemoe", granite},
    {"hunyuan-dense", hunyuan_dense},
    {"jina-bert-v2", jina_bert_v2},
    {"jina-bert-v3", jina_bert_v3},
    {"lfm2", lfm2},
    {"lfm2moe", lfm2},
    {"llama", llama},
    {"mamba2", mamba2},
    {"minicpm", minicpm},
    {"mistral3", mistral3},
    {"modern-bert", modern_bert},
    {"nemotron_h", nemotron_h},
    {"nemotron_h_moe", nemotron_h},
    {"neo-bert", neo_bert},
    {"nomic-bert", nomic_bert},
    {"nomic-bert-moe", nomic_bert_moe},
    {"olmo2", olmo2},
    {"olmoe", olmoe},
    {"paddleocr", paddleocr},
    {"phi2", phi2},
    {"phi3", phi3},
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
    {"seed_oss", seed_oss},
    {"smallthinker", smallthinker},
    {"smollm3", smollm3},
    {"stablelm", stablelm},
    {"starcoder2", starcoder2},
    {"t5", t5},
    {"t5encoder", t5encoder},
    {"transformer", transformer},
    {"vit", vit},
};

}  // namespace

nn::ModelSpec model_spec(const formats::Metadata& metadata) {
  const std::string name = metadata.text("general.architecture");
  std::string names;
  for (const Entry& entry : kFamilies) {
    if (entry.name == name) {
      const Hyperparameters h(metadata);
      nn::ModelSpec spec = as_file_asks(entry.family(h), h);
      check(spec, h);
      return spec;
    }
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw Error(ErrorCode::unsupported, "architecture '" + name + "' is not one of " + names, "general.architecture");
}

}  // namespace heed::models
