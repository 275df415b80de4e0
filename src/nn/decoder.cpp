#include "nn/decoder.hpp"

#include <string>

namespace heed::nn {

void Sublayer::operator()(Activations x, Pass& pass) const noexcept {
  const Activations h{pass.scratch.h.data(), x.tokens, x.width};
  pre_norm_(x, h.data, pass);
  std::visit([&](const auto& mix) { mix(h, pass); }, mix_);
  pass.kernels.add(x.data, h.data, x.tokens * x.width);
}

Decoder::Decoder(const DecoderSpec& spec, Weights& weights)
    : kernels_(weights.kernels()),
      spec_(spec),
      embedding_(spec, weights),
      rope_(spec.attention.rope ? std::make_unique<Rope>(*spec.attention.rope, weights) : nullptr),
      final_norm_(spec.norm, spec.width, "output_norm", weights) {
  layers_.reserve(spec.layers);
  for (std::size_t i = 0; i < spec.layers; ++i) {
    const std::string name = "blk." + std::to_string(i);
    const auto norm = [&](const char* suffix) { return Norm(spec.norm, spec.width, name + suffix, weights); };
    layers_.push_back(
        {Sublayer(norm(".attn_norm"), Attention(spec.attention, spec.width, name, rope_.get(), weights)),
         Sublayer(norm(".ffn_norm"), Mlp(spec.mlp, spec.width, name, weights))});
  }
  if (weights.contains("output.weight")) head_ = weights.linear("output", spec.vocabulary, spec.width);
}

bool Decoder::forward(Pass& pass, float* logits, std::size_t rows) const noexcept {
  const std::size_t tokens = pass.tokens.size();
  const Activations x{pass.scratch.x.data(), tokens, spec_.width};
  embedding_(x, pass);
  if (rope_) rope_->fill_angles(pass);

  for (pass.layer = 0; pass.layer < layers_.size(); ++pass.layer) {
    if (pass.cancelled()) return false;
    for (const Sublayer& sublayer : layers_[pass.layer]) sublayer(x, pass);
  }

  if (rows == 0) return true;
  const Activations last{x.data + (tokens - rows) * spec_.width, rows, spec_.width};
  final_norm_(last, last.data, pass);
  project(last.data, rows, {{head_ ? &*head_ : &embedding_.table(), logits}}, pass);
  return true;
}

}  // namespace heed::nn
