// All families: functions from metadata to a spec. A new family is a file of its own, or a function beside the family it resembles;
// registry.cpp only maps names to them.
#pragma once

#include "models/hyperparameters.hpp"
#include "nn/spec.hpp"

namespace heed::models {

using Family = nn::ModelSpec(const Hyperparameters& h);

Family afmoe, apertus, arcee, arwkv7, baichuan, bailingmoe, bailingmoe2, bert, bitnet, bloom, clip, cogvlm, cohere2, cohere2moe,
    command_r, deci, deepseek, deepseek2, deepseek2_ocr, dots1, dream, ernie4_5, ernie4_5_moe, eurobert, exaone4, exaone_moe,
    falcon, falcon_h1, gemma, gemma2, gemma3, gemma3n, gemma4, gemma_embedding, gemma_embedding2, glm4, glm4moe, gpt2, gpt_oss,
    gptneox, granite, granite_swa, granitehybrid, grovemoe, hrm_text, hunyuan_dense, hunyuan_moe, hunyuan_vl, jais, jamba,
    jina_bert_v2, jina_bert_v3, k2_horizon, kimi_linear, laguna, lfm2, llada, llada_moe, llama, llama4, llama_embed, maincoder,
    maion_coder, mamba, mamba2, maple, mellum, mimo2, minicpm, minicpm3, mistral3, modern_bert, mpt, muse_glimmer, nanbeige,
    nemotron, nemotron_h, neo_bert, nomic_bert, nomic_bert_moe, olmo, olmo2, olmoe, paddleocr, phi2, phi3, phimoe, plamo, plamo2,
    plamo3, plm, qwen, qwen2, qwen2moe, qwen2vl, qwen3, qwen35, qwen35moe, qwen3moe, qwen3next, qwen3vl, qwen3vlmoe, refact, rnd1,
    rwkv6, rwkv7, seed_oss, smallthinker, smollm3, spark2_5, stablelm, starcoder2, step35, t5, t5encoder, talkie, transformer, vit,
    whisper;

}  // namespace heed::models
