#include "nn/pass.hpp"

namespace heed::nn {

void Pass::visit(const Place& place, float* rows, std::size_t parts, std::size_t width) noexcept {
  for (const Segment& segment : segments)
    if (segment.listener)
      segment.listener->visit({place, segment.position, segment.count, parts, width, rows + segment.row * parts * width}, *this);
}

void Pass::hand_input(std::size_t into, const Activations& x) const noexcept {
  for (std::size_t i = 0; i < hands_inputs.size(); ++i)
    for (std::size_t t = 0; hands_inputs[i] == into && t < x.tokens; ++t)
      std::copy_n(x.data + t * x.width, x.width, handed + (t * hands_inputs.size() + i) * x.width);
}

void Pass::visit_parts(const Place& place, std::size_t t, float* row, std::size_t parts, std::size_t width) noexcept {
  if (const Listener* const listener = of(t).listener) listener->visit({place, position(t), 1, parts, width, row}, *this);
}

void Pass::visit_row(const Place& place, std::size_t t, float* row, std::size_t width, std::size_t part,
                     std::size_t of_parts) noexcept {
  if (const Listener* const listener = of(t).listener)
    listener->visit({place, position(t), 1, 1, width, row, part, of_parts}, *this);
}

void Pass::store_in_order(const float* keys, const float* values) noexcept {
  const CacheLayer& shape = segments[0].cache.shape(layer);
  pool.parallel_for(segments.size() * shape.kv_heads, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t i = begin; i < end; ++i) {
      const Segment& segment = segments[i / shape.kv_heads];
      for (std::size_t t = segment.row; t < segment.row + segment.count; ++t)
        segment.cache.store_head(layer, i % shape.kv_heads, segment.position + t - segment.row,
                                 keys + t * shape.kv_heads * shape.key_dim, values + t * shape.kv_heads * shape.value_dim, kernels);
    }
  });
}

}  // namespace heed::nn
