// The steps of projectors, one by one, against plain loops.
#include "nn/projector.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "kernels/dispatch.hpp"
#include "support/errors.hpp"
#include "support/fuzz.hpp"
#include "unit/nn/tensors.hpp"

using namespace heed;
using namespace heed::test;

namespace {

constexpr std::size_t kPatchWidth = 3;
using Grid = nn::PatchGrid;

/// The rows of `patches` after these steps, each row at a distance of `stride` floats, or close together.
std::vector<float> projected(const nn::ProjectorSpec& spec, const Tensors& tensors, Grid grid, const std::vector<float>& patches,
                             std::size_t stride = 0) {
  const formats::TensorFile file = directory(tensors);
  nn::Weights weights(file, kernels::select());
  const nn::Projector projector(spec, kPatchWidth, weights);
  weights.check_all_requested();
  fill(weights, file, tensors);
  ThreadPool pool(2);
  nn::Scratch scratch(projector.need(grid), pool.threads(), kernels::select());
  nn::Pass pass{.kernels = kernels::select(), .pool = pool, .scratch = scratch, .segments = {}};
  const std::size_t distance = stride == 0 ? projector.width() : stride;
  std::vector<float> out(projector.rows(grid) * distance, -1.0f);
  projector(patches.data(), grid, out.data(), distance, pass);
  return out;
}

std::vector<float> counted(std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i + 1);
  return values;
}

}  // namespace

TEST_CASE("squares of patches become rows, beyond the grid with zeros", "[nn][vision]") {
  const Grid grid{5, 3};
  const std::vector<float> patches = counted(grid.count() * kPatchWidth);
  for (const bool by_channel : {false, true}) {
    const std::vector<float> rows = projected({.steps = {nn::MergeStep{2, by_channel}}}, {}, grid, patches);
    REQUIRE(rows.size() == 3 * 2 * 4 * kPatchWidth);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t row = i / (4 * kPatchWidth), value = i % (4 * kPatchWidth);
      const std::size_t channel = by_channel ? value / 4 : value % kPatchWidth,
                        in_square = by_channel ? value % 4 : value / kPatchWidth;
      const std::size_t x = row % 3 * 2 + in_square % 2, y = row / 3 * 2 + in_square / 2;
      CHECK(rows[i] == (x < 5 && y < 3 ? patches[(y * 5 + x) * kPatchWidth + channel] : 0.0f));
    }
  }
}

TEST_CASE("squares of patches become their mean, without incomplete squares", "[nn][vision]") {
  const Grid grid{5, 4};
  const std::vector<float> patches = counted(grid.count() * kPatchWidth);
  const std::vector<float> rows = projected({.steps = {nn::AverageStep{2}}}, {}, grid, patches);
  REQUIRE(rows.size() == 2 * 2 * kPatchWidth);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t x = i / kPatchWidth % 2 * 2, y = i / kPatchWidth / 2 * 2, c = i % kPatchWidth;
    float sum = 0;
    for (std::size_t j = 0; j < 4; ++j) sum += patches[((y + j / 2) * 5 + x + j % 2) * kPatchWidth + c];
    CHECK(rows[i] == sum / 4);
  }
}

TEST_CASE("a matrix may be stored by its inputs, and rows may be apart", "[nn][vision]") {
  Fuzz fuzz(1);
  const Grid grid{2, 1};
  const std::vector<float> patches = fuzz.reals(2 * kPatchWidth), matrix = fuzz.reals(kPatchWidth * 4);
  const Tensors tensors = {{"w.weight", {{kPatchWidth, 4}, matrix}}};
  const std::vector<float> rows = projected({.steps = {nn::ProductStep{"w", 4, true}}}, tensors, grid, patches, 6);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t o = 0; o < 4; ++o) {
      double sum = 0;
      for (std::size_t k = 0; k < kPatchWidth; ++k) sum += static_cast<double>(patches[i * kPatchWidth + k]) * matrix[k * 4 + o];
      CHECK(std::fabs(rows[i * 6 + o] - sum) < 1e-6);
    }
    for (std::size_t o = 4; o < 6; ++o) CHECK(rows[i * 6 + o] == -1.0f);
  }
}

TEST_CASE("rows are scaled, and standardized if the file says how", "[nn][vision]") {
  const Grid grid{2, 2};
  const std::vector<float> patches = counted(4 * kPatchWidth);
  const nn::ProjectorSpec spec{.steps = {nn::ScaleStep{3}, nn::StandardizeStep{"bias", "scale"}}};
  const std::vector<float> plain = projected(spec, {}, grid, patches);
  const Tensors both = {{"bias", {{kPatchWidth}, {1, 2, 3}}}, {"scale", {{kPatchWidth}, {2, 0.5f, -1}}}};
  const std::vector<float> standard = projected(spec, both, grid, patches);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    CHECK(plain[i] == patches[i] * 3);
    CHECK(standard[i] == (patches[i] * 3 - both.at("bias").values[i % 3]) * both.at("scale").values[i % 3]);
  }
  Tensors one = both;
  one.erase("scale");
  check_throws(ErrorCode::invalid_file, "scale: the file lacks this tensor", [&] { projected(spec, one, grid, patches); });
}

TEST_CASE("a row ends each line but the last", "[nn][vision]") {
  const std::vector<float> patches = counted(6 * kPatchWidth);
  const Tensors tensors = {{"break", {{kPatchWidth}, {-1, -2, -3}}}};
  const std::vector<float> rows = projected({.steps = {nn::BreakStep{"break"}}}, tensors, {2, 3}, patches);
  std::vector<float> expected;
  for (std::size_t line = 0; line < 3; ++line) {
    expected.insert(expected.end(), patches.begin() + static_cast<long>(line * 6),
                    patches.begin() + static_cast<long>(line * 6 + 6));
    if (line < 2) expected.insert(expected.end(), {-1, -2, -3});
  }
  CHECK(rows == expected);
}

TEST_CASE("a norm and its weight may be left out", "[nn][vision]") {
  const std::vector<float> patches = counted(kPatchWidth);
  const nn::NormSpec rms{nn::NormKind::rms, 1e-6f};
  const nn::ProjectorSpec optional{.steps = {nn::NormStep{"n", rms, true}}}, without{.steps = {nn::NormStep{"", rms}}};
  CHECK(projected(optional, {}, {1, 1}, patches) == patches);
  const std::vector<float> normed = projected(without, {}, {1, 1}, patches);
  for (std::size_t i = 0; i < kPatchWidth; ++i) CHECK(std::fabs(normed[i] - patches[i] / std::sqrt(14.0f / 3)) < 1e-6f);
  CHECK(projected(optional, {{"n.weight", {{kPatchWidth}, {1, 1, 1}}}}, {1, 1}, patches) == normed);
}

TEST_CASE("a product has as many outputs as its tensor, unless the spec says", "[nn][vision]") {
  Fuzz fuzz(2);
  const std::vector<float> patches = fuzz.reals(kPatchWidth);
  const Tensors tensors = {{"a.weight", {{7, kPatchWidth}, fuzz.reals(7 * kPatchWidth)}}, {"b.weight", {{2, 7}, fuzz.reals(14)}}};
  const auto two = [](std::size_t rows) { return nn::ProjectorSpec{.steps = {nn::ProductStep{"a"}, nn::ProductStep{"b", rows}}}; };
  CHECK(projected(two(2), tensors, {1, 1}, patches).size() == 2);
  check_throws(ErrorCode::invalid_file, "b.weight: has shape 2 x 7, expected 5 x 7",
               [&] { projected(two(5), tensors, {1, 1}, patches); });
  check_throws(ErrorCode::invalid_file, "a.weight: the file lacks this tensor", [&] { projected(two(2), {}, {1, 1}, patches); });
}
