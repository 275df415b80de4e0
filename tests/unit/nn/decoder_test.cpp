// The decoder stack against its formulas in double, and forms that must be the same against each other.
#include "nn/decoder.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "unit/nn/naive_decoder.hpp"
#include "unit/nn/tiny_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

const std::vector<int> kTokens = {3, 0, 18, 7, 7, 1, 12, 5, 9, 2, 11, 4, 17, 6, 13, 8, 10, 16, 3};

void check_close(const nn::DecoderSpec& spec, const Tensors& tensors, const std::vector<int>& tokens = kTokens) {
  const std::vector<double> expected = naive_logits(spec, tensors, tokens);
  const std::vector<float> got = decoder_logits(spec, tensors, tokens);
  REQUIRE(got.size() == expected.size());
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    worst = std::max(worst, std::abs(got[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  INFO("worst " << worst << ", largest " << largest);
  CHECK(worst <= 5e-6 * largest);
}

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
    for (const std::size_t kv_heads : {1, 2, 4}) {
      for (const bool tied : {false, true}) {
        spec.attention.rope->pairing = pairing;
        spec.attention.kv_heads = kv_heads;
        INFO("kv heads " << kv_heads << ", tied " << tied);
        check_close(spec, random_weights(spec, false, tied));
      }
    }
  }
}

TEST_CASE("a gpt2-like decoder computes what its paper says", "[nn]") {
  const nn::DecoderSpec spec = gpt2_like();
  for (const bool fused : {false, true})
    for (const bool tied : {false, true}) check_close(spec, random_weights(spec, fused, tied));
}

TEST_CASE("a decoder with every RoPE scaling computes what its paper says", "[nn]") {
  nn::DecoderSpec spec = llama_like();
  nn::RopeSpec& rope = *spec.attention.rope;
  Tensors tensors = random_weights(spec, false, true);
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
  check_close(spec, tensors);
}

TEST_CASE("contexts of many chunks are right, and the same in every batch", "[nn]") {
  nn::DecoderSpec spec = llama_like();
  spec.context = 2 * kernels::kAttentionChunk + 40;
  std::vector<int> tokens(spec.context);
  for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<int>(i * i % 19);
  for (const std::size_t kv_heads : {1, 4}) {
    spec.attention.kv_heads = kv_heads;
    const Tensors tensors = random_weights(spec, false, true);
    check_close(spec, tensors, tokens);
    const std::vector<float> whole = decoder_logits(spec, tensors, tokens);
    for (const std::size_t batch : {1, 7, 200}) {
      INFO("kv heads " << kv_heads << ", batches of " << batch);
      CHECK(decoder_logits(spec, tensors, tokens, batch) == whole);
    }
  }
}

TEST_CASE("fused q, k and v are the same as separate ones", "[nn]") {
  for (const bool rotated : {false, true}) {
    nn::DecoderSpec spec = rotated ? llama_like() : gpt2_like();
    spec.attention.biased = true;
    if (rotated) spec.attention.rope->pairing = nn::RopePairing::interleaved;
    const Tensors fused = random_weights(spec, true, true);
    Tensors separate = fused;
    const nn::AttentionSpec& a = spec.attention;
    const std::size_t queries = a.heads * a.head_dim, keys = a.kv_heads * a.head_dim;
    for (std::size_t i = 0; i < spec.layers; ++i) {
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
  const Tensors tied = random_weights(spec, false, true);
  Tensors untied = tied;
  untied["output.weight"] = tied.at("token_embd.weight");
  CHECK(decoder_logits(spec, tied, kTokens) == decoder_logits(spec, untied, kTokens));
}

TEST_CASE("learned positions move the logits", "[nn]") {
  const nn::DecoderSpec spec = gpt2_like();
  Tensors tensors = random_weights(spec, true, true);
  const auto logits = decoder_logits(spec, tensors, {5, 5});
  const std::vector<float> first(logits.begin(), logits.begin() + 19),
      second(logits.begin() + 19, logits.end());
  CHECK(first != second);
  std::ranges::fill(tensors.at("position_embd.weight").values, 0.0f);
  const auto unmoved = decoder_logits(spec, tensors, {5, 5});
  for (std::size_t i = 0; i < 19; ++i) CHECK(std::abs(unmoved[i] - unmoved[19 + i]) < 1e-5f);
}

TEST_CASE("logits are given for the last tokens of a batch, and cancelled passes give none", "[nn]") {
  const nn::DecoderSpec spec = llama_like();
  const Tensors tensors = random_weights(spec, false, true);
  const auto all = decoder_logits(spec, tensors, kTokens);

  const kernels::Kernels& target = kernels::select();
  const formats::TensorFile file = directory(tensors);
  nn::Weights weights(file, target);
  const nn::Decoder decoder(spec, weights);
  fill(weights, file, tensors);
  ThreadPool pool(1);
  nn::KvCache cache(spec, KvType::f32, spec.context);
  nn::Scratch scratch(spec, kTokens.size(), spec.context, 1);
  std::atomic<bool> cancel = false;
  nn::Pass pass{.kernels = target, .pool = pool, .cache = cache, .scratch = scratch, .tokens = kTokens};
  pass.cancel = &cancel;
  for (const std::size_t rows : {0, 1, 3}) {
    std::vector<float> logits(rows * spec.vocabulary);
    CHECK(decoder.forward(pass, logits.data(), rows));
    CHECK(logits == std::vector<float>(all.end() - static_cast<std::ptrdiff_t>(logits.size()), all.end()));
  }
  cancel = true;
  CHECK_FALSE(decoder.forward(pass, nullptr, 0));
}
