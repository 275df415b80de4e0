// A model with a predetermined text: after each token, one other is by far the most probable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/gguf_writer.hpp"

namespace heed::test {

inline constexpr std::int32_t kChainBegin = 1, kChainEnd = 2, kChainFirst = 3;

/// A GGUF whose tokens are <unk>, <s>, </s>, then `pieces` ("<0xE2>" is the byte): after <s> comes the first
/// piece, after each its neighbor, after the last </s>, and after </s> the first piece again. Attention and
/// MLP add nothing; the embedding is one-hot, and the head says which token follows.
inline std::vector<std::byte> chain_model(const std::vector<std::string>& pieces, std::uint32_t context = 64) {
  std::vector<std::string> tokens = {"<unk>", "<s>", "</s>"};
  std::vector<std::int32_t> types = {2, 3, 3};  // unknown, control, control
  for (const std::string& piece : pieces) {
    tokens.push_back(piece);
    types.push_back(piece.starts_with("<0x") ? 6 : 1);  // byte, normal
  }
  const std::size_t n = tokens.size();
  std::vector<float> embedding(n * n), head(n * n);
  for (std::size_t token = 0; token < n; ++token) {
    const std::size_t next = token == kChainBegin || token == kChainEnd ? kChainFirst : token + 1 < n ? token + 1 : kChainEnd;
    embedding[token * n + token] = 1;
    head[next * n + token] = 4;
  }

  GgufWriter writer;
  writer.set("general.architecture", "llama")
      .set("llama.context_length", context)
      .set("llama.embedding_length", static_cast<std::uint32_t>(n))
      .set("llama.block_count", std::uint32_t{1})
      .set("llama.feed_forward_length", std::uint32_t{1})
      .set("llama.attention.head_count", std::uint32_t{1})
      .set("llama.attention.key_length", std::uint32_t{2})
      .set("llama.attention.value_length", std::uint32_t{2})
      .set("llama.attention.layer_norm_rms_epsilon", 1e-5f)
      .set("tokenizer.ggml.model", "llama")
      .set("tokenizer.ggml.tokens", tokens)
      .set("tokenizer.ggml.scores", std::vector<float>(n))
      .set("tokenizer.ggml.token_type", types)
      .set("tokenizer.ggml.unknown_token_id", std::uint32_t{0})
      .set("tokenizer.ggml.bos_token_id", std::uint32_t{kChainBegin})
      .set("tokenizer.ggml.eos_token_id", std::uint32_t{kChainEnd});
  const auto matrix = [&](const char* name, std::size_t rows, std::size_t columns, const std::vector<float>& values) {
    const std::size_t shape[] = {rows, columns};
    writer.tensor(name, shape, values);
  };
  const auto zeros = [&](const char* name, std::size_t rows, std::size_t columns) {
    matrix(name, rows, columns, std::vector<float>(rows * columns));
  };
  const auto norm = [&](const char* name) {
    const std::size_t shape[] = {n};
    writer.tensor(name, shape, std::vector<float>(n, 1.0f));
  };
  matrix("token_embd.weight", n, n, embedding);
  norm("blk.0.attn_norm.weight");
  zeros("blk.0.attn_q.weight", 2, n);
  zeros("blk.0.attn_k.weight", 2, n);
  zeros("blk.0.attn_v.weight", 2, n);
  zeros("blk.0.attn_output.weight", n, 2);
  norm("blk.0.ffn_norm.weight");
  zeros("blk.0.ffn_gate.weight", 1, n);
  zeros("blk.0.ffn_up.weight", 1, n);
  zeros("blk.0.ffn_down.weight", n, 1);
  norm("output_norm.weight");
  matrix("output.weight", n, n, head);
  return writer.finish();
}

}  // namespace heed::test
