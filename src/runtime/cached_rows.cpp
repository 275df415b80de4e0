#include "runtime/cached_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tensor/half.hpp"

namespace heed::runtime {
namespace {

template <class Number>
Number number_at(const std::byte* place) noexcept {
  Number number;
  std::memcpy(&number, place, sizeof(number));
  return number;
}

float element_at(KvType type, const std::byte* place) noexcept {
  switch (type) {
    case KvType::f32: return number_at<float>(place);
    case KvType::f16: return f16_to_f32(number_at<std::uint16_t>(place));
    case KvType::int16: return static_cast<float>(number_at<std::int16_t>(place));
    case KvType::q8:
    case KvType::q4: break;  // not reached: read_cached() reads these with read_kv()
  }
  return 0;
}

}  // namespace

/// Reads chunk by chunk, in the layout of saved sessions (kernels/generic/kv_transfer.hpp): keys, values, and the scales of both.
void read_cached(const kernels::KvHead& kv, std::size_t begin, std::size_t end, const kernels::Kernels& kernels, float* keys,
                 float* values) {
  if (has_blocks(kv.type)) {
    for (std::size_t p = begin; p < end; ++p)
      kernels.read_kv(kv, p, keys ? keys + (p - begin) * kv.key_dim : nullptr,
                      values ? values + (p - begin) * kv.value_dim : nullptr);
    return;
  }
  const std::size_t element = kernels::element_bytes(kv.type);
  std::vector<std::byte> saved(
      static_cast<std::size_t>(kernels::kv_saved_bytes(kv.type, kv.key_dim, kv.value_dim, kernels::kAttentionChunk)));
  for (std::size_t first = begin / kernels::kAttentionChunk * kernels::kAttentionChunk; first < end;
       first += kernels::kAttentionChunk) {
    const std::size_t count = std::min(end - first, kernels::kAttentionChunk);
    kernels.save_kv(kv, first / kernels::kAttentionChunk, count, saved.data());
    const std::byte* const value_places = saved.data() + count * kv.key_dim * element;
    const std::byte* const key_scales = value_places + count * kv.value_dim * element;
    const auto copy = [&](const std::byte* from, const std::byte* scales, std::size_t dim, float* to) {
      if (!to) return;
      for (std::size_t position = std::max(begin, first); position < first + count; ++position) {
        const std::size_t row = position - first;
        const float scale = has_scales(kv.type) ? number_at<float>(scales + row * sizeof(float)) : 1.0f;
        for (std::size_t i = 0; i < dim; ++i)
          to[(position - begin) * dim + i] = element_at(kv.type, from + (row * dim + i) * element) * scale;
      }
    };
    copy(saved.data(), key_scales, kv.key_dim, keys);
    copy(value_places, key_scales + count * sizeof(float), kv.value_dim, values);
  }
}

}  // namespace heed::runtime
