// Every family: a function from metadata to a spec, one file each. registry.cpp gives them their names.
#pragma once

#include "models/hyperparameters.hpp"
#include "nn/spec.hpp"

namespace heed::models {

using Family = nn::ModelSpec(const Hyperparameters& h);

Family bert, bloom, clip, cohere2, command_r, deepseek2, falcon, gemma, gemma2, gemma3, gpt2, gpt_oss, gptneox, granite, lfm2,
    llama, nomic_bert, olmo2, olmoe, phi2, phi3, qwen2, qwen2moe, qwen3, qwen3moe, smollm3, stablelm, starcoder2, t5,
    t5encoder, transformer, vit;
Family apertus, arcee, ernie4_5, ernie4_5_moe, exaone4, glm4, granite_swa, hunyuan_dense, minicpm, mistral3, qwen3vl,
    qwen3vlmoe, seed_oss, smallthinker;

}  // namespace heed::models
