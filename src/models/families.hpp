// All families: functions from metadata to a spec, one per file. registry.cpp maps names to them.
#pragma once

#include "models/hyperparameters.hpp"
#include "nn/spec.hpp"

namespace heed::models {

using Family = nn::ModelSpec(const Hyperparameters& h);

Family apertus, arcee, bert, bloom, clip, cohere2, command_r, deepseek2, ernie4_5, ernie4_5_moe, eurobert, exaone4, falcon,
    falcon_h1, gemma, gemma2, gemma3, gemma3n, gemma4, gemma_embedding, glm4, gpt2, gpt_oss, gptneox, granite, granite_swa,
    granitehybrid, hunyuan_dense, jina_bert_v2, jina_bert_v3, lfm2, llama, mamba2, minicpm, mistral3, modern_bert, nemotron_h,
    neo_bert, nomic_bert, nomic_bert_moe, olmo2, olmoe, paddleocr, phi2, phi3, qwen2, qwen2moe, qwen2vl, qwen3, qwen35, qwen35moe,
    qwen3moe, qwen3next, qwen3vl, qwen3vlmoe, seed_oss, smallthinker, smollm3, stablelm, starcoder2, t5, t5encoder, transformer,
    vit;

}  // namespace heed::models
