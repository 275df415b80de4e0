#include "runtime/heads.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "nn/blocks.hpp"
#include "nn/decoder.hpp"
#include "runtime/model.hpp"

namespace heed::runtime {

HeadShape heads_of(const nn::StackSpec& stack, std::size_t layer) {
  for (const nn::SublayerSpec& sublayer : stack.layers[layer].sublayers)
    if (const HeadShape heads = nn::block_traits(sublayer.block, stack.width).heads; heads.count > 0) return heads;
  return {};
}

HeadProbe::HeadProbe(const Model& model, std::size_t layer) : layer_(layer) {
  if (!model.decoder()) throw Error(ErrorCode::unsupported, "does not generate text", model.info().architecture);
  const nn::StackSpec& stack = model.decoder()->spec().stack;
  if (layer >= stack.layers.size())
    throw Error(ErrorCode::invalid_argument,
                std::to_string(layer) + " is out of range: the model has " + std::to_string(stack.layers.size()) + " layers",
                "layers");
  shape_ = heads_of(stack, layer);
  if (shape_.count == 0)
    throw Error(ErrorCode::unsupported, "layer " + std::to_string(layer) + " has no softmax attention", model.info().architecture);
}

void HeadProbe::prepare(std::size_t count) {
  values_.assign(count * shape_.count * shape_.dim, 0.0f);
  tokens_ = count;
}

void HeadProbe::watch(nn::Segment& segment) {
  if (segment.end() > tokens_) prepare(segment.end());
  segment.heads = this;
}

void HeadProbe::record(std::size_t layer, std::size_t position, std::size_t count, std::size_t heads, std::size_t dim,
                       const float* outputs) noexcept {
  if (layer == layer_) std::copy_n(outputs, count * heads * dim, values_.data() + position * heads * dim);
}

}  // namespace heed::runtime
