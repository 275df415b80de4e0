// Tables of positions, as they are and interpolated.
#include "nn/patch_positions.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "kernels/dispatch.hpp"
#include "support/errors.hpp"
#include "support/fuzz.hpp"
#include "unit/nn/tensors.hpp"

using namespace heed;
using namespace heed::test;
using nn::PositionTable;

namespace {

constexpr std::size_t kWidth = 5;

struct Table {
  Tensors tensors;
  formats::TensorFile file;
  nn::Weights weights;
  nn::PatchPositions positions;

  Table(PositionTable kind, std::vector<std::size_t> shape, std::vector<float> values)
      : tensors{{"p.weight", {std::move(shape), std::move(values)}}},
        file(directory(tensors)),
        weights(file, kernels::select()),
        positions(kind, 16, kWidth, "p", weights) {
    fill(weights, file, tensors);
  }

  /// The addition for the patch at (column, row).
  std::vector<float> at(std::size_t column, std::size_t row, nn::PatchGrid grid) const {
    ThreadPool pool(1);
    nn::Scratch scratch(nn::ScratchNeed(), 1, kernels::select());
    nn::Pass pass{.kernels = kernels::select(), .pool = pool, .scratch = scratch, .segments = {}};
    std::vector<float> x(kWidth), part(kWidth);
    positions.add(row * grid.columns + column, column, row, grid, x.data(), part.data(), pass);
    return x;
  }
};

constexpr PositionTable kInterpolated[] = {PositionTable::antialiased, PositionTable::corners, PositionTable::cubic};

/// A table of 4 x 4 whose values are value(column, row).
template <class Value>
Table square(PositionTable kind, Value value) {
  std::vector<float> values;
  for (std::size_t i = 0; i < 16 * kWidth; ++i)
    values.push_back(value(static_cast<double>(i / kWidth % 4), static_cast<double>(i / kWidth / 4)));
  return Table(kind, {16, kWidth}, values);
}

}  // namespace

TEST_CASE("a grid of the table's size gets its rows", "[nn][vision]") {
  Fuzz fuzz(1);
  const std::vector<float> values = fuzz.reals(16 * kWidth);
  for (const PositionTable kind :
       {PositionTable::in_order, PositionTable::antialiased, PositionTable::corners, PositionTable::cubic})
    for (std::size_t p = 0; p < 16; ++p)
      CHECK(Table(kind, {16, kWidth}, values).at(p % 4, p / 4, {4, 4}) ==
            std::vector(values.begin() + static_cast<long>(p * kWidth), values.begin() + static_cast<long>((p + 1) * kWidth)));
}

TEST_CASE("interpolated weights sum to one", "[nn][vision]") {
  for (const PositionTable kind : kInterpolated) {
    const Table table = square(kind, [](double, double) { return 3.0f; });
    for (const nn::PatchGrid grid : {nn::PatchGrid{1, 1}, {2, 3}, {9, 4}, {13, 1}})
      for (std::size_t p = 0; p < grid.count(); ++p)
        for (const float value : table.at(p % grid.columns, p / grid.columns, grid)) CHECK(std::fabs(value - 3.0f) < 1e-5f);
  }
}

TEST_CASE("linear data is interpolated linearly", "[nn][vision]") {
  const auto rising = [](double column, double row) { return static_cast<float>(10 * row + column); };
  const Table corners = square(PositionTable::corners, rising);
  for (std::size_t p = 0; p < 7 * 5; ++p) {
    const double expected = 10 * (static_cast<double>(p / 7) * 3 / 4) + static_cast<double>(p % 7) * 3 / 6;
    CHECK(std::fabs(corners.at(p % 7, p / 7, {7, 5})[0] - expected) < 1e-5);
  }
  // Inside, where no neighbor is missing; samples lie in the middle of their squares.
  const double expected = 10 * (3.5 * 4 / 8 - 0.5) + (4.5 * 4 / 8 - 0.5);
  CHECK(std::fabs(square(PositionTable::antialiased, rising).at(4, 3, {8, 8})[0] - expected) < 1e-4);
  // Half as large: the widened filter spans four samples of each axis, at 1/8, 3/8, 3/8, 1/8.
  const Table narrow = square(PositionTable::antialiased,
                              [](double column, double) { return static_cast<float>(column * column); });
  CHECK(std::fabs(narrow.at(0, 0, {2, 2})[0] - (3.0 / 8 * 0 + 3.0 / 8 * 1 + 1.0 / 8 * 4) / (7.0 / 8)) < 1e-5);
}

TEST_CASE("a cubic kernel reaches two samples to each side, and stops at the edge", "[nn][vision]") {
  constexpr double a = -0.75;
  const auto kernel = [](double d) {
    if (d <= 1) return (a + 2) * d * d * d - (a + 3) * d * d + 1;
    return d < 2 ? a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a : 0;
  };
  const Table table = square(PositionTable::cubic, [](double column, double) { return static_cast<float>(column * column); });
  for (std::size_t k = 0; k < 8; ++k) {
    const double x = (static_cast<double>(k) + 0.5) / 2 - 0.5;
    double sum = 0;
    for (int i = -4; i < 8; ++i) sum += kernel(std::fabs(x - i)) * std::pow(std::clamp(i, 0, 3), 2);
    CHECK(std::fabs(table.at(k, 1, {8, 4})[0] - sum) < 1e-5);
  }
}

TEST_CASE("two tables are added, up to their last rows", "[nn][vision]") {
  Fuzz fuzz(2);
  const std::vector<float> values = fuzz.reals(2 * 9 * kWidth);
  const Table table(PositionTable::column_and_row, {2, 9, kWidth}, values);
  CHECK(table.positions.most() == 9);
  for (std::size_t c = 0; c < kWidth; ++c)
    CHECK(table.at(8, 3, {9, 9})[c] == values[8 * kWidth + c] + values[(9 + 3) * kWidth + c]);
}

TEST_CASE("a table of another shape is an error that names it", "[nn][vision]") {
  for (const PositionTable kind : kInterpolated)
    check_throws(ErrorCode::invalid_file, "p.weight: has 15 rows",
                 [&] { Table(kind, {15, kWidth}, std::vector<float>(15 * kWidth)); });
  check_throws(ErrorCode::invalid_file, "p.weight: has 7 rows",
               [&] { Table(PositionTable::column_and_row, {7, kWidth}, std::vector<float>(7 * kWidth)); });
  check_throws(ErrorCode::invalid_file, "p.weight: has shape 9 x 5",
               [&] { Table(PositionTable::in_order, {9, kWidth}, std::vector<float>(9 * kWidth)); });
}
