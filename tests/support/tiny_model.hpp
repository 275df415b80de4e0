// A complete llama model of a few tens of kilobytes, for tests that need any model.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/gguf_writer.hpp"
#include "support/stored_rows.hpp"
#include "tensor/dtype.hpp"

namespace heed::test {

/// Random stored rows: F32 values, or blocks of Q8_0 or Q4_0 (each a scale in f16, then codes), or of what else there is.
inline std::vector<std::byte> random_rows(std::mt19937& random, DType dtype, std::size_t values) {
  if (dtype != DType::f32 && dtype != DType::q8_0 && dtype != DType::q4_0) {
    Fuzz fuzz(random());
    return stored_rows(dtype, 1, values, fuzz);
  }
  ByteWriter bytes;
  if (dtype == DType::f32) {
    for (std::size_t i = 0; i < values; ++i) bytes.put(static_cast<float>(random() % 2001) * 1e-4f - 0.1f);
    return bytes.bytes();
  }
  const auto& type = info(dtype);
  for (std::size_t block = 0; block < values / type.block_values; ++block) {
    bytes.put(static_cast<std::uint16_t>(0x1000 + random() % 0x400));  // 2^-11 to 2^-10
    for (std::size_t i = 2; i < type.block_bytes; ++i) bytes.put(static_cast<std::uint8_t>(random()));
  }
  return bytes.bytes();
}

/// A SentencePiece vocabulary of 3 + 256 + 61 tokens: <unk>, <s>, </s>, all bytes, and some pieces. Returns its size.
inline std::size_t set_tiny_vocabulary(GgufWriter& writer) {
  std::vector<std::string> tokens = {"<unk>", "<s>", "</s>"};
  std::vector<std::int32_t> types = {2, 3, 3};  // unknown, control, control
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (std::size_t byte = 0; byte < 256; ++byte) {
    tokens.push_back(std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">");
    types.push_back(6);  // byte
  }
  tokens.push_back("\u2581");
  for (char letter = 'a'; letter <= 'z'; ++letter) tokens.emplace_back(1, letter);
  for (char letter = 'a'; letter <= 'z'; ++letter) tokens.push_back("\u2581" + std::string(1, letter));
  for (const char* piece : {"th", "he", "the", "in", "er", "an", "\u2581the", "\u2581an"}) tokens.emplace_back(piece);
  types.resize(tokens.size(), 1);  // normal
  std::vector<float> scores(tokens.size());
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = -static_cast<float>(i);

  writer.set("tokenizer.ggml.model", "llama")
      .set("tokenizer.ggml.tokens", tokens)
      .set("tokenizer.ggml.scores", scores)
      .set("tokenizer.ggml.token_type", types)
      .set("tokenizer.ggml.unknown_token_id", std::uint32_t{0})
      .set("tokenizer.ggml.bos_token_id", std::uint32_t{1})
      .set("tokenizer.ggml.eos_token_id", std::uint32_t{2});
  return tokens.size();
}

/// A GGUF of a llama with random weights (norms are F32), that vocabulary, and what `more` sets.
inline std::vector<std::byte> tiny_llama(DType dtype = DType::f32, const std::function<void(GgufWriter&)>& more = {}) {
  constexpr std::size_t kHeads = 4, kKvHeads = 2, kLayers = 2, kContext = 64;
  const std::size_t values = info(dtype).block_values;  // of a block, of which rows have a whole number
  const std::size_t width = std::max<std::size_t>(64, values), feed_forward = values > 32 ? values : 96;
  const std::size_t head_dim = width / kHeads;
  std::mt19937 random(1);

  GgufWriter writer;
  writer.set("general.architecture", "llama")
      .set("general.name", "tiny")
      .set("llama.context_length", std::uint32_t{kContext})
      .set("llama.embedding_length", static_cast<std::uint32_t>(width))
      .set("llama.block_count", std::uint32_t{kLayers})
      .set("llama.feed_forward_length", static_cast<std::uint32_t>(feed_forward))
      .set("llama.attention.head_count", std::uint32_t{kHeads})
      .set("llama.attention.head_count_kv", std::uint32_t{kKvHeads})
      .set("llama.attention.layer_norm_rms_epsilon", 1e-5f)
      .set("llama.rope.dimension_count", static_cast<std::uint32_t>(head_dim))
      .set("llama.rope.freq_base", 10000.0f);
  const std::size_t vocabulary = set_tiny_vocabulary(writer);
  if (more) more(writer);

  const auto matrix = [&](const std::string& name, std::size_t rows, std::size_t columns) {
    writer.tensor({.name = name,
                   .dimensions = {columns, rows},
                   .type = info(dtype).gguf_code,
                   .data = random_rows(random, dtype, rows * columns)});
  };
  const auto norm = [&](const std::string& name) {
    const std::size_t shape[] = {width};
    writer.tensor(name, shape, std::vector<float>(width, 1.0f));
  };
  matrix("token_embd.weight", vocabulary, width);
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    const std::string block = "blk." + std::to_string(layer) + ".";
    norm(block + "attn_norm.weight");
    matrix(block + "attn_q.weight", kHeads * head_dim, width);
    matrix(block + "attn_k.weight", kKvHeads * head_dim, width);
    matrix(block + "attn_v.weight", kKvHeads * head_dim, width);
    matrix(block + "attn_output.weight", width, kHeads * head_dim);
    norm(block + "ffn_norm.weight");
    matrix(block + "ffn_gate.weight", feed_forward, width);
    matrix(block + "ffn_up.weight", feed_forward, width);
    matrix(block + "ffn_down.weight", width, feed_forward);
  }
  norm("output_norm.weight");
  return writer.finish();
}

}  // namespace heed::test
