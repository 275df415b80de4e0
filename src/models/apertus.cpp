// Apertus (arXiv:2509.14233): norms of queries and keys, and an ungated MLP with xIELU (arXiv:2411.13010), whose parameters are
// learned per layer.
#include <cmath>

#include "base/deterministic_math.hpp"
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

/// The values of a key, one per layer; `key` is the full key, without the architecture as its prefix.
std::vector<float> of_layers(const Hyperparameters& h, const std::string& key) {
  const std::size_t layers = layer_count(h);
  const auto& values = h.metadata().require<formats::Metadata::Floats>(key);
  if (values.size() != layers)
    throw Error(ErrorCode::invalid_file,
                "has " + std::to_string(values.size()) + " entries, but needs one per layer: " + h.full("block_count"), key);
  for (const float value : values)
    if (!std::isfinite(value)) throw Error(ErrorCode::invalid_file, "must hold finite numbers", key);
  return values;
}

}  // namespace

ModelSpec apertus(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.qk_norm = {.span = nn::QkNormSpan::head, .norm = rms_norm(h)};
  const nn::MlpSpec mlp = plain_mlp(h, kernels::Activation::relu, false);
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(attention, mlp));
  const auto positive = of_layers(h, "xielu.alpha_p"), negative = of_layers(h, "xielu.alpha_n");
  const auto linear = of_layers(h, "xielu.beta");
  for (std::size_t i = 0; i < spec.stack.layers.size(); ++i)
    std::get<nn::MlpSpec>(spec.stack.layers[i].sublayers[1].block).xielu = {
        .positive = static_cast<float>(deterministic_softplus(positive[i])),
        .negative = static_cast<float>(deterministic_softplus(negative[i]) + static_cast<double>(linear[i])),
        .linear = linear[i]};
  return decoder_only(std::move(spec));
}

}  // namespace heed::models
