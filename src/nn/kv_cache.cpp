#include "nn/kv_cache.hpp"

namespace heed::nn {
namespace {

constexpr std::size_t element_bytes(KvType type) noexcept {
  return type == KvType::f32 ? 4 : type == KvType::int8 ? 1 : 2;
}

}  // namespace

KvCache::KvCache(const DecoderSpec& spec, KvType type, std::size_t positions)
    : type_(type),
      positions_(positions),
      padded_(kernels::padded(positions)),
      kv_heads_(spec.attention.kv_heads),
      head_dim_(spec.attention.head_dim) {
  const std::uint64_t vectors = std::uint64_t{spec.layers} * kv_heads_ * padded_;
  data_ = Buffer<std::byte>(vectors * kernels::kv_width(head_dim_) * element_bytes(type));
  if (has_scales(type)) {
    key_scales_ = Buffer<float>(vectors);
    value_scales_ = Buffer<float>(vectors);
  }
}

std::uint64_t KvCache::bytes(const DecoderSpec& spec, KvType type, std::size_t positions) {
  const std::uint64_t vectors = std::uint64_t{spec.layers} * spec.attention.kv_heads * kernels::padded(positions);
  const std::size_t scales = has_scales(type) ? 2 * sizeof(float) : 0;
  return vectors * (kernels::kv_width(spec.attention.head_dim) * element_bytes(type) + scales);
}

kernels::KvHead KvCache::head(std::size_t layer, std::size_t kv_head) noexcept {
  const std::size_t first = (layer * kv_heads_ + kv_head) * padded_;
  const bool scaled = has_scales(type_);
  return {type_,
          head_dim_,
          padded_,
          data_.data() + first * kernels::kv_width(head_dim_) * element_bytes(type_),
          scaled ? key_scales_.data() + first : nullptr,
          scaled ? value_scales_.data() + first : nullptr};
}

}  // namespace heed::nn
