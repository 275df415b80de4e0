#include "nn/kv_cache.hpp"

#include <algorithm>

namespace heed::nn {
namespace {

constexpr std::uint64_t element_bytes(KvType type) noexcept {
  return type == KvType::f32 ? 4 : type == KvType::int8 ? 1 : 2;
}

/// Whole chunks, as the kernel reads them: what the first and the last query of a batch see, wherever it begins. There is
/// one more, so that a sequence may be taken up some way back.
std::size_t ring_places(std::size_t window, std::size_t batch) noexcept {
  return (window + batch + kernels::kAttentionChunk - 1) / kernels::kAttentionChunk * kernels::kAttentionChunk +
         kernels::kAttentionChunk;
}

}  // namespace

KvCache::Plan KvCache::plan(const std::vector<CacheLayer>& layers, KvType type, std::size_t positions,
                            std::size_t batch, bool shared) {
  const std::size_t all = kernels::padded(positions);
  Plan plan;
  Plan largest;  // of a layer, where they share
  for (const CacheLayer& shape : layers) {
    const std::size_t places = shape.window == 0 ? all : std::min(all, ring_places(shape.window, batch));
    const std::uint64_t vectors = std::uint64_t{shape.kv_heads} * places;
    if (shared) plan.bytes = plan.scales = plan.inputs = 0;
    plan.layers.push_back({shape, places, plan.bytes, plan.scales, plan.inputs});
    plan.bytes += vectors * kernels::kv_width(shape.key_dim, shape.value_dim) * element_bytes(type);
    if (has_scales(type)) plan.scales += vectors;
    plan.inputs += std::uint64_t{shape.inputs} * places;
    largest.bytes = std::max(largest.bytes, plan.bytes);
    largest.scales = std::max(largest.scales, plan.scales);
    largest.inputs = std::max(largest.inputs, plan.inputs);
  }
  plan.bytes = largest.bytes;
  plan.scales = largest.scales;
  plan.inputs = largest.inputs;
  return plan;
}

KvCache::KvCache(const std::vector<CacheLayer>& layers, KvType type, std::size_t positions, std::size_t batch,
                 bool shared)
    : type_(type),
      positions_(positions),
      plan_(plan(layers, type, positions, batch, shared)),
      data_(plan_.bytes),
      key_scales_(plan_.scales),
      value_scales_(plan_.scales),
      inputs_(plan_.inputs) {}

std::uint64_t KvCache::bytes(const std::vector<CacheLayer>& layers, KvType type, std::size_t positions,
                             std::size_t batch, bool shared) {
  const Plan total = plan(layers, type, positions, batch, shared);
  return total.bytes + (2 * total.scales + total.inputs) * sizeof(float);
}

kernels::KvHead KvCache::head(std::size_t layer, std::size_t kv_head) noexcept {
  const Layer& l = plan_.layers[layer];
  const std::uint64_t first = std::uint64_t{kv_head} * l.places;
  const bool scaled = has_scales(type_);
  return {type_,
          l.shape.key_dim,
          l.shape.value_dim,
          l.places,
          data_.data() + l.data + first * kernels::kv_width(l.shape.key_dim, l.shape.value_dim) * element_bytes(type_),
          scaled ? key_scales_.data() + l.scales + first : nullptr,
          scaled ? value_scales_.data() + l.scales + first : nullptr};
}

void KvCache::store(std::size_t layer, std::size_t position, const float* keys, const float* values,
                    const kernels::Kernels& kernels) noexcept {
  const Layer& l = plan_.layers[layer];
  for (std::size_t h = 0; h < l.shape.kv_heads; ++h)
    kernels.store_kv(head(layer, h), position % l.places, keys + h * l.shape.key_dim, values + h * l.shape.value_dim);
}

float* KvCache::inputs(std::size_t layer, std::size_t position) noexcept {
  const Layer& l = plan_.layers[layer];
  return inputs_.data() + l.inputs + position % l.places * l.shape.inputs;
}

void KvCache::wrote(std::size_t end) noexcept {
  for (Layer& l : plan_.layers)
    if (end > l.places) l.intact_from = std::max(l.intact_from, end - l.places);
}

std::size_t KvCache::keep(std::size_t length) noexcept {
  const auto lost = [&](const Layer& l) {
    const std::size_t seen = std::min(length, l.shape.window == 0 ? length : l.shape.window - 1);
    return length - seen < l.intact_from;
  };
  if (length > 0 && std::none_of(plan_.layers.begin(), plan_.layers.end(), lost)) return length;
  for (Layer& l : plan_.layers) l.intact_from = 0;
  return 0;
}

}  // namespace heed::nn
