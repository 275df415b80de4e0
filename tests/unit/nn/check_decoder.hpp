// Checks for every decoder: close to its naive implementation, and the same bits however it is run.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "unit/nn/naive/model.hpp"
#include "unit/nn/tiny_decoder.hpp"

namespace heed::test {

inline const std::vector<int> kTokens = {3, 0, 18, 7, 7, 1, 12, 5, 9, 2, 11, 4, 17, 6, 13, 8, 10, 16, 3};

/// Tokens of a vocabulary of 19.
inline std::vector<int> many_tokens(std::size_t count) {
  std::vector<int> tokens(count);
  for (std::size_t i = 0; i < count; ++i) tokens[i] = static_cast<int>((i * i + i / 19) % 19);
  return tokens;
}

/// Within `bound` of the largest value, and `slack`.
inline void check_close(const std::vector<float>& got, const std::vector<double>& expected, double bound = 5e-6, double slack = 0) {
  REQUIRE(got.size() == expected.size());
  double worst = 0, largest = 0;
  bool finite = true;
  for (std::size_t i = 0; i < got.size(); ++i) {
    worst = std::max(worst, std::abs(got[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
    finite = finite && std::isfinite(got[i]);
  }
  INFO("worst " << worst << ", largest " << largest);
  CHECK(finite);
  CHECK(worst <= bound * largest + slack);
}

/// On every target, with any number of threads, in batches of any size.
inline void check_same_bits(const nn::DecoderSpec& spec, const Tensors& tensors, const std::vector<int>& tokens,
                            const std::vector<float>& expected) {
  for (const kernels::Kernels* target : kernels::available()) {
    for (const auto& [threads, batch] : {std::pair<std::size_t, std::size_t>{1, tokens.size()}, {2, 7}, {3, 1}}) {
      INFO(target->name << ", " << threads << " threads, batches of " << batch);
      const bool same = decoder_logits(spec, tensors, tokens, {.batch = batch, .threads = threads, .target = target}) == expected;
      CHECK(same);
    }
    INFO(target->name << ", beside other texts");
    TinyDecoder decoder(spec, tensors, {.batch = tokens.size(), .target = target});
    const std::vector<int> longer = many_tokens(tokens.size()), shorter(tokens.rbegin(), tokens.rend() - 1);
    for (const auto& texts : {std::vector{tokens, longer, shorter}, {longer, shorter, tokens}}) {
      const auto logits = decoder.read_together(texts);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const bool same = logits[i] ==
                          (texts[i] == tokens ? expected : decoder_logits(spec, tensors, texts[i], {.target = target}));
        CHECK(same);
      }
    }
  }
}

inline void check_decoder(const nn::DecoderSpec& spec, const Tensors& tensors, const std::vector<int>& tokens = kTokens) {
  const std::vector<float> logits = decoder_logits(spec, tensors, tokens);
  check_close(logits, naive::logits(spec, tensors, tokens), 5e-6,
              1.5e-7 * spec.head.softcap);  // as far as tanh is off
  check_same_bits(spec, tensors, tokens, logits);
}

inline void check_decoder(const nn::DecoderSpec& spec, FileForm form = {}) {
  for (const std::uint64_t seed : {1u, 2u}) {
    INFO("seed " << seed);
    check_decoder(spec, random_weights(spec, form, seed));
  }
}

}  // namespace heed::test
