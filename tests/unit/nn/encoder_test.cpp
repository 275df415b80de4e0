// Encoders, where every token sees all others, and decoders that attend to one.
#include "nn/encoder.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support/errors.hpp"
#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

/// Of a decoder's parts.
nn::EncoderSpec encoder(nn::DecoderSpec spec) {
  change_attention(spec, [](nn::AttentionSpec& s) { s.mask = nn::Mask::none; });
  return {.embedding = spec.embedding, .stack = spec.stack, .pooling = nn::Pooling::mean};
}

std::vector<double> naive_hidden(const nn::EncoderSpec& spec, const Tensors& tensors, const std::vector<int>& tokens) {
  std::vector<double> all;
  for (const naive::Vector& v : naive::hidden(spec, tensors, tokens)) all.insert(all.end(), v.begin(), v.end());
  return all;
}

void check_encoder(const nn::EncoderSpec& spec, const std::vector<int>& tokens = kTokens, const FileForm& form = {}) {
  const Tensors tensors = random_weights(spec, form);
  const std::vector<float> hidden = encoder_hidden(spec, tensors, tokens);
  check_close(hidden, naive_hidden(spec, tensors, tokens));
  for (const kernels::Kernels* target : kernels::available())
    for (const std::size_t threads : {1u, 3u}) {
      INFO(target->name << ", " << threads << " threads");
      const bool same = encoder_hidden(spec, tensors, tokens, {.threads = threads, .target = target}) == hidden;
      CHECK(same);
    }
}

/// A decoder with cross-attention between attention and MLP, as wide as an encoder of llama_like().
nn::DecoderSpec crossing(bool biased = false, std::size_t value_dim = 10) {
  nn::DecoderSpec spec = llama_like();
  spec.stack.prefix = "dec.";
  nn::AttentionSpec cross = rotary_attention();
  cross.mask = nn::Mask::none;
  cross.rope.reset();
  cross.cross = true;
  cross.name = "cross_attn";
  cross.output = "o";
  cross.biased = biased;
  cross.value_dim = value_dim;
  for (nn::LayerSpec& layer : spec.stack.layers)
    layer.sublayers = {layer.sublayers[0], {.pre_norm = "cross_attn_norm", .block = cross}, layer.sublayers[1]};
  return spec;
}

struct Encoded {
  std::vector<float> floats;
  naive::Sequence sequence;
};

Encoded random_encoded(std::size_t count, std::size_t width) {
  Fuzz fuzz(5);
  Encoded encoded{fuzz.reals(count * width), {}};
  for (std::size_t t = 0; t < count; ++t) {
    const auto row = std::span(encoded.floats).subspan(t * width, width);
    encoded.sequence.emplace_back(row.begin(), row.end());
  }
  return encoded;
}

}  // namespace

TEST_CASE("an encoder's tokens see those before and after", "[nn][encoder]") {
  check_encoder(encoder(llama_like()));
  check_encoder(encoder(gpt2_like()));
  check_encoder(encoder(llama_like()), {5});
}

TEST_CASE("an encoder with norms after each sum, types and no last norm", "[nn][encoder]") {
  nn::DecoderSpec spec = gpt2_like();
  spec.embedding.types = true;
  spec.embedding.norm = "token_embd_norm";
  spec.stack.final_norm = {};
  for (nn::LayerSpec& layer : spec.stack.layers) {
    for (nn::SublayerSpec& sublayer : layer.sublayers) sublayer.pre_norm = {};
    layer.sublayers[0].residual_norm = "attn_output_norm";
    layer.sublayers[1].residual_norm = "layer_output_norm";
  }
  check_encoder(encoder(spec));
}

TEST_CASE("an encoder has biases of both sides", "[nn][encoder]") {
  for (const auto kind : {nn::PositionBiasKind::linear, nn::PositionBiasKind::relative}) {
    nn::DecoderSpec spec = llama_like();
    spec.stack.prefix = "enc.";
    spec.stack.bias = nn::PositionBiasSpec{.kind = kind, .buckets = 12, .furthest = 10};
    change_attention(spec, [](nn::AttentionSpec& s) { s.rope.reset(); });
    check_encoder(encoder(spec));
  }
}

TEST_CASE("a window of an encoder is as wide on both sides", "[nn][encoder]") {
  for (const std::size_t window : {1u, 2u, 5u, 6u, 17u, 80u}) {
    INFO("window " << window);
    nn::DecoderSpec spec = llama_like();
    std::get<nn::AttentionSpec>(spec.stack.layers[1].sublayers[0].block).window = window;
    check_encoder(encoder(spec));
  }
  nn::DecoderSpec longer = llama_like();  // than a chunk of keys
  longer.embedding.context_length = 2 * kernels::kAttentionChunk + 50;
  longer.stack.layers.resize(1);
  change_attention(longer, [](nn::AttentionSpec& s) { s.window = kernels::kAttentionChunk + 30; });
  check_encoder(encoder(longer), many_tokens(longer.embedding.context_length));
}

TEST_CASE("an encoder adds a layer's input once more where the file has a norm for that", "[nn][encoder]") {
  nn::DecoderSpec spec = gpt2_like();
  spec.stack.bias = nn::PositionBiasSpec{.kind = nn::PositionBiasKind::linear};
  change_attention(spec, [](nn::AttentionSpec& s) {
    s.qk_norm = {.span = nn::QkNormSpan::all_heads, .norm = {.kind = nn::NormKind::layer}, .optional = true};
  });
  for (nn::LayerSpec& layer : spec.stack.layers) {
    for (nn::SublayerSpec& sublayer : layer.sublayers) sublayer.pre_norm = {};
    layer.sublayers[0].residual_norm = "attn_output_norm";
    layer.sublayers[0].again_norm = "attn_norm_2";
    layer.sublayers[1].residual_norm = "layer_output_norm";
  }
  check_encoder(encoder(spec));
  check_encoder(encoder(spec), kTokens, {.again_norms = false});
}

TEST_CASE("an encoder takes long texts in one pass", "[nn][encoder]") {
  nn::DecoderSpec spec = llama_like();
  spec.embedding.context_length = kernels::kAttentionChunk + 50;
  spec.stack.layers.resize(1);
  check_encoder(encoder(spec), many_tokens(spec.embedding.context_length));
}

TEST_CASE("a decoder attends to the encoder's output", "[nn][encoder]") {
  for (const auto& [biased, value_dim] : {std::pair<bool, std::size_t>{false, 10}, {true, 6}})
    for (const std::size_t count : {1u, 7u, 300u}) {
      INFO("biased " << biased << ", " << count << " encoded");
      const nn::DecoderSpec spec = crossing(biased, value_dim);
      const Tensors tensors = random_weights(spec);
      const Encoded encoded = random_encoded(count, spec.stack.width);
      const auto run = [&](const Running& running) {
        TinyDecoder decoder(spec, tensors, running, count);
        decoder.cache_encoder_output(encoded.floats);
        return decoder.read(kTokens);
      };
      const std::vector<float> logits = run({});
      check_close(logits, naive::logits(spec, tensors, kTokens, encoded.sequence));
      for (const kernels::Kernels* target : kernels::available())
        for (const auto& [threads, batch] : {std::pair<std::size_t, std::size_t>{1, 19}, {2, 7}, {3, 1}}) {
          INFO(target->name << ", " << threads << " threads, batches of " << batch);
          const bool same = run({.batch = batch, .threads = threads, .target = target}) == logits;
          CHECK(same);
        }
    }
}

TEST_CASE("only some layers may attend to the encoder's output", "[nn][encoder]") {
  nn::DecoderSpec spec = crossing();
  spec.stack.layers[0] = llama_like().stack.layers[0];
  const Tensors tensors = random_weights(spec);
  const Encoded encoded = random_encoded(20, spec.stack.width);
  TinyDecoder decoder(spec, tensors, {}, 20);
  decoder.cache_encoder_output(encoded.floats);
  check_close(decoder.read(kTokens), naive::logits(spec, tensors, kTokens, encoded.sequence));
}

TEST_CASE("biases by distance are of self-attention alone", "[nn][encoder]") {
  nn::DecoderSpec spec = crossing();
  spec.stack.bias = nn::PositionBiasSpec{.kind = nn::PositionBiasKind::relative, .buckets = 8, .furthest = 20};
  const Tensors tensors = random_weights(spec);
  const Encoded encoded = random_encoded(40, spec.stack.width);
  TinyDecoder decoder(spec, tensors, {}, 40);
  decoder.cache_encoder_output(encoded.floats);
  check_close(decoder.read(kTokens), naive::logits(spec, tensors, kTokens, encoded.sequence));
}

TEST_CASE("an encoder ignores unused tensors", "[nn][encoder]") {
  nn::EncoderSpec spec = encoder(llama_like());
  const Tensors tensors = random_weights(llama_like(), {.tied = false});
  const formats::TensorFile file = directory(tensors);
  const auto build = [&] {
    nn::Weights weights(file, kernels::select());
    const nn::Encoder made(spec, spec.embedding.context_length, weights);
    weights.check_all_requested();
  };
  check_throws(ErrorCode::unsupported, "output.weight: ", build);
  spec.unread = "output.";
  build();
}

TEST_CASE("a reranker scores a vector", "[nn][encoder]") {
  using kernels::Activation;
  for (const auto& [dense, activation, probabilities] :
       {std::tuple{false, std::optional<Activation>(), true}, {true, {}, false}, {true, Activation::relu, false}}) {
    nn::EncoderSpec spec = encoder(llama_like());
    spec.stack.norm.kind = nn::NormKind::layer;
    spec.scores = 3;
    spec.score_activation = activation;
    spec.probabilities = probabilities;
    const std::size_t width = spec.stack.width;
    RandomWeights random(FileForm{.dense_scores = dense});
    random.add(spec);
    Tensors tensors = random.take();
    const bool normed = activation.has_value();  // ModernBERT's has a norm, without a bias
    if (normed) tensors["cls.norm.weight"] = {{width}, Fuzz(3).reals(width)};

    const std::vector<float> hidden = encoder_hidden(spec, tensors, kTokens);
    const auto multiply = [&](const std::string& name, const naive::Vector& x) {
      const Tensor &weight = tensors.at(name + ".weight"), &bias = tensors.at(name + ".bias");
      naive::Vector y(bias.values.begin(), bias.values.end());
      for (std::size_t row = 0; row < y.size(); ++row)
        for (std::size_t i = 0; i < width; ++i) y[row] += double{weight.values[row * width + i]} * x[i];
      return y;
    };
    naive::Vector expected(hidden.begin(), hidden.begin() + static_cast<std::ptrdiff_t>(width));
    if (dense) {
      expected = multiply("cls", expected);
      for (double& x : expected) x = activation ? std::max(x, 0.0) : std::tanh(x);
      if (normed) expected = naive::norm(spec.stack.norm, expected, "", "cls.norm", naive::Parameters(tensors));
    }
    expected = multiply("cls.output", expected);
    if (probabilities) expected = naive::softmax(expected, nullptr);

    const kernels::Kernels& target = kernels::select();
    const formats::TensorFile file = directory(tensors);
    nn::Weights weights(file, target);
    const nn::Encoder reranker(spec, spec.embedding.context_length, weights);
    weights.check_all_requested();
    fill(weights, file, tensors);
    ThreadPool pool(1);
    nn::Scratch scratch(nn::Encoder::need(spec, {width, 1, 1, 1}), 1, kernels::select());
    nn::Pass pass{.kernels = target, .pool = pool, .scratch = scratch, .segments = {}, .tokens = 1};
    std::vector<float> room(width), scores(reranker.score_head()->size());
    (*reranker.score_head())(hidden.data(), room.data(), scores.data(), pass);
    check_close(scores, expected);
  }
}
