// Multi-head latent attention, plain and absorbed, beside the paper's formulas, and the one beside the other.
#include "nn/latent_attention.hpp"

#include <catch2/catch_test_macros.hpp>

#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

nn::LatentAttentionSpec latent(bool absorbed, std::size_t query_rank = 0) {
  nn::LatentAttentionSpec spec{.heads = 3,
                               .query_rank = query_rank,
                               .latent_dim = 18,
                               .plain_dim = 7,
                               .value_dim = 9,
                               .scale = 0.3f,
                               .rope = {.pairing = nn::RopePairing::interleaved, .dims = 6},
                               .norm = {nn::NormKind::rms, 1e-6f}};
  spec.absorbed = absorbed;
  return spec;
}

nn::DecoderSpec decoder(const nn::LatentAttentionSpec& spec) { return pre_norm_decoder(spec, nn::MlpSpec{.feed_forward = 36}); }

/// attn_k_b (of each head, transposed) and attn_v_b in place of attn_kv_b.
Tensors cut(Tensors tensors, const nn::LatentAttentionSpec& spec) {
  for (const std::string layer : {"blk.0.", "blk.1."}) {
    const std::vector<float> both = tensors.at(layer + "attn_kv_b.weight").values;
    Tensor keys{{spec.heads, spec.latent_dim, spec.plain_dim}, {}}, values{{spec.heads, spec.value_dim, spec.latent_dim}, {}};
    for (std::size_t h = 0; h < spec.heads; ++h) {
      const float* rows = both.data() + h * (spec.plain_dim + spec.value_dim) * spec.latent_dim;
      for (std::size_t l = 0; l < spec.latent_dim; ++l)
        for (std::size_t i = 0; i < spec.plain_dim; ++i) keys.values.push_back(rows[i * spec.latent_dim + l]);
      rows += spec.plain_dim * spec.latent_dim;
      values.values.insert(values.values.end(), rows, rows + spec.value_dim * spec.latent_dim);
    }
    tensors.erase(layer + "attn_kv_b.weight");
    tensors[layer + "attn_k_b.weight"] = std::move(keys);
    tensors[layer + "attn_v_b.weight"] = std::move(values);
  }
  return tensors;
}

}  // namespace

TEST_CASE("latent attention computes what its paper says", "[nn][latent]") {
  for (const bool absorbed : {false, true})
    for (const std::size_t query_rank : {0u, 5u, 40u})
      for (const auto pairing : {nn::RopePairing::interleaved, nn::RopePairing::halves}) {
        INFO("absorbed " << absorbed << ", query rank " << query_rank);
        nn::LatentAttentionSpec spec = latent(absorbed, query_rank);
        spec.rope.pairing = pairing;
        check_decoder(decoder(spec));
      }
}

TEST_CASE("yarn and a magnitude turn the rotated part alone", "[nn][latent]") {
  nn::LatentAttentionSpec spec = latent(false);
  spec.rope.scaling = nn::RopeScaling::yarn;
  spec.rope.factor = 4;
  spec.rope.original_context = 16;
  spec.rope.magnitude = 0.8f;
  check_decoder(decoder(spec));
}

TEST_CASE("absorbed is plain with the matrices applied elsewhere", "[nn][latent]") {
  for (const std::size_t query_rank : {0u, 5u}) {
    const Tensors tensors = random_weights(decoder(latent(false, query_rank)));
    const auto plain = decoder_logits(decoder(latent(false, query_rank)), tensors, kTokens);
    const auto absorbed = decoder_logits(decoder(latent(true, query_rank)), cut(tensors, latent(true)), kTokens);
    check_close(absorbed, {plain.begin(), plain.end()});
  }
}

TEST_CASE("absorbed keeps the latent vectors alone", "[nn][latent]") {
  constexpr std::size_t kWidth = 24;
  const nn::CacheLayer plain = nn::LatentAttention::traits(latent(false), kWidth).cache;
  CHECK(plain.kv_heads == 3);
  CHECK(plain.key_dim == 7 + 6);
  CHECK(plain.value_dim == 9);
  const nn::CacheLayer absorbed = nn::LatentAttention::traits(latent(true), kWidth).cache;
  CHECK(absorbed.kv_heads == 1);
  CHECK(absorbed.key_dim == 18 + 6);
  CHECK(absorbed.value_dim == 18);
}

TEST_CASE("latent contexts of many chunks are right", "[nn][latent]") {
  for (const bool absorbed : {false, true}) {
    nn::DecoderSpec spec = decoder(latent(absorbed));
    spec.stack.layers.resize(1);
    spec.embedding.context_length = kernels::kAttentionChunk + 40;
    check_decoder(spec, random_weights(spec), many_tokens(spec.embedding.context_length));
  }
}
