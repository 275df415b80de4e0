#include "nn/patch_positions.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace heed::nn {
namespace {

/// Resamples one axis from `from` to `to` samples: calls use(index, weight) for each input that contributes to output k. The
/// weights are not normalized.
template <class Use>
double antialiased(std::size_t from, std::size_t to, std::size_t k, Use use) noexcept {
  const double scale = static_cast<double>(to) / static_cast<double>(from), reach = std::max(1.0, 1.0 / scale);
  const double center = (static_cast<double>(k) + 0.5) / scale;
  const auto first = static_cast<std::size_t>(std::floor(std::max(0.0, center - reach + 0.5)));
  const auto end = std::min(from, static_cast<std::size_t>(std::floor(center + reach + 0.5)));
  double sum = 0;
  for (std::size_t i = first; i < end; ++i) {
    const double weight = std::max(0.0, 1.0 - std::abs(static_cast<double>(i) - center + 0.5) / reach);
    use(i, weight);
    sum += weight;
  }
  return sum;
}

template <class Use>
double between_corners(std::size_t from, std::size_t to, std::size_t k, Use use) noexcept {
  const bool single = from == 1 || to == 1;
  const double step = single ? static_cast<double>(from) / static_cast<double>(to)
                             : static_cast<double>(from - 1) / static_cast<double>(to - 1);
  const double x = static_cast<double>(k) * step;
  const std::size_t left = std::min(static_cast<std::size_t>(x), from - 1), right = std::min(left + 1, from - 1);
  const double share = x - static_cast<double>(left);
  use(left, 1.0 - share);
  if (share > 0) use(right, share);
  return 1;
}

template <class Use>
double cubic_convolution(std::size_t from, std::size_t to, std::size_t k, Use use) noexcept {
  constexpr double a = -0.75;
  const double x = (static_cast<double>(k) + 0.5) * static_cast<double>(from) / static_cast<double>(to) - 0.5;
  const double floor = std::floor(x);
  for (int tap = -1; tap <= 2; ++tap) {
    const double place = floor + tap, distance = std::abs(x - place);
    const double near = ((a + 2) * distance - (a + 3)) * distance * distance + 1;
    const double far = ((distance - 5) * distance + 8) * distance * a - 4 * a;
    use(static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(from - 1))), distance <= 1 ? near : far);
  }
  return 1;
}

template <class Use>
double weigh(PositionTable kind, std::size_t from, std::size_t to, std::size_t k, Use use) noexcept {
  if (kind == PositionTable::corners) return between_corners(from, to, k, use);
  if (kind == PositionTable::cubic) return cubic_convolution(from, to, k, use);
  return antialiased(from, to, k, use);
}

}  // namespace

PatchPositions::PatchPositions(PositionTable kind, std::size_t tokens, std::size_t width, const std::string& name, Weights& weights)
    : kind_(kind), width_(width) {
  const std::string tensor = name + ".weight";
  const std::size_t rows = weights.rows(tensor);
  std::size_t expected = tokens;
  if (kind == PositionTable::column_and_row) {
    side_ = rows / 2;
    expected = side_ * 2;
  } else if (kind != PositionTable::in_order) {
    while ((side_ + 1) * (side_ + 1) <= rows) ++side_;
    expected = side_ * side_;
  }
  if (rows != 0 && rows != expected && kind != PositionTable::in_order)
    throw Error(ErrorCode::invalid_file, "has " + std::to_string(rows) + " rows, which are neither a square nor two tables",
                tensor);
  table_ = weights.linear(name, std::max<std::size_t>(expected, 1), width);
}

void PatchPositions::add_row(std::size_t index, float factor, float* x, float* scratch, Pass& pass) const noexcept {
  look_up(table_, index, scratch, pass);
  if (factor == 1.0f) pass.kernels.add(x, scratch, width_);
  else pass.kernels.add_scaled(x, scratch, factor, width_);
}

void PatchPositions::add(std::size_t t, std::size_t column, std::size_t row, PatchGrid grid, float* x, float* scratch,
                         Pass& pass) const noexcept {
  if (kind_ == PositionTable::in_order) return add_row(t, 1, x, scratch, pass);
  if (kind_ == PositionTable::column_and_row) {
    add_row(column, 1, x, scratch, pass);
    return add_row(side_ + row, 1, x, scratch, pass);
  }
  if (grid.columns == side_ && grid.rows == side_) return add_row(row * side_ + column, 1, x, scratch, pass);
  const auto nothing = [](std::size_t, double) {};
  const double sum = weigh(kind_, side_, grid.columns, column, nothing) * weigh(kind_, side_, grid.rows, row, nothing);
  weigh(kind_, side_, grid.rows, row, [&](std::size_t i, double down) {
    weigh(kind_, side_, grid.columns, column,
          [&](std::size_t j, double across) { add_row(i * side_ + j, static_cast<float>(down * across / sum), x, scratch, pass); });
  });
}

}  // namespace heed::nn
