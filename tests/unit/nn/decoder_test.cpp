// The decoder stack against its formulas in double, and equivalent variants against each other.
#include "nn/decoder.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

/// The part [from, from + rows) of a tensor's rows (elements of a vector).
Tensor rows_of(const Tensor& tensor, std::size_t from, std::size_t rows) {
  const std::size_t columns = tensor.shape.size() == 1 ? 1 : tensor.shape[1];
  std::vector<std::size_t> shape = tensor.shape;
  shape[0] = rows;
  const auto begin = tensor.values.begin() + static_cast<std::ptrdiff_t>(from * columns);
  return {shape, {begin, begin + static_cast<std::ptrdiff_t>(rows * columns)}};
}

}  // namespace

TEST_CASE("a llama-like decoder computes what its paper says", "[nn]") {
  nn::DecoderSpec spec = llama_like();
  for (const auto pairing : {nn::RopePairing::halves, nn::RopePairing::interleaved}) {
    for (const std::size_t kv_heads : {1u, 2u, 4u}) {
      for (const bool tied : {false, true}) {
        change_attention(spec, [&](nn::AttentionSpec& attention) {
          attention.rope->pairing = pairing;
          attention.kv_heads = kv_heads;
        });
        INFO("kv heads " << kv_heads << ", tied " << tied);
        check_decoder(spec, {.tied = tied});
      }
    }
  }
}

TEST_CASE("a gpt2-like decoder computes what its paper says", "[nn]") {
  const nn::DecoderSpec spec = gpt2_like();
  for (const bool fused : {false, true})
    for (const bool tied : {false, true}) check_decoder(spec, {.fused = fused, .tied = tied});
}

TEST_CASE("a decoder with every RoPE scaling computes what its paper says", "[nn]") {
  nn::DecoderSpec spec = llama_like();
  nn::RopeSpec rope{.dims = 8};
  Tensors tensors = random_weights(spec);
  SECTION("linear") {
    rope.scaling = nn::RopeScaling::linear;
    rope.factor = 4;
  }
  SECTION("yarn") {
    rope.scaling = nn::RopeScaling::yarn;
    rope.factor = 8;
    rope.original_context = 64;
  }
  SECTION("a factor a frequency") { tensors["rope_freqs.weight"] = {{4}, {1.0f, 1.5f, 7.0f, 8.0f}}; }
  SECTION("factors for short and long contexts") {
    rope.scaling = nn::RopeScaling::longrope;
    SECTION("within the original context") { rope.original_context = spec.embedding.context_length; }
    SECTION("beyond it") { rope.original_context = spec.embedding.context_length - 1; }
    tensors["rope_factors_long.weight"] = {{4}, {1.0f, 1.5f, 7.0f, 8.0f}};
    tensors["rope_factors_short.weight"] = {{4}, {1.0f, 1.1f, 1.2f, 1.3f}};
  }
  change_attention(spec, [&](nn::AttentionSpec& attention) { attention.rope = rope; });
  check_decoder(spec, tensors);
}

TEST_CASE("contexts of many chunks are right, and the same in every batch", "[nn]") {
  nn::DecoderSpec spec = llama_like();
  spec.embedding.context_length = 2 * kernels::kAttentionChunk + 40;
  spec.stack.layers.resize(1);  // the scalar target would take 10 s a layer
  const std::vector<int> tokens = many_tokens(spec.embedding.context_length);
  for (const std::size_t kv_heads : {1u, 4u}) {
    INFO("kv heads " << kv_heads);
    change_attention(spec, [&](nn::AttentionSpec& attention) { attention.kv_heads = kv_heads; });
    check_decoder(spec, random_weights(spec), tokens);
  }
}

TEST_CASE("fused q, k and v are the same as separate ones", "[nn]") {
  for (const bool rotated : {false, true}) {
    nn::DecoderSpec spec = rotated ? llama_like() : gpt2_like();
    nn::AttentionSpec a;
    change_attention(spec, [&](nn::AttentionSpec& attention) {
      attention.biased = true;
      if (rotated) attention.rope->pairing = nn::RopePairing::interleaved;
      a = attention;
    });
    const Tensors fused = random_weights(spec, {.fused = true});
    Tensors separate = fused;
    const std::size_t queries = a.heads * a.key_dim, keys = a.kv_heads * a.key_dim;
    for (std::size_t i = 0; i < spec.stack.layers.size(); ++i) {
      for (const std::string suffix : {".weight", ".bias"}) {
        const std::string block = "blk." + std::to_string(i) + ".";
        const Tensor& all = fused.at(block + "attn_qkv" + suffix);
        separate[block + "attn_q" + suffix] = rows_of(all, 0, queries);
        separate[block + "attn_k" + suffix] = rows_of(all, queries, keys);
        separate[block + "attn_v" + suffix] = rows_of(all, queries + keys, keys);
        separate.erase(block + "attn_qkv" + suffix);
      }
    }
    CHECK(decoder_logits(spec, fused, kTokens) == decoder_logits(spec, separate, kTokens));
  }
}

TEST_CASE("a tied head is the same as a copy of the embedding", "[nn]") {
  const nn::DecoderSpec spec = llama_like();
  const Tensors tied = random_weights(spec);
  Tensors untied = tied;
  untied["output.weight"] = tied.at("token_embd.weight");
  CHECK(decoder_logits(spec, tied, kTokens) == decoder_logits(spec, untied, kTokens));
}

TEST_CASE("learned positions move the logits", "[nn]") {
  const nn::DecoderSpec spec = gpt2_like();
  Tensors tensors = random_weights(spec, {.fused = true});
  const auto logits = decoder_logits(spec, tensors, {5, 5});
  const std::vector<float> first(logits.begin(), logits.begin() + 19), second(logits.begin() + 19, logits.end());
  CHECK(first != second);
  std::ranges::fill(tensors.at("position_embd.weight").values, 0.0f);
  const auto unmoved = decoder_logits(spec, tensors, {5, 5});
  for (std::size_t i = 0; i < 19; ++i) CHECK(std::abs(unmoved[i] - unmoved[19 + i]) < 1e-5f);
}

TEST_CASE("logits are given for the last tokens of a batch, and canceled passes give none", "[nn]") {
  const nn::DecoderSpec spec = llama_like();
  const Tensors tensors = random_weights(spec);
  const auto all = decoder_logits(spec, tensors, kTokens);

  TinyDecoder decoder(spec, tensors);
  for (const std::size_t rows : {0, 1, 3}) {
    decoder.cut(0);
    const std::vector<float> logits = decoder.forward(kTokens, rows);
    CHECK(decoder.done());
    CHECK(logits == std::vector<float>(all.end() - static_cast<std::ptrdiff_t>(logits.size()), all.end()));
  }
  decoder.interrupt = true;
  decoder.cut(0);
  decoder.forward(kTokens, 0);
  CHECK_FALSE(decoder.done());
}
