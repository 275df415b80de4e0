// Runs small models of random weights, as a session does.
#pragma once

#include <algorithm>
#include <numeric>
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

/// A decoder with its cache: room for spec.embedding.context_length positions.
class TinyDecoder {
 public:
  TinyDecoder(const nn::DecoderSpec& spec, const Tensors& tensors, Running running = {}, std::size_t encoder_positions = 0)
      : running_(running),
        batch_(running.batch == 0 ? spec.embedding.context_length : running.batch),
        file_(directory(tensors)),
        weights_(file_, *running.target),
        decoder_(spec, spec.embedding.context_length, weights_),
        pool_(running.threads),
        caches_(nn::Stack::cache_layers(spec.stack), running.kv),
        cross_caches_(nn::Stack::cross_cache_layers(spec.stack), running.kv),
        cache_(caches_),
        cross_cache_(cross_caches_),
        scratch_(nn::Decoder::need(spec, {spec.stack.width, std::max(batch_, encoder_positions),
                                          std::max(spec.embedding.context_length, encoder_positions), running.threads, kTogether}),
                 running.threads, *running.target) {
    fill(weights_, file_, tensors);
  }

  const nn::Weights& weights() const { return weights_; }
  std::size_t length() const { return cache_.length(); }

  /// Keys and values of the encoder's output, M x D.
  void cache_encoder_output(std::vector<float> encoded) {
    encoder_positions_ = encoded.size() / decoder_.spec().stack.width;
    cross_cache_.make_room(encoder_positions_);
    nn::Segment segment = make_segment(1);
    nn::Pass pass = make_pass(segment);
    decoder_.stack().cache_encoder_output({encoded.data(), encoder_positions_, decoder_.spec().stack.width}, pass);
  }

  /// Appends the tokens; returns the logits of the last `rows` of them.
  std::vector<float> forward(std::span<const int> tokens, std::size_t rows, const nn::Listener* listener = nullptr) {
    std::vector<float> logits(rows * decoder_.spec().embedding.vocabulary);
    cache_.make_room(length() + tokens.size());
    nn::Segment segment = make_segment(tokens.size());
    segment.listener = listener;
    nn::Pass pass = make_pass(segment);
    std::vector<std::size_t> last(rows);
    std::iota(last.begin(), last.end(), tokens.size() - rows);
    done_ = decoder_.forward(tokens, pass, logits.data(), last);
    if (done_) cache_.wrote(segment.end());
    else cache_.undo();
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
  /// Logits of all tokens of several texts that are read in the same passes, at most kTogether of them: of each text one
  /// token more than of the one before.
  std::vector<std::vector<float>> read_together(const std::vector<std::vector<int>>& texts) {
    const std::size_t vocabulary = decoder_.spec().embedding.vocabulary;
    std::vector<nn::KvCache> caches(texts.size(), nn::KvCache(caches_));
    std::vector<std::vector<float>> logits(texts.size());
    for (;;) {
      std::vector<nn::Segment> segments;
      std::vector<int> tokens;
      std::vector<std::size_t> texts_of_segments;
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::size_t begin = caches[i].length(), count = std::min(i + 1, texts[i].size() - begin);
        if (count == 0) continue;
        caches[i].make_room(begin + count);
        segments.push_back({.cache = caches[i], .position = begin, .count = count, .row = tokens.size()});
        const auto first = texts[i].begin() + static_cast<std::ptrdiff_t>(begin);
        tokens.insert(tokens.end(), first, first + static_cast<std::ptrdiff_t>(count));
        texts_of_segments.push_back(i);
      }
      if (tokens.empty()) return logits;
      std::vector<std::size_t> rows(tokens.size());
      std::iota(rows.begin(), rows.end(), std::size_t{0});
      std::vector<float> all(tokens.size() * vocabulary);
      nn::Pass pass = make_pass(segments, tokens.size());
      decoder_.forward(tokens, pass, all.data(), rows);
      for (std::size_t i = 0; i < segments.size(); ++i) {
        const auto from = all.begin() + static_cast<std::ptrdiff_t>(segments[i].row * vocabulary);
        auto& of_text = logits[texts_of_segments[i]];
        of_text.insert(of_text.end(), from, from + static_cast<std::ptrdiff_t>(segments[i].count * vocabulary));
        segments[i].cache.wrote(segments[i].end());
      }
    }
  }
  static constexpr std::size_t kTogether = 3;

  std::size_t cut(std::size_t length) { return cache_.cut(length); }
  nn::KvCache& cache() { return cache_; }

  Interrupt interrupt;
  bool done() const { return done_; }  // that the last pass was not canceled

 private:
  nn::Segment make_segment(std::size_t tokens) {
    return {.cache = cache_,
            .position = length(),
            .count = tokens,
            .cross_cache = &cross_cache_,
            .encoder_positions = encoder_positions_};
  }
  nn::Pass make_pass(std::span<nn::Segment> segments, std::size_t tokens) {
    return {.kernels = *running_.target,
            .pool = pool_,
            .scratch = scratch_,
            .segments = segments,
            .tokens = tokens,
            .interrupt = &interrupt};
  }
  nn::Pass make_pass(nn::Segment& segment) { return make_pass({&segment, 1}, segment.count); }

  Running running_;
  std::size_t batch_;
  formats::TensorFile file_;
  nn::Weights weights_;
  nn::Decoder decoder_;
  ThreadPool pool_;
  nn::KvCachePool caches_, cross_caches_;
  nn::KvCache cache_, cross_cache_;
  nn::Scratch scratch_;
  std::size_t encoder_positions_ = 0;
  bool done_ = false;
};

/// Logits of every position, T x V. All tensors must belong to the decoder.
inline std::vector<float> decoder_logits(const nn::DecoderSpec& spec, const Tensors& tensors, const std::vector<int>& tokens,
                                         Running running = {}) {
  if (running.batch == 0) running.batch = tokens.size();
  TinyDecoder decoder(spec, tensors, running);
  decoder.weights().check_all_requested();
  return decoder.read(tokens);
}

/// An encoder's output for the tokens, T x D.
inline std::vector<float> encoder_hidden(const nn::EncoderSpec& spec, const Tensors& tensors, const std::vector<int>& tokens,
                                         const Running& running = {}) {
  const formats::TensorFile file = directory(tensors);
  nn::Weights weights(file, *running.target);
  const nn::Encoder encoder(spec, spec.embedding.context_length, weights);
  fill(weights, file, tensors);
  ThreadPool pool(running.threads);
  nn::KvCachePool kept(nn::Stack::cache_layers(spec.stack), running.kv, true);
  nn::KvCache cache(kept);
  cache.make_room(tokens.size());
  nn::Scratch scratch(nn::Encoder::need(spec, {spec.stack.width, tokens.size(), tokens.size(), running.threads}), running.threads,
                      *running.target);
  nn::Segment segment{.cache = cache, .count = tokens.size()};
  nn::Pass pass{.kernels = *running.target, .pool = pool, .scratch = scratch, .segments = {&segment, 1}, .tokens = tokens.size()};
  std::vector<float> hidden(tokens.size() * spec.stack.width);
  encoder.forward(tokens, pass, hidden.data());
  return hidden;
}

}  // namespace heed::test
