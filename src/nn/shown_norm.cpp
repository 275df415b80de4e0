#include "nn/shown_norm.hpp"

#include <algorithm>

namespace heed::nn {

void apply_shown(const Norm& norm, Activations in, float* out, const Place& divided_by, const Place& normalized, Pass& pass,
                 const std::size_t* rows) noexcept {
  const auto hears = [](const Segment& segment) { return segment.listener && segment.listener->hears_norms(); };
  if (std::none_of(pass.segments.begin(), pass.segments.end(), hears)) return norm(in, out, pass);
  pass.pool.parallel_for(in.tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) {
      const std::size_t row = rows ? rows[t] : t;
      const std::span<const float> x(in.data + t * in.width, in.width);
      float* const y = out + t * in.width;
      if (const Segment& segment = pass.of(row); hears(segment)) {
        const Norm::Divisor own = norm.divisor_of(x);
        NormSight sight{divided_by, normalized, pass.position(row), x, own.mean, own.divisor};
        segment.listener->norm(sight);
        if (sight.divisor != own.divisor) {
          norm.apply_by({own.mean, sight.divisor}, x, y);
          continue;
        }
      }
      norm.apply(x.data(), in.width, y, pass);
    }
  });
}

}  // namespace heed::nn
