// Small decoders with random weights, and a session that runs them.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/thread_pool.hpp"
#include "kernels/dispatch.hpp"
#include "nn/decoder.hpp"
#include "support/fuzz.hpp"
#include "unit/nn/tensors.hpp"

namespace heed::test {

/// RMSNorm, RoPE, grouped queries, gated SiLU.
inline nn::DecoderSpec llama_like() {
  nn::DecoderSpec spec{
      .width = 24, .layers = 2, .vocabulary = 19, .context = 40, .norm = {}, .attention = {}, .mlp = {}};
  spec.attention = {
      .heads = 4, .kv_heads = 2, .head_dim = 10, .scale = 1 / std::sqrt(10.0f), .rope = nn::RopeSpec{}};
  spec.attention.rope->dims = 8;
  spec.mlp = {.feed_forward = 36};
  return spec;
}

/// LayerNorm, learned positions, biases, GELU.
inline nn::DecoderSpec gpt2_like() {
  nn::DecoderSpec spec = llama_like();
  spec.norm.kind = nn::NormKind::layer;
  spec.attention.rope.reset();
  spec.attention.kv_heads = 4;
  spec.attention.biased = true;
  spec.mlp.activation = kernels::Activation::gelu_tanh;
  spec.mlp.gated = false;
  spec.mlp.biased = true;
  spec.learned_positions = true;
  return spec;
}

/// Random weights for every tensor that the spec asks for; q, k and v in one where `fused`, a head of its own
/// where not `tied`.
inline Tensors random_weights(const nn::DecoderSpec& spec, bool fused, bool tied, std::uint64_t seed = 1) {
  Fuzz fuzz(seed);
  Tensors tensors;
  const auto add = [&](const std::string& name, std::vector<std::size_t> shape, float magnitude) {
    std::size_t count = 1;
    for (const std::size_t n : shape) count *= n;
    tensors[name] = {std::move(shape), fuzz.reals(count, magnitude)};
  };
  const auto linear = [&](const std::string& name, std::size_t rows, std::size_t columns, bool biased) {
    add(name + ".weight", {rows, columns}, 0.4f);
    if (biased) add(name + ".bias", {rows}, 0.4f);
  };
  const auto norm = [&](const std::string& name) {
    add(name + ".weight", {spec.width}, 1);
    if (spec.norm.kind == nn::NormKind::layer) add(name + ".bias", {spec.width}, 1);
  };
  const nn::AttentionSpec& a = spec.attention;
  const std::size_t queries = a.heads * a.head_dim, keys = a.kv_heads * a.head_dim;
  add("token_embd.weight", {spec.vocabulary, spec.width}, 1);
  if (spec.learned_positions) add("position_embd.weight", {spec.context, spec.width}, 1);
  for (std::size_t i = 0; i < spec.layers; ++i) {
    const std::string block = "blk." + std::to_string(i) + ".";
    norm(block + "attn_norm");
    if (fused) {
      linear(block + "attn_qkv", queries + 2 * keys, spec.width, a.biased);
    } else {
      linear(block + "attn_q", queries, spec.width, a.biased);
      linear(block + "attn_k", keys, spec.width, a.biased);
      linear(block + "attn_v", keys, spec.width, a.biased);
    }
    linear(block + "attn_output", spec.width, queries, a.biased);
    norm(block + "ffn_norm");
    if (spec.mlp.gated) linear(block + "ffn_gate", spec.mlp.feed_forward, spec.width, spec.mlp.biased);
    linear(block + "ffn_up", spec.mlp.feed_forward, spec.width, spec.mlp.biased);
    linear(block + "ffn_down", spec.width, spec.mlp.feed_forward, spec.mlp.biased);
  }
  norm("output_norm");
  if (!tied) linear("output", spec.vocabulary, spec.width, false);
  return tensors;
}

/// Logits of every position, T x V, in batches of `batch` tokens; 0: all in one.
inline std::vector<float> decoder_logits(const nn::DecoderSpec& spec, const Tensors& tensors,
                                         const std::vector<int>& tokens, std::size_t batch = 0,
                                         const kernels::Kernels& target = kernels::select()) {
  const formats::TensorFile file = directory(tensors);
  nn::Weights weights(file, target);
  const nn::Decoder decoder(spec, weights);
  weights.check_all_taken();
  fill(weights, file, tensors);

  ThreadPool pool(2);
  nn::KvCache cache(spec, KvType::f32, spec.context);
  nn::Scratch scratch(spec, tokens.size(), spec.context, pool.threads());
  nn::Pass pass{.kernels = target, .pool = pool, .cache = cache, .scratch = scratch, .tokens = {}};
  std::vector<float> logits(tokens.size() * spec.vocabulary);
  for (; pass.position < tokens.size(); pass.position += pass.tokens.size()) {
    pass.tokens = std::span(tokens).subspan(pass.position);
    if (batch != 0) pass.tokens = pass.tokens.first(std::min(batch, pass.tokens.size()));
    decoder.forward(pass, logits.data() + pass.position * spec.vocabulary, pass.tokens.size());
  }
  return logits;
}

}  // namespace heed::test
