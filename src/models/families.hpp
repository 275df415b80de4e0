// Every family: a function from metadata to a spec, one file each. registry.cpp gives them their names.
#pragma once

#include "models/hyperparameters.hpp"
#include "nn/spec.hpp"

namespace heed::models {

using Family = nn::ModelSpec(const Hyperparameters& h);

Family bert, bloom, clip, cohere2, command_r, deepseek2, falcon, gemma, gemma2, gemma3, gpt2, gpt_oss, gptneox, granite, lfm2,
    llama, nomic_bert, olmo2, olmoe, phi2, phi3, qwen2, qwen2moe, qwen3, qwen3moe, smollm3, stablelm, starcoder2, t5,
    t5encoder, transformer, vit;
Family falcon_h1, granitehybrid, mamba2, nemotron_h, qwen35, qwen35moe, qwen3next;

}  // namespace heed::models
