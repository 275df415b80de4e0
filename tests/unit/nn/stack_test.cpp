// The order of sublayers: their norms, inputs and scales.
#include "nn/stack.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"
#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

using Names = std::pair<std::string_view, std::string_view>;  // of the norms of attention and of the MLP

nn::DecoderSpec with_norms(const Names& pre, const Names& post, const Names& residual, bool parallel = false,
                           nn::NormKind kind = nn::NormKind::rms) {
  nn::DecoderSpec spec = llama_like();
  spec.stack.norm.kind = kind;
  for (nn::LayerSpec& layer : spec.stack.layers) {
    layer.parallel = parallel;
    nn::SublayerSpec &attention = layer.sublayers[0], &mlp = layer.sublayers[1];
    std::tie(attention.pre_norm, mlp.pre_norm) = pre;
    std::tie(attention.post_norm, mlp.post_norm) = post;
    std::tie(attention.residual_norm, mlp.residual_norm) = residual;
  }
  return spec;
}

constexpr Names kNone{}, kPre{"attn_norm", "ffn_norm"}, kPost{"post_attention_norm", "post_ffw_norm"},
    kResidual{"attn_output_norm", "layer_output_norm"};

}  // namespace

TEST_CASE("norms before and after the block, around it, and after the sum", "[nn][stack]") {
  for (const auto kind : {nn::NormKind::rms, nn::NormKind::layer})
    for (const auto& [pre, post, residual] : {std::tuple{kPre, kNone, kNone},
                                              {kNone, kPost, kNone},
                                              {kPre, kPost, kNone},
                                              {kNone, kNone, kResidual},
                                              {kPre, kPost, kResidual}})
      check_decoder(with_norms(pre, post, residual, false, kind));
}

TEST_CASE("sublayers in parallel read the layer's input", "[nn][stack]") {
  check_decoder(with_norms(kPre, kNone, kNone, true));
  check_decoder(with_norms({"attn_norm", "attn_norm"}, kNone, kNone, true));  // one norm for both
  check_decoder(with_norms(kPre, kPost, kNone, true));
  const nn::DecoderSpec in_turn = with_norms(kPre, kNone, kNone), parallel = with_norms(kPre, kNone, kNone, true);
  const Tensors tensors = random_weights(in_turn);
  CHECK(decoder_logits(in_turn, tensors, kTokens) != decoder_logits(parallel, tensors, kTokens));
}

TEST_CASE("additions of sublayers are scaled", "[nn][stack]") {
  for (const bool parallel : {false, true})
    for (const float scale : {0.22f, -1.5f}) {
      nn::DecoderSpec spec = with_norms(kPre, kNone, kNone, parallel);
      spec.stack.residual_scale = scale;
      check_decoder(spec);
    }
}

TEST_CASE("a layer's output is scaled by the file's factor, per layer or per channel", "[nn][stack]") {
  for (const bool parallel : {false, true}) {
    nn::DecoderSpec spec = with_norms(kPre, kNone, kNone, parallel);
    spec.stack.layers[1].output_scale = "layer_output_scale";
    const Tensors with = random_weights(spec);
    Tensors without = with;
    REQUIRE(without.erase("blk.1.layer_output_scale.weight") == 1);
    check_decoder(spec, with);
    check_decoder(spec, without);

    Tensors by_channel = with;
    by_channel["blk.1.layer_output_scale.weight"] = {{spec.stack.width}, Fuzz(7).reals(spec.stack.width, 2)};
    check_decoder(spec, by_channel);
    by_channel["blk.1.layer_output_scale.weight"] = {{2}, {1, 2}};
    test::check_throws(ErrorCode::invalid_file, "blk.1.layer_output_scale.weight: has shape 2, expected 1",
                       [&] { decoder_logits(spec, by_channel, kTokens); });
  }
}

TEST_CASE("additions of sublayers have gains, if the file has them", "[nn][stack]") {
  nn::DecoderSpec spec = with_norms(kPre, kNone, kNone);
  const Tensors plain = random_weights(spec);
  const std::vector<float> logits = decoder_logits(spec, plain, kTokens);
  for (nn::LayerSpec& layer : spec.stack.layers) layer.sublayers[1].gain = "ls2";
  CHECK(decoder_logits(spec, plain, kTokens) == logits);
  // as if the matrix that makes it had them
  Tensors with = plain, multiplied = plain;
  Fuzz fuzz(3);
  for (std::size_t i = 0; i < spec.stack.layers.size(); ++i) {
    const std::string layer = "blk." + std::to_string(i) + ".";
    Tensor& down = multiplied.at(layer + "ffn_down.weight");
    const std::vector<float> gains = fuzz.reals(down.shape[0], 4);
    with[layer + "ls2.weight"] = {{gains.size()}, gains};
    for (std::size_t j = 0; j < down.values.size(); ++j) down.values[j] *= gains[j / down.shape[1]];
  }
  const std::vector<float> gained = decoder_logits(spec, with, kTokens), expected = decoder_logits(spec, multiplied, kTokens);
  REQUIRE(gained.size() == expected.size());
  for (std::size_t i = 0; i < gained.size(); ++i) CHECK(std::fabs(gained[i] - expected[i]) < 1e-4f);
  CHECK(gained != logits);
}

TEST_CASE("a stack may end without a norm, or with one of another name", "[nn][stack]") {
  for (const std::string_view name : {"", "token_embd_norm"}) {
    nn::DecoderSpec spec = llama_like();
    spec.stack.final_norm = name;
    check_decoder(spec);
  }
}

TEST_CASE("a layer may have one to three sublayers", "[nn][stack]") {
  nn::DecoderSpec spec = llama_like();
  nn::LayerSpec& layer = spec.stack.layers[1];
  const nn::ExpertsSpec experts{.expert = {.feed_forward = 12}, .count = 4, .used = 2};
  layer.sublayers = {layer.sublayers[0], layer.sublayers[1], {.pre_norm = "third_norm", .block = experts}};
  nn::LayerSpec& first = spec.stack.layers[0];
  first.sublayers = {first.sublayers[0]};
  check_decoder(spec);
}

TEST_CASE("norms are scale-free except for epsilon", "[nn][stack]") {
  for (const float epsilon : {0.0f, 1e-5f, 0.5f}) {
    nn::DecoderSpec spec = llama_like();
    spec.stack.norm.epsilon = epsilon;
    check_decoder(spec);
  }
}
