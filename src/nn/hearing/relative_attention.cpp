// Keys and distance embeddings are transposed, so that a query's scores are a weighted sum of whole rows.
#include "nn/hearing/relative_attention.hpp"

#include <algorithm>
#include <cmath>

#include "base/deterministic_math.hpp"

namespace heed::nn {
namespace {

/// Writes the transpose of a matrix of `rows` x `columns`.
void turn_over(const float* in, std::size_t rows, std::size_t columns, float* out, Pass& pass) noexcept {
  pass.pool.parallel_for(columns, 8, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t c = begin; c < end; ++c)
      for (std::size_t r = 0; r < rows; ++r) out[c * rows + r] = in[r * columns + c];
  });
}

}  // namespace

RelativeAttention::RelativeAttention(const ConformerSpec& spec, const std::string& name, Weights& weights)
    : spec_(spec), dim_(spec.width / spec.heads) {
  const std::size_t width = spec.width;
  q_ = weights.linear(name + ".attn_q", width, width);
  k_ = weights.linear(name + ".attn_k", width, width);
  v_ = weights.linear(name + ".attn_v", width, width);
  out_ = weights.linear(name + ".attn_out", width, width);
  query_scales_ = weights.optional_vector(name + ".per_dim_scale.weight", dim_);
  key_scales_ = weights.optional_vector(name + ".per_dim_k_scale.weight", dim_);
  switch (spec.distances) {
    case Distances::sinusoid:
      distances_ = weights.linear(name + ".linear_pos", width, spec.sinusoid);
      content_ = weights.table(name + ".pos_bias_u", spec.heads, dim_);
      distance_ = weights.table(name + ".pos_bias_v", spec.heads, dim_);
      break;
    case Distances::table: table_ = weights.table(name + ".attn_rel_pos_emb", 2 * spec.furthest + 1, dim_); break;
    case Distances::recent: distances_ = weights.linear(name + ".attn_k_rel", width, spec.sinusoid); break;
  }
}

std::size_t RelativeAttention::reach(const ConformerSpec& spec, std::size_t rows) noexcept {
  return spec.distances == Distances::sinusoid ? rows : spec.reach;
}

ScratchNeed RelativeAttention::need(const ConformerSpec& spec, std::size_t rows, std::size_t threads) {
  const std::uint64_t width = spec.width, distances = 2 * reach(spec, rows);
  ScratchNeed need;
  for (int i = 0; i < 5; ++i) need.allocate<float>(rows * width);  // q, k, v, columns of k, the heads' outputs
  for (int i = 0; i < 2; ++i) need.allocate<float>(distances * std::max<std::uint64_t>(width, spec.sinusoid));
  need.allocate<float>(distances * width).allocate<float>(threads * (rows + 2 * spec.width / spec.heads));
  return need.product(rows, spec.width).product(distances, spec.sinusoid);
}

PositionRange RelativeAttention::seen_from(std::size_t row, std::size_t rows) const noexcept {
  const std::size_t reach = spec_.reach;
  switch (spec_.distances) {
    case Distances::table: return {row / reach * reach, std::min(rows, row / reach * reach + reach)};
    case Distances::recent: return {row + 1 > reach ? row + 1 - reach : 0, row + 1};
    default: return {0, rows};
  }
}

/// Computes the embedding of each distance: sines and cosines in turn (arXiv:1706.03762), or all sines first.
void RelativeAttention::fill_sinusoids(std::size_t reach, float* out) const noexcept {
  const std::size_t count = spec_.sinusoid, half = count / 2;
  const bool in_turn = spec_.distances == Distances::sinusoid;
  const double slowest = deterministic_log(10000.0) / static_cast<double>(in_turn ? half : std::max<std::size_t>(half - 1, 1));
  for (std::size_t i = 0; i + 1 < 2 * reach; ++i, out += count) {
    const double distance = static_cast<double>(reach) - 1 - static_cast<double>(i);
    for (std::size_t m = 0; m < half; ++m) {
      const SineCosine turn = deterministic_sine_cosine(distance * deterministic_exp(-static_cast<double>(m) * slowest));
      out[in_turn ? 2 * m : m] = static_cast<float>(turn.sine);
      out[in_turn ? 2 * m + 1 : half + m] = static_cast<float>(turn.cosine);
    }
    if (count % 2 != 0) out[count - 1] = 0;
  }
}

/// The distance embeddings of each head (`table`: of all heads), transposed: dim_ x distances.
const float* RelativeAttention::distance_columns(std::size_t reach, Pass& pass) const noexcept {
  const std::size_t count = 2 * reach - 1, most = std::max(spec_.width, spec_.sinusoid);
  float* const rows = pass.scratch.allocate<float>(count * most);
  float* const columns = pass.scratch.allocate<float>(count * most);
  if (spec_.distances == Distances::table) {
    for (std::size_t i = 0; i < count; ++i) {  // distance reach - 1 - i
      const std::size_t at = spec_.furthest + reach - 1 < i ? 0 : std::min(spec_.furthest + reach - 1 - i, 2 * spec_.furthest);
      std::copy_n(table_.data() + at * dim_, dim_, rows + i * dim_);
    }
    turn_over(rows, count, dim_, columns, pass);
    return columns;
  }
  float* const projected = pass.scratch.allocate<float>(count * spec_.width);
  fill_sinusoids(reach, rows);
  project(rows, count, {{&distances_, projected}}, pass);
  turn_over(projected, count, spec_.width, columns, pass);
  return columns;
}

void RelativeAttention::operator()(Activations x, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t rows = x.tokens, width = spec_.width, values = rows * width, reach = this->reach(spec_, rows);
  const std::size_t distances = 2 * reach - 1;
  float *q = pass.scratch.allocate<float>(values), *k = pass.scratch.allocate<float>(values),
        *v = pass.scratch.allocate<float>(values), *keys = pass.scratch.allocate<float>(values),
        *mixed = pass.scratch.allocate<float>(values);
  project(x.data, rows, {{&q_, q}, {&k_, k}, {&v_, v}}, pass);
  for (std::size_t i = 0; i < values; ++i) {
    q[i] *= spec_.query_scale * (query_scales_.empty() ? 1.0f : query_scales_[i % dim_]);
    k[i] *= spec_.key_scale * (key_scales_.empty() ? 1.0f : key_scales_[i % dim_]);
  }
  turn_over(k, rows, width, keys, pass);
  const float* const columns = distance_columns(reach, pass);
  float* const each = pass.scratch.allocate<float>(pass.pool.threads() * (rows + 2 * dim_));
  const float scale = spec_.distances == Distances::recent ? 1.0f : 1 / std::sqrt(static_cast<float>(dim_));
  pass.pool.parallel_for(spec_.heads * rows, 4, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    float *const scores = each + thread * (rows + 2 * dim_), *const content = scores + rows, *const distance = content + dim_;
    for (std::size_t task = begin; task < end; ++task) {
      const std::size_t head = task / rows, row = task % rows, first = head * dim_;
      const PositionRange seen = seen_from(row, rows);
      const std::size_t count = seen.end - seen.begin, from = reach - 1 + seen.begin - row;
      for (std::size_t c = 0; c < dim_; ++c) {
        const float value = q[row * width + first + c];
        content[c] = content_.empty() ? value : value + content_[first + c];
        distance[c] = distance_.empty() ? value : value + distance_[first + c];
      }
      const float* const own = columns + (spec_.distances == Distances::table ? 0 : first * distances);
      std::fill_n(scores, count, 0.0f);
      for (std::size_t c = 0; c < dim_; ++c) {
        pass.kernels.add_scaled(scores, keys + (first + c) * rows + seen.begin, content[c], count);
        pass.kernels.add_scaled(scores, own + c * distances + from, distance[c], count);
      }
      if (scale != 1.0f) pass.kernels.scale(scores, scale, count);
      if (spec_.softcap != 0) pass.kernels.softcap(scores, spec_.softcap, count);
      pass.kernels.softmax(scores, count);
      float* const out = mixed + row * width + first;
      std::fill_n(out, dim_, 0.0f);
      for (std::size_t i = 0; i < count; ++i) pass.kernels.add_scaled(out, v + (seen.begin + i) * width + first, scores[i], dim_);
    }
  });
  project(mixed, rows, {{&out_, x.data}}, pass);
}

}  // namespace heed::nn
