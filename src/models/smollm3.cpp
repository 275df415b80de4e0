// SmolLM3: LLaMA, but every fourth layer has no positions (NoPE, arXiv:2501.18795).
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec smollm3(const Hyperparameters& h) {
  ModelSpec spec = llama(h);
  for_each_attention(spec.decoder->stack, [](nn::AttentionSpec& attention, std::size_t layer) {
    if (ends_group(layer, 4)) attention.rope.reset();
  });
  return spec;
}

}  // namespace heed::models
