// Attention's optional parts, each compared with its formula.
#include "nn/attention.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"
#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

/// A llama-like decoder whose attention is changed.
template <class Change>
nn::DecoderSpec changed(Change change) {
  nn::DecoderSpec spec = llama_like();
  change_attention(spec, change);
  return spec;
}

}  // namespace

TEST_CASE("values may have another length than keys", "[nn][attention]") {
  for (const std::size_t value_dim : {3u, 16u, 21u})
    for (const bool fused : {false, true})
      check_decoder(changed([&](nn::AttentionSpec& s) { s.value_dim = value_dim; }), {.fused = fused});
}

TEST_CASE("scores are capped", "[nn][attention]") {
  for (const float softcap : {0.3f, 50.0f}) check_decoder(changed([&](nn::AttentionSpec& s) { s.softcap = softcap; }));
}

TEST_CASE("sinks take a share of the softmax", "[nn][attention]") {
  check_decoder(changed([](nn::AttentionSpec& s) { s.sinks = s.biased = true; }));
}

TEST_CASE("queries and keys are normed over a head, over each head, over all heads", "[nn][attention]") {
  for (const auto span : {nn::QkNormSpan::head, nn::QkNormSpan::each_head, nn::QkNormSpan::all_heads})
    for (const auto kind : {nn::NormKind::rms, nn::NormKind::layer})
      for (const auto pairing : {nn::RopePairing::halves, nn::RopePairing::interleaved}) {
        INFO("span " << static_cast<int>(span) << ", kind " << static_cast<int>(kind) << ", pairing " << static_cast<int>(pairing));
        check_decoder(changed([&](nn::AttentionSpec& s) {
          s.qk_norm = nn::QkNormSpec{.span = span, .norm = {kind, 1e-6f}};
          s.rope->pairing = pairing;
        }));
      }
}

TEST_CASE("queries and keys may be normed after they are rotated", "[nn][attention]") {
  for (const auto span : {nn::QkNormSpan::head, nn::QkNormSpan::all_heads})
    for (const auto pairing : {nn::RopePairing::halves, nn::RopePairing::interleaved})
      check_decoder(changed([&](nn::AttentionSpec& s) {
        s.qk_norm = nn::QkNormSpec{.span = span, .norm = {nn::NormKind::rms, 1e-6f}, .after_rope = true};
        s.rope->pairing = pairing;
      }));
}

TEST_CASE("queries grow with their position", "[nn][attention]") {
  for (const std::size_t period : {1u, 4u, 1000u})
    check_decoder(changed([&](nn::AttentionSpec& s) {
      s.temperature = 0.4f;
      s.temperature_period = period;
    }));
}

TEST_CASE("an optional norm of queries and keys is applied where the file has it", "[nn][attention]") {
  const nn::DecoderSpec spec = changed([](nn::AttentionSpec& s) {
    s.qk_norm = nn::QkNormSpec{.span = nn::QkNormSpan::each_head, .norm = {nn::NormKind::layer, 1e-5f}, .optional = true};
  });
  const Tensors with = random_weights(spec);
  Tensors without = with;
  for (const auto& [name, tensor] : with)
    if (name.ends_with("attn_q_norm.weight") || name.ends_with("attn_k_norm.weight")) without.erase(name);
  REQUIRE(without.size() + 4 == with.size());
  check_decoder(spec, with);
  check_decoder(spec, without);
}

TEST_CASE("values are normed without a weight, and may be the keys", "[nn][attention]") {
  for (const bool normed : {false, true})
    for (const bool values : {false, true}) {
      INFO("normed " << normed << ", a matrix for values " << values);
      check_decoder(changed([&](nn::AttentionSpec& s) {
                      if (normed) s.value_norm = nn::NormSpec{nn::NormKind::rms, 0.1f};
                      s.qk_norm = nn::QkNormSpec{.span = nn::QkNormSpan::head};
                      s.keys_as_values = true;
                    }),
                    {.values = values});
    }
}

TEST_CASE("a file must have values that are no keys", "[nn][attention]") {
  const nn::DecoderSpec spec = changed([](nn::AttentionSpec& s) {
    s.keys_as_values = true;
    s.value_dim = 5;
  });
  const Tensors tensors = random_weights(spec, {.values = false});
  check_throws(ErrorCode::invalid_file, "blk.0.attn_v.weight: ", [&] { decoder_logits(spec, tensors, kTokens); });
}

TEST_CASE("layers attend to keys and values of earlier ones", "[nn][attention]") {
  nn::DecoderSpec spec = llama_like();
  spec.stack.layers.resize(6, spec.stack.layers[0]);
  for (std::size_t i = 0; i < 6; ++i) {
    auto& attention = std::get<nn::AttentionSpec>(spec.stack.layers[i].sublayers[0].block);
    attention.qk_norm = nn::QkNormSpec{.span = nn::QkNormSpan::head};
    if (i % 2 == 0) {
      attention.window = 4;
      attention.kv_heads = 1;
      attention.rope->theta = 100;
    }
    if (i >= 2) attention.keys_of = i % 2;
  }
  check_decoder(spec);
  const auto layers = nn::Stack::cache_layers(spec.stack);
  for (std::size_t i = 2; i < 6; ++i) CHECK(layers[i].kv_heads == 0);
  // which keeps nothing of its own
  CHECK(nn::KvCachePool(layers, KvType::f32).bytes(100, 1) == nn::KvCachePool({layers[0], layers[1]}, KvType::f32).bytes(100, 1));

  nn::DecoderSpec own = spec;
  change_attention(own, [](nn::AttentionSpec& s) { s.keys_of.reset(); });
  const Tensors tensors = random_weights(own);
  CHECK(decoder_logits(own, tensors, kTokens) != decoder_logits(spec, random_weights(spec), kTokens));
}

TEST_CASE("keys and values of a layer that uses another's are left in the file", "[nn][attention]") {
  nn::DecoderSpec spec = llama_like();
  const Tensors own = random_weights(spec);
  auto& attention = std::get<nn::AttentionSpec>(spec.stack.layers[1].sublayers[0].block);
  attention.keys_of = 0;
  Tensors less = own;
  for (const char* name : {"blk.1.attn_k.weight", "blk.1.attn_v.weight"}) REQUIRE(less.erase(name) == 1);
  CHECK(decoder_logits(spec, own, kTokens) == decoder_logits(spec, less, kTokens));
}

TEST_CASE("layers that share keys attend with their own queries", "[nn][attention]") {
  nn::DecoderSpec spec = llama_like();
  change_attention(spec, [](nn::AttentionSpec& s) { s.window = 3; });
  std::get<nn::AttentionSpec>(spec.stack.layers[1].sublayers[0].block).keys_of = 0;
  /// Rows of both layers.
  struct Weights final : nn::Listener {
    std::vector<float> rows = std::vector<float>(2 * 4 * 8 * 8);
    float* const first = rows.data();
    void visit(const nn::PointRows&, nn::Pass&) const noexcept override {}
    void attend(nn::AttentionSight& sight) const noexcept override {
      sight.query.weights = first + ((sight.place.layer * 4 + sight.head) * 8 + sight.position) * 8;
    }
  } listener;
  TinyDecoder decoder(spec, random_weights(spec));
  decoder.forward(std::span(kTokens).first(8), 1, &listener);
  bool differ = false;
  for (std::size_t row = 0; row < 2 * 4 * 8; ++row) {
    const std::size_t query = row % 8;
    double sum = 0;
    for (std::size_t key = 0; key < 8; ++key) {
      const float weight = listener.rows[row * 8 + key];
      if (key > query || key + 3 <= query) CHECK(weight == 0);
      sum += weight;
      if (row < 4 * 8) differ = differ || weight != listener.rows[(row + 4 * 8) * 8 + key];
    }
    CHECK(std::abs(sum - 1) < 1e-5);
  }
  CHECK(differ);
}

TEST_CASE("layers may attend in different ways", "[nn][attention]") {
  nn::DecoderSpec spec = llama_like();
  spec.stack.layers.resize(4, spec.stack.layers[0]);
  const auto attention = [&](std::size_t i) -> nn::AttentionSpec& {
    return std::get<nn::AttentionSpec>(spec.stack.layers[i].sublayers[0].block);
  };
  attention(0).window = 4;
  attention(0).rope->theta = 100;
  attention(1).rope.reset();
  attention(2).kv_heads = 1;
  attention(2).window = 6;
  attention(3).heads = attention(3).kv_heads = 3;
  attention(3).key_dim = 8;
  attention(3).value_dim = 5;
  check_decoder(spec);
}

TEST_CASE("windows wider than the context see all of it", "[nn][attention]") {
  const nn::DecoderSpec all = llama_like();
  const Tensors tensors = random_weights(all);
  for (const std::size_t window : {std::size_t{19}, std::size_t{1000}, std::size_t{1} << 26}) {
    const nn::DecoderSpec windowed = changed([&](nn::AttentionSpec& s) { s.window = window; });
    CHECK(decoder_logits(windowed, tensors, kTokens) == decoder_logits(all, tensors, kTokens));
  }
}

TEST_CASE("every KV type is near f32, whatever the heads' sizes", "[nn][attention]") {
  const nn::DecoderSpec spec = changed([](nn::AttentionSpec& s) {
    s.value_dim = 5;
    s.window = 6;
  });
  const Tensors tensors = random_weights(spec);
  const auto expected = naive::logits(spec, tensors, kTokens);
  check_close(decoder_logits(spec, tensors, kTokens, {.kv = KvType::f16}), expected, 3e-3);
  check_close(decoder_logits(spec, tensors, kTokens, {.kv = KvType::q8}), expected, 2e-2);
  check_close(decoder_logits(spec, tensors, kTokens, {.kv = KvType::q4}), expected, 3e-1);
}

TEST_CASE("heads may be gated", "[nn][attention]") {
  for (const std::size_t value_dim : {10u, 7u})
    for (const auto pairing : {nn::RopePairing::halves, nn::RopePairing::interleaved}) {
      INFO("values of " << value_dim);
      nn::DecoderSpec spec = llama_like();
      change_attention(spec, [&](nn::AttentionSpec& attention) {
        attention.gated = true;
        attention.value_dim = value_dim;
        attention.rope->pairing = pairing;
        attention.qk_norm = {.span = nn::QkNormSpan::head, .norm = {.epsilon = 1e-5f}};
      });
      check_decoder(spec);
    }
}
