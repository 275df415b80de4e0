// Several residual streams, and a learned path beside attention, compared with their formulas.
#include "nn/alt_up.hpp"

#include <catch2/catch_test_macros.hpp>

#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

nn::DecoderSpec with_streams(std::size_t streams, bool others) {
  nn::DecoderSpec spec = llama_like();
  spec.stack.alt_up = nn::AltUpSpec{.streams = streams, .norm = {nn::NormKind::rms, 0.01f}};
  if (!others) return spec;
  spec.per_layer.width = 6;
  spec.stack.alt_up->others = nn::SublayerSpec{.post_norm = "post_norm", .block = nn::PerLayerInputSpec{6}};
  return spec;
}

}  // namespace

TEST_CASE("streams are predicted and corrected around each layer", "[nn][alt-up]") {
  for (const std::size_t streams : {2u, 3u, 4u, 8u})
    for (const bool others : {false, true}) {
      INFO(streams << " streams, others are told: " << others);
      check_decoder(with_streams(streams, others));
    }
}

TEST_CASE("streams that are all zero do no harm", "[nn][alt-up]") {
  const nn::DecoderSpec spec = with_streams(4, true);
  Tensors tensors = random_weights(spec);
  for (const char* name : {"altup_proj.weight", "altup_unembd_proj.weight"}) std::ranges::fill(tensors.at(name).values, 0.0f);
  for (const float logit : decoder_logits(spec, tensors, kTokens)) CHECK(std::isfinite(logit));
}

TEST_CASE("a learned path runs beside attention, and the sum is scaled", "[nn][laurel]") {
  for (const std::size_t rank : {1u, 5u, 40u}) {
    nn::DecoderSpec spec = llama_like();
    for (nn::LayerSpec& layer : spec.stack.layers) {
      const nn::SublayerSpec beside{.pre_norm = "attn_norm",
                                    .block = nn::LaurelSpec{rank, {nn::NormKind::rms, 0.01f}},
                                    .scale = 0.7f};
      layer.sublayers = {layer.sublayers[0], beside, layer.sublayers[1]};
      layer.parallel = layer.serial_last = true;
    }
    check_decoder(spec);
  }
}
