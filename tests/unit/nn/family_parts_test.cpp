// Parts that only a few families have: each feature against its formula in double, with the same bits in every way of running it.
#include <catch2/catch_test_macros.hpp>

#include "unit/nn/check_decoder.hpp"
#include "unit/nn/specs.hpp"

using namespace heed;
using namespace heed::test;

namespace {

template <class Change>
nn::DecoderSpec with_attention(Change change) {
  nn::DecoderSpec spec = llama_like();
  change_attention(spec, change);
  return spec;
}

template <class Change>
nn::DecoderSpec with_mlp(Change change) {
  nn::DecoderSpec spec = llama_like();
  change_each<nn::MlpSpec>(spec.stack, change);
  return spec;
}

nn::DecoderSpec with_experts(const nn::ExpertsSpec& experts) { return pre_norm_decoder(rotary_attention(), experts); }

nn::ExpertsSpec six_experts() { return {.expert = {.feed_forward = 20}, .count = 6, .used = 2}; }

}  // namespace

TEST_CASE("norms without weights, in groups, and with biases", "[nn]") {
  nn::DecoderSpec spec = llama_like();
  SECTION("without weights") {
    for (const auto kind : {nn::NormKind::rms, nn::NormKind::layer}) {
      spec.stack.norm = {.kind = kind, .weighted = false};
      check_decoder(spec);
    }
  }
  SECTION("in groups") {
    spec.stack.norm.groups = 4;
    check_decoder(spec);
  }
  SECTION("with biases") {
    Tensors tensors = random_weights(spec);
    for (const char* name : {"blk.0.attn_norm", "blk.1.ffn_norm", "output_norm"})
      tensors[std::string(name) + ".bias"] = {{24}, Fuzz(7).reals(24, 1)};
    check_decoder(spec, tensors);
  }
  SECTION("of the embedding, and after blocks, of another kind") {
    spec.embedding.norm = "token_embd_norm";
    spec.embedding.norm_kind = nn::NormSpec{.epsilon = 0.02f, .weighted = false};
    spec.stack.post_norm = nn::NormSpec{.epsilon = 0.5f};
    for (nn::LayerSpec& layer : spec.stack.layers) layer.sublayers[0].post_norm = "post_attention_norm";
    check_decoder(spec);
  }
}

TEST_CASE("gates of heads with matrices of their own", "[nn]") {
  for (const auto curve : {nn::GateCurve::sigmoid, nn::GateCurve::softplus, nn::GateCurve::softplus2})
    for (const bool wide : {false, true})
      for (const bool fused : {false, true}) {
        INFO("curve " << static_cast<int>(curve) << ", wide " << wide << ", fused " << fused);
        check_decoder(with_attention([&](nn::AttentionSpec& attention) {
                        attention.gated = attention.own_gate = true;
                        attention.gate_curve = curve;
                      }),
                      {.fused = fused, .wide_gates = wide});
      }
}

TEST_CASE("attention with bounds, a norm before its output, or in chunks", "[nn]") {
  for (const bool fused : {false, true}) {
    const auto bounded = [](nn::AttentionSpec& attention) { attention.clamp = 0.4f; };
    check_decoder(with_attention(bounded), {.fused = fused});
  }
  check_decoder(with_attention([](nn::AttentionSpec& attention) { attention.sub_norm = nn::NormSpec{}; }));
  for (const std::size_t window : {1u, 5u, 8u, 40u})
    check_decoder(with_attention([&](nn::AttentionSpec& attention) {
      attention.window = window;
      attention.chunked = true;
      attention.temperature = 0.3f;
      attention.temperature_period = 5;
      attention.temperature_offset = 1;
    }));
}

TEST_CASE("chunks of attention that are longer than those of the cache", "[nn]") {
  nn::DecoderSpec spec = with_attention([](nn::AttentionSpec& attention) {
    attention.window = kernels::kAttentionChunk + 20;
    attention.chunked = true;
  });
  spec.embedding.context_length = 3 * kernels::kAttentionChunk;
  spec.stack.layers.resize(1);
  check_decoder(spec, random_weights(spec), many_tokens(2 * kernels::kAttentionChunk + 90));
}

TEST_CASE("norms of queries and keys without weights, and with a factor for each head", "[nn]") {
  for (const bool after : {false, true}) {
    check_decoder(with_attention([&](nn::AttentionSpec& attention) {
      attention.qk_norm = {.norm = {.weighted = false}, .after_rope = after};
    }));
    check_decoder(with_attention([&](nn::AttentionSpec& attention) {
      attention.qk_norm = {.span = nn::QkNormSpan::head_factor, .norm = {}, .after_rope = after};
    }));
  }
}

TEST_CASE("MLPs with limits, a norm before the last matrix, or what it reads divided", "[nn]") {
  for (const bool first : {false, true})
    check_decoder(with_mlp([&](nn::MlpSpec& mlp) {
      mlp.limit = 0.3f;
      mlp.limits_first = first;
    }));
  check_decoder(with_mlp([](nn::MlpSpec& mlp) { mlp.sub_norm = nn::NormSpec{}; }));
  check_decoder(with_mlp([](nn::MlpSpec& mlp) { mlp.shrinks = true; }));
}

TEST_CASE("experts that weigh what they read, have limits, or share chunks", "[nn]") {
  nn::ExpertsSpec experts = six_experts();
  SECTION("weighed inputs") {
    experts.weighs_input = true;
    experts.gating = nn::Gating::sigmoid;
    experts.shared = 12;
    check_decoder(with_experts(experts));
  }
  SECTION("limits") {
    experts.expert.limit = 0.3f;
    experts.shared = 12;
    experts.shared_limit = 0.2f;
    check_decoder(with_experts(experts));
  }
  SECTION("chunks") {
    experts.chunk_size = 2;
    experts.chunk_feed_forward = 28;
    experts.chunk_scale = 0.3f;
    check_decoder(with_experts(experts));
  }
}

TEST_CASE("layers that are repeated, add to the embedding, or are empty", "[nn]") {
  nn::DecoderSpec spec = llama_like();
  SECTION("repeated") {
    const std::vector<nn::LayerSpec> once = spec.stack.layers;
    for (std::size_t i = 0; i < once.size(); ++i) spec.stack.layers[i].block = i;
    for (std::size_t i = 0; i < once.size(); ++i) spec.stack.layers.push_back(nn::LayerSpec(spec.stack.layers[i]));
    check_decoder(spec);
    spec.stack.layers[1].turn_norm = "output_norm";
    check_decoder(spec);
  }
  SECTION("adding some of the embedding") {
    for (nn::LayerSpec& layer : spec.stack.layers) layer.input_share = "layer_output_scale";
    check_decoder(spec);
  }
  SECTION("with a factor of what is added") {
    spec.stack.layers[0].sublayers[1].factor = 0.5f;
    spec.stack.residual_scale = 0.7f;
    check_decoder(spec);
  }
  SECTION("a matrix in the place of attention, no attention, and nothing") {
    spec.stack.layers.push_back(nn::LayerSpec(spec.stack.layers[0]));
    spec.stack.layers[0].sublayers[0].block = nn::MatrixSpec{};
    spec.stack.layers[1].sublayers = {nn::SublayerSpec(spec.stack.layers[1].sublayers[1])};
    check_decoder(spec);
    Tensors tensors = random_weights(spec);
    spec.stack.layers[1].sublayers = {};
    check_decoder(spec, tensors);  // whose tensors are not read
  }
}

TEST_CASE("a head may be the only table", "[nn]") {
  const nn::DecoderSpec spec = llama_like();
  Tensors tensors = random_weights(spec);
  const auto logits = decoder_logits(spec, tensors, kTokens);
  tensors["output.weight"] = tensors.at("token_embd.weight");
  tensors.erase("token_embd.weight");
  CHECK(decoder_logits(spec, tensors, kTokens) == logits);
}
