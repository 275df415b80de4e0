// The encoder: tokens to one vector each, where every token sees all others.
#pragma once

#include <span>

#include "nn/embedding.hpp"
#include "nn/stack.hpp"

namespace heed::nn {

class Encoder {
 public:
  /// As Decoder.
  Encoder(const EncoderSpec& spec, std::size_t positions, Weights& weights)
      : spec_(spec),
        embedding_(spec.embedding, spec.stack.norm, spec.stack.prefix, weights),
        stack_(spec.stack, positions, weights) {}

  static ScratchNeed need(const EncoderSpec& spec, const Extent& extent) {
    return Embedding::need(extent).either(Stack::need(spec.stack, extent));
  }

  const EncoderSpec& spec() const noexcept { return spec_; }

  /// hidden: T x D. False if it was cancelled.
  bool forward(std::span<const std::int32_t> tokens, Pass& pass, float* hidden) const noexcept {
    const Activations x{hidden, tokens.size(), spec_.stack.width};
    embedding_(tokens, x, pass);
    if (!stack_(x, pass)) return false;
    stack_.finish(x, pass);
    return true;
  }

 private:
  EncoderSpec spec_;
  Embedding embedding_;
  Stack stack_;
};

}  // namespace heed::nn
