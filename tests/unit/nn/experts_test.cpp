// Mixtures of experts: every way to choose and weigh them beside its formula, and routers that make no sense.
#include "nn/experts.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;
using nn::Gating;

namespace {

nn::ExpertsSpec mixture(Gating gating = Gating::softmax) {
  nn::ExpertsSpec spec{.expert = {.feed_forward = 12}, .count = 8, .used = 3};
  spec.gating = gating;
  return spec;
}

nn::DecoderSpec decoder(const nn::ExpertsSpec& spec) { return pre_norm_decoder(rotary_attention(), spec); }

}  // namespace

TEST_CASE("experts are chosen and weighed by every gating", "[nn][experts]") {
  for (const auto gating : {Gating::softmax, Gating::sigmoid, Gating::softmax_of_chosen})
    for (const bool normalized : {false, true})
      for (const float scale : {1.0f, 2.5f}) {
        INFO("gating " << static_cast<int>(gating) << ", normalized " << normalized << ", scale " << scale);
        nn::ExpertsSpec spec = mixture(gating);
        spec.normalized = normalized;
        spec.scale = scale;
        check_decoder(decoder(spec));
      }
}

TEST_CASE("any number of experts may be used", "[nn][experts]") {
  for (const std::size_t count : {1u, 2u, 5u, 64u})
    for (const std::size_t used : {std::size_t{1}, (count + 1) / 2, count}) {
      INFO(used << " of " << count);
      nn::ExpertsSpec spec = mixture();
      spec.count = count;
      spec.used = used;
      check_decoder(decoder(spec));
    }
}

TEST_CASE("a selection bias changes which experts run, not their weights", "[nn][experts]") {
  for (const auto gating : {Gating::softmax, Gating::sigmoid}) {
    nn::ExpertsSpec spec = mixture(gating);
    spec.selection_bias = true;
    const nn::DecoderSpec with = decoder(spec);
    const Tensors tensors = random_weights(with);
    check_decoder(with, tensors);
    Tensors without = tensors;
    for (const char* layer : {"blk.0.", "blk.1."}) without.erase(std::string(layer) + "exp_probs_b.bias");
    check_decoder(with, without);
    CHECK(decoder_logits(with, tensors, kTokens) != decoder_logits(with, without, kTokens));
  }
}

TEST_CASE("experts may have no gates, and work in a narrower space", "[nn][experts]") {
  for (const std::size_t latent : {0u, 10u, 30u})
    for (const bool gated : {false, true})
      for (const std::size_t shared : {0u, 20u}) {
        INFO("latent " << latent << ", gated " << gated << ", shared " << shared);
        nn::ExpertsSpec spec = mixture(Gating::sigmoid);
        spec.expert.gated = gated;
        spec.expert.activation = kernels::Activation::relu_squared;
        spec.latent = latent;
        spec.shared = shared;
        check_decoder(decoder(spec));
      }
}

TEST_CASE("experts are chosen from the best groups alone", "[nn][experts]") {
  for (const std::size_t groups : {2u, 4u, 8u})
    for (const std::size_t groups_used : {std::size_t{1}, groups / 2, groups}) {
      INFO(groups_used << " of " << groups << " groups");
      nn::ExpertsSpec spec = mixture(Gating::sigmoid);
      spec.selection_bias = true;
      spec.groups = groups;
      spec.groups_used = groups_used;
      spec.used = std::min<std::size_t>(2, spec.count / groups * groups_used);
      check_decoder(decoder(spec));
    }
}

TEST_CASE("every token goes through the shared expert, gated or not", "[nn][experts]") {
  for (const bool gate : {false, true})
    for (const std::size_t shared : {5u, 40u}) {
      nn::ExpertsSpec spec = mixture();
      spec.shared = shared;
      spec.shared_gate = gate;
      check_decoder(decoder(spec));
    }
}

TEST_CASE("experts may be chosen by the layer's input", "[nn][experts]") {
  for (const auto gating : {Gating::softmax, Gating::sigmoid})
    for (const bool parallel : {false, true}) {
      nn::ExpertsSpec spec = mixture(gating);
      spec.expert.activation = kernels::Activation::relu;
      spec.routed_early = true;
      nn::DecoderSpec early = decoder(spec);
      for (nn::LayerSpec& layer : early.stack.layers) layer.parallel = parallel;
      check_decoder(early);
    }
}

TEST_CASE("experts may have biases and gpt-oss's gate", "[nn][experts]") {
  nn::ExpertsSpec spec = mixture(Gating::softmax_of_chosen);
  spec.normalized = false;
  spec.expert.biased = true;
  check_decoder(decoder(spec));
  spec.expert.activation = kernels::Activation::swiglu_oai;
  check_decoder(decoder(spec));
}

TEST_CASE("the chosen and the shared expert may have norms of their own, and the router another", "[nn][experts]") {
  nn::ExpertsSpec spec = mixture();
  spec.shared = 8;
  spec.shared_suffix = "";
  spec.norm = {nn::NormKind::rms, 0.01f};
  for (const bool router : {false, true})
    for (int norms = 0; norms < 16; ++norms) {
      if (norms != 0 && norms != 15 && (norms & (norms - 1)) != 0) continue;  // none, each, all
      INFO("norms " << norms << ", router's " << router);
      const auto name = [&](int bit, std::string_view full) { return norms >> bit & 1 ? full : std::string_view(); };
      spec.normed_router = router;
      spec.shared_pre_norm = name(0, "ffn_norm_1");
      spec.shared_post_norm = name(1, "post_ffw_norm_1");
      spec.chosen_pre_norm = name(2, "pre_ffw_norm_2");
      spec.chosen_post_norm = name(3, "post_ffw_norm_2");
      check_decoder(decoder(spec));
    }
}

TEST_CASE("gate and up of all experts may be one tensor", "[nn][experts]") {
  nn::ExpertsSpec spec = mixture();
  check_decoder(decoder(spec), {.fused_gate = true});
  spec.shared = 8;
  check_decoder(decoder(spec), {.fused_gate = true});
}

TEST_CASE("a mixture whose experts all run is the sum of its MLPs", "[nn][experts]") {
  // two experts with the same weights, each weighing a half, are one MLP
  nn::ExpertsSpec spec = mixture();
  spec.count = spec.used = 2;
  const nn::DecoderSpec sparse = decoder(spec), dense = pre_norm_decoder(rotary_attention(), spec.expert);
  const Tensors one = random_weights(dense);
  Tensors two = one;
  for (const std::string layer : {"blk.0.", "blk.1."}) {
    two[layer + "ffn_gate_inp.weight"] = {{2, 24}, std::vector<float>(2 * 24)};
    for (const std::string which : {"gate", "up", "down"}) {
      const Tensor& mlp = one.at(layer + "ffn_" + which + ".weight");
      Tensor both{{2, mlp.shape[0], mlp.shape[1]}, mlp.values};
      both.values.insert(both.values.end(), mlp.values.begin(), mlp.values.end());
      two.erase(layer + "ffn_" + which + ".weight");
      two[layer + "ffn_" + which + "_exps.weight"] = std::move(both);
    }
  }
  const auto expected = decoder_logits(dense, one, kTokens);
  check_close(decoder_logits(sparse, two, kTokens), {expected.begin(), expected.end()});
}

TEST_CASE("of equal experts the first are taken", "[nn][experts]") {
  for (const auto gating : {Gating::softmax, Gating::sigmoid, Gating::softmax_of_chosen})
    for (const std::size_t groups : {1u, 4u}) {
      nn::ExpertsSpec spec = mixture(gating);
      spec.groups = groups;
      spec.groups_used = groups == 1 ? 1 : 2;
      const nn::DecoderSpec tied = decoder(spec);
      Tensors tensors = random_weights(tied);
      for (const char* layer : {"blk.0.", "blk.1."})
        std::ranges::fill(tensors.at(std::string(layer) + "ffn_gate_inp.weight").values, 0.0f);
      check_decoder(tied, tensors);
    }
}

TEST_CASE("a router that makes no sense does no harm", "[nn][experts]") {
  using Limits = std::numeric_limits<float>;
  for (const auto gating : {Gating::softmax, Gating::sigmoid, Gating::softmax_of_chosen})
    for (const std::size_t groups : {1u, 4u})
      for (const bool biased : {false, true})
        for (const float mad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), Limits::max(), 1e30f}) {
          nn::ExpertsSpec spec = mixture(gating);
          spec.groups = groups;
          spec.groups_used = groups == 1 ? 1 : 2;
          spec.selection_bias = biased;
          const nn::DecoderSpec hostile = decoder(spec);
          for (const std::size_t first : {0u, 7u}) {  // all experts, or the last one
            Tensors tensors = random_weights(hostile);
            for (const std::string layer : {"blk.0.", "blk.1."}) {
              auto& router = tensors.at(layer + "ffn_gate_inp.weight").values;
              std::fill(router.begin() + static_cast<std::ptrdiff_t>(first * 24), router.end(), mad);
              if (biased) std::ranges::fill(tensors.at(layer + "exp_probs_b.bias").values, mad);
            }
            CHECK(decoder_logits(hostile, tensors, kTokens).size() == kTokens.size() * 19);
          }
        }
}

TEST_CASE("experts that are not chosen cannot spoil a token", "[nn][experts]") {
  nn::ExpertsSpec spec = mixture(Gating::sigmoid);
  spec.selection_bias = true;
  const nn::DecoderSpec some = decoder(spec);
  Tensors tensors = random_weights(some);
  for (const std::string layer : {"blk.0.", "blk.1."}) {
    tensors.at(layer + "exp_probs_b.bias").values = {0, 0, 0, 0, 0, 0, 0, -1000};
    auto& down = tensors.at(layer + "ffn_down_exps.weight").values;
    std::fill(down.end() - 24 * 12, down.end(), std::numeric_limits<float>::quiet_NaN());
  }
  for (const float logit : decoder_logits(some, tensors, kTokens)) CHECK(std::isfinite(logit));
}
