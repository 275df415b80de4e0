// Per-layer embeddings (Gemma 3n): a vector per token and layer, and its use in the layer.
#pragma once

#include "unit/nn/naive/mlp.hpp"
#include "unit/nn/naive/norm.hpp"

namespace heed::test::naive {

/// Of each layer, of each token. embedded: the tokens' embeddings, scaled.
inline std::vector<Sequence> per_layer_inputs(const nn::PerLayerEmbeddingSpec& spec, const nn::StackSpec& stack,
                                              const std::vector<int>& tokens, const Sequence& embedded,
                                              const Parameters& parameters) {
  std::vector<Sequence> inputs(spec.width == 0 ? 0 : stack.layers.size());
  for (std::size_t layer = 0; layer < inputs.size(); ++layer)
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      const Vector row = parameters.row("per_layer_token_embd.weight", static_cast<std::size_t>(tokens[t]));
      Vector projected = part(parameters.linear("per_layer_model_proj", embedded[t]), layer * spec.width, spec.width);
      for (double& v : projected) v /= std::sqrt(static_cast<double>(stack.width));
      Vector input = norm(stack.norm, projected, parameters.values("per_layer_proj_norm.weight"));
      add(input, part(row, layer * spec.width, spec.width), std::sqrt(static_cast<double>(spec.width)));
      for (double& v : input) v /= std::sqrt(2.0);
      inputs[layer].push_back(std::move(input));
    }
  return inputs;
}

inline Sequence per_layer_input(const nn::PerLayerInputSpec& spec, const Sequence& h, const Sequence& inputs,
                                const std::string& layer, const Parameters& parameters) {
  Sequence out;
  for (std::size_t t = 0; t < h.size(); ++t) {
    const Vector gate = parameters.linear(layer + "inp_gate", h[t]);
    out.push_back(parameters.linear(layer + "proj", gated(spec.activation, gate, inputs[t])));
  }
  return out;
}

}  // namespace heed::test::naive
