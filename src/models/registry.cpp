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
    {"afmoe", afmoe},
    {"apertus", apertus},
    {"arcee", arcee},
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
    {"hunyuan-dense", hunyuan_dense},
    {"hunyuan-moe", hunyuan_moe},
    {"hunyuan_vl", hunyuan_vl},
    {"internlm2", llama},
    {"jais", jais},
    {"jais2", nemotron},
    {"jina-bert-v2", jina_bert_v2},
    {"jina-bert-v3", jina_bert_v3},
    {"k2-horizon", k2_horizon},
    {"laguna", laguna},
    {"lfm2", lfm2},
    {"lfm2moe", lfm2},
    {"llama", llama},
    {"llama-embed", llama_embed},
    {"llama4", llama4},
    {"maincoder", maincoder},
    {"maion-coder", maion_coder},
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
    {"xverse", llama},
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
