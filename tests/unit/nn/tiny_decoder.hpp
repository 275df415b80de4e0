// Runs small models of random weights, as a session does.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/thread_pool.hpp"
#include "kernels/dispatch.hpp"
#include "nn/decoder.hpp"
#include "nn/encoder.hpp"
#include "unit/nn/random_weights.hpp"
#include "unit/nn/specs.hpp"

namespace heed::test {

struct Running {
  std::size_t batch = 0;  // tokens a pass; 0: all in one
  std::size_t threads = 2;
  const kernels::Kernels* target = &kernels::select();
  KvType kv = KvType::f32;
};

/// A decoder with its cache: room for spec.embedding.context positions.
class TinyDecoder {
 public:
  TinyDecoder(const nn::DecoderSpec& spec, const Tensors& tensors, Running running = {},
              std::size_t memory = 0)
      : running_(running),
        batch_(running.batch == 0 ? spec.embedding.context : running.batch),
        file_(directory(tensors)),
        weights_(file_, *running.target),
        decoder_(spec, spec.embedding.context, weights_),
        pool_(running.threads),
        cache_(nn::Stack::cache_layers(spec.stack), running.kv, spec.embedding.context, batch_),
        memory_(nn::Stack::memory_layers(spec.stack), running.kv, std::max<std::size_t>(memory, 1), 1),
        scratch_(nn::Decoder::need(spec, {spec.stack.width, std::max(batch_, memory),
                                          std::max(spec.embedding.context, memory), running.threads}),
                 running.threads) {
    fill(weights_, file_, tensors);
  }

  const nn::Weights& weights() const { return weights_; }
  std::size_t length() const { return length_; }

  /// Keys and values of the encoder's output, M x D.
  void remember(std::vector<float> encoded) {
    nn::Pass pass = make_pass(1);
    memory_positions_ = encoded.size() / decoder_.spec().stack.width;
    decoder_.stack().remember({encoded.data(), memory_positions_, decoder_.spec().stack.width}, pass);
  }

  /// Appends the tokens; returns the logits of the last `rows` of them.
  std::vector<float> forward(std::span<const int> tokens, std::size_t rows,
                             nn::AttentionSink* sink = nullptr) {
    std::vector<float> logits(rows * decoder_.spec().embedding.vocabulary);
    nn::Pass pass = make_pass(tokens.size());
    pass.attention = sink;
    done_ = decoder_.forward(tokens, pass, logits.data(), rows);
    length_ += tokens.size();
    cache_.wrote(length_);
    return logits;
  }
  /// The same for tokens in batches; logits of all.
  std::vector<float> read(std::span<const int> tokens) {
    std::vector<float> logits;
    for (; !tokens.empty(); tokens = tokens.subspan(std::min(batch_, tokens.size()))) {
      const auto batch = tokens.first(std::min(batch_, tokens.size()));
      const std::vector<float> more = forward(batch, batch.size());
      logits.insert(logits.end(), more.begin(), more.end());
    }
    return logits;
  }
  std::size_t keep(std::size_t length) { return length_ = cache_.keep(length); }

  std::atomic<bool> cancel = false;
  bool done() const { return done_; }  // that the last pass was not cancelled

 private:
  nn::Pass make_pass(std::size_t tokens) {
    return {.kernels = *running_.target,
            .pool = pool_,
            .scratch = scratch_,
            .cache = cache_,
            .tokens = tokens,
            .position = length_,
            .memory = &memory_,
            .memory_positions = memory_positions_,
            .cancel = &cancel};
  }

  Running running_;
  std::size_t batch_;
  formats::TensorFile file_;
  nn::Weights weights_;
  nn::Decoder decoder_;
  ThreadPool pool_;
  nn::KvCache cache_, memory_;
  nn::Scratch scratch_;
  std::size_t length_ = 0, memory_positions_ = 0;
  bool done_ = false;
};

/// Logits of every position, T x V. All tensors must belong to the decoder.
inline std::vector<float> decoder_logits(const nn::DecoderSpec& spec, const Tensors& tensors,
                                         const std::vector<int>& tokens, Running running = {}) {
  if (running.batch == 0) running.batch = tokens.size();
  TinyDecoder decoder(spec, tensors, running);
  decoder.weights().check_all_taken();
  return decoder.read(tokens);
}

/// What an encoder makes of the tokens, T x D.
inline std::vector<float> encoder_hidden(const nn::EncoderSpec& spec, const Tensors& tensors,
                                         const std::vector<int>& tokens, const Running& running = {}) {
  const formats::TensorFile file = directory(tensors);
  nn::Weights weights(file, *running.target);
  const nn::Encoder encoder(spec, spec.embedding.context, weights);
  fill(weights, file, tensors);
  ThreadPool pool(running.threads);
  nn::KvCache cache(nn::Stack::cache_layers(spec.stack), running.kv, tokens.size(), tokens.size(), true);
  nn::Scratch scratch(
      nn::Encoder::need(spec, {spec.stack.width, tokens.size(), tokens.size(), running.threads}),
      running.threads);
  nn::Pass pass{
      .kernels = *running.target, .pool = pool, .scratch = scratch, .cache = cache, .tokens = tokens.size()};
  std::vector<float> hidden(tokens.size() * spec.stack.width);
  encoder.forward(tokens, pass, hidden.data());
  return hidden;
}

}  // namespace heed::test
