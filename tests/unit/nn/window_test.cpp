// Layers with a window: their caches give back the chunks that no query sees any more, and a text can be truncated nevertheless.
#include <catch2/catch_test_macros.hpp>

#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

/// One layer for each window, small enough for long contexts.
nn::DecoderSpec windowed(const std::vector<std::size_t>& windows, std::size_t context) {
  nn::AttentionSpec attention{.heads = 2, .kv_heads = 1, .key_dim = 4, .value_dim = 3, .scale = 0.5f};
  attention.rope = nn::RopeSpec{.dims = 4};
  nn::DecoderSpec spec = pre_norm_decoder(attention, nn::MlpSpec{.feed_forward = 8}, windows.size());
  spec.stack.width = spec.embedding.width = 8;
  spec.embedding.context_length = context;
  for (std::size_t i = 0; i < windows.size(); ++i)
    std::get<nn::AttentionSpec>(spec.stack.layers[i].sublayers[0].block).window = windows[i];
  return spec;
}

/// The first position that is left after `read`: the chunk that the window begins in, and one before.
std::size_t first_left(std::size_t window, std::size_t read) {
  return ((read + 1 - window) / kernels::kAttentionChunk - 1) * kernels::kAttentionChunk;
}

std::vector<float> last(const std::vector<float>& logits, std::size_t count) {
  return {logits.end() - static_cast<std::ptrdiff_t>(count), logits.end()};
}

}  // namespace

TEST_CASE("a window is the query's own position and those just before", "[nn][window]") {
  for (const std::size_t window : {1u, 2u, 5u, 18u, 19u}) {
    INFO("window " << window);
    check_decoder(windowed({window, 0, window + 3}, 40));
  }
}

TEST_CASE("a layer that has returned chunks still holds its window", "[nn][window]") {
  for (const std::size_t window : {1u, 5u, 16u, 129u, 255u, 256u, 257u}) {
    const nn::DecoderSpec spec = windowed({window}, 1100);
    const Tensors tensors = random_weights(spec);
    const std::vector<int> tokens = many_tokens(spec.embedding.context_length);
    const std::vector<float> logits = decoder_logits(spec, tensors, tokens, {.batch = 128});
    INFO("window " << window);
    check_close(logits, naive::logits(spec, tensors, tokens));
    for (const std::size_t batch : {1u, 7u, 128u}) {
      REQUIRE(first_left(window, tokens.size()) > 0);
      for (const kernels::Kernels* target : kernels::available()) {
        INFO("batches of " << batch << ", " << target->name);
        const bool same = decoder_logits(spec, tensors, tokens, {.batch = batch, .threads = 3, .target = target}) == logits;
        CHECK(same);
      }
    }
  }
}

TEST_CASE("layers with and without a window take their own places", "[nn][window]") {
  nn::DecoderSpec spec = windowed({9, 0, 300}, 800);
  change_attention(spec, [](nn::AttentionSpec& s) { s.sinks = true; });
  const Tensors tensors = random_weights(spec);
  const std::vector<int> tokens = many_tokens(spec.embedding.context_length);
  const std::vector<float> logits = decoder_logits(spec, tensors, tokens, {.batch = 128});
  check_close(logits, naive::logits(spec, tensors, tokens));
  for (const KvType type : {KvType::f32, KvType::f16, KvType::int16, KvType::q8, KvType::q4}) {
    const auto expected = decoder_logits(spec, tensors, tokens, {.batch = 800, .kv = type});
    for (const std::size_t batch : {1u, 7u, 128u}) {
      INFO(to_string(type) << ", batches of " << batch);
      const bool same = decoder_logits(spec, tensors, tokens, {.batch = batch, .kv = type}) == expected;
      CHECK(same);
    }
  }
}

TEST_CASE("truncation within the remaining chunks continues as if the rest had never existed", "[nn][window]") {
  constexpr std::size_t kWindow = 9, kRead = 1000, kMore = 30;
  const nn::DecoderSpec spec = windowed({kWindow, 0}, 1100);
  const Tensors tensors = random_weights(spec);
  for (const std::size_t batch : {1u, 7u, 128u}) {
    const std::size_t furthest = first_left(kWindow, kRead) + kWindow - 1;
    for (const std::size_t kept : {kRead - 1, kRead - 128, kRead - 200, furthest + 1, furthest}) {
      INFO("batches of " << batch << ", back to " << kept);
      std::vector<int> tokens = many_tokens(kRead);
      TinyDecoder decoder(spec, tensors, {.batch = batch});
      decoder.read(tokens);
      REQUIRE(decoder.cut(kept) == kept);
      tokens.resize(kept);
      for (std::size_t i = 0; i < kMore; ++i) tokens.push_back(static_cast<int>((7 * i + 3) % 19));
      const auto logits = decoder.read(std::span(tokens).subspan(kept));
      CHECK(logits == last(decoder_logits(spec, tensors, tokens, {.batch = 128}), logits.size()));
    }
  }
}

TEST_CASE("truncation beyond the remaining chunks starts over", "[nn][window]") {
  constexpr std::size_t kWindow = 9, kRead = 1000;
  const nn::DecoderSpec spec = windowed({0, kWindow}, 1100);
  const Tensors tensors = random_weights(spec);
  const std::vector<int> tokens = many_tokens(600);
  const auto expected = decoder_logits(spec, tensors, tokens, {.batch = 128});
  TinyDecoder decoder(spec, tensors, {.batch = 7});
  const std::size_t furthest = first_left(kWindow, kRead) + kWindow - 1;
  for (const std::size_t length : {furthest - 1, std::size_t{100}, std::size_t{1}, std::size_t{0}}) {
    decoder.cut(0);
    decoder.read(many_tokens(kRead));
    CHECK(decoder.cut(length) == 0);
    CHECK(decoder.length() == 0);
    const bool same = decoder.read(tokens) == expected;
    CHECK(same);
  }
}

TEST_CASE("one may go back again and again", "[nn][window]") {
  const nn::DecoderSpec spec = windowed({5, 40}, 1100);
  const Tensors tensors = random_weights(spec);
  Fuzz fuzz(1);
  std::vector<int> tokens;
  TinyDecoder decoder(spec, tensors, {.batch = 16});
  for (int round = 0; round < 40; ++round) {
    if (!tokens.empty() && fuzz.from_to(0, 2) == 0) {
      const std::size_t back = std::min(tokens.size(), fuzz.from_to(1, fuzz.flip() ? 50 : 700));
      tokens.resize(decoder.cut(tokens.size() - back));
    }
    std::vector<int> more(std::min<std::size_t>(fuzz.from_to(1, 200), 1100 - tokens.size()));
    for (int& token : more) token = static_cast<int>(fuzz.from_to(0, 18));
    if (more.empty()) continue;
    tokens.insert(tokens.end(), more.begin(), more.end());
    const auto logits = decoder.read(more);
    INFO("round " << round << ", " << tokens.size() << " tokens");
    const bool same = logits == last(decoder_logits(spec, tensors, tokens, {.batch = 128}), logits.size());
    CHECK(same);
  }
}
