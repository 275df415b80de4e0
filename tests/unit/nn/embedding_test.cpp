// The steps before the first layer and after the last one.
#include "nn/embedding.hpp"

#include <catch2/catch_test_macros.hpp>

#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

TEST_CASE("embeddings are scaled, typed, placed and normed", "[nn][embedding]") {
  for (const auto positions : {nn::Positions::none, nn::Positions::learned, nn::Positions::sinusoidal})
    for (const float scale : {1.0f, 4.899f})
      for (const bool types : {false, true})
        for (const std::string_view norm : {"", "token_embd_norm"}) {
          INFO("positions " << static_cast<int>(positions) << ", scale " << scale << ", types " << types << ", norm " << norm);
          nn::DecoderSpec spec = llama_like();
          spec.embedding.positions = positions;
          spec.embedding.scale = scale;
          spec.embedding.types = types;
          spec.embedding.norm = norm;
          check_decoder(spec);
        }
}

TEST_CASE("sinusoidal positions of an odd width have a last sine of nothing", "[nn][embedding]") {
  nn::DecoderSpec spec = llama_like();
  spec.embedding.width = spec.stack.width = 23;
  spec.embedding.positions = nn::Positions::sinusoidal;
  check_decoder(spec);
}

TEST_CASE("logits are scaled, then capped", "[nn][head]") {
  for (const float scale : {1.0f, 0.125f, 3.0f})
    for (const float softcap : {0.0f, 0.7f, 30.0f})
      for (const bool tied : {false, true}) {
        INFO("scale " << scale << ", softcap " << softcap);
        nn::DecoderSpec spec = llama_like();
        spec.head = {.scale = scale, .softcap = softcap};
        check_decoder(spec, {.tied = tied});
      }
}
