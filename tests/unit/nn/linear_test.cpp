// Products of many tokens, and matrices that a file scales: NVFP4's .scale multiplies what a product gives, before the bias.
#include "nn/linear.hpp"

#include <catch2/catch_test_macros.hpp>

#include "kernels/dispatch.hpp"
#include "nn/pass.hpp"
#include "nn/weights.hpp"
#include "support/errors.hpp"
#include "support/stored_rows.hpp"
#include "unit/kernels/emulated_relaxed.hpp"

using namespace heed;

namespace {

constexpr std::size_t kMatrixRows = 53, kColumns = 128, kLinearTokens = 6;

/// Calls run(pass) with a pass of `tokens` tokens.
template <class Run>
void with_pass(std::size_t tokens, std::size_t columns, Run run, const kernels::Kernels& target = kernels::select()) {
  ThreadPool pool(2);
  nn::Scratch scratch(nn::ScratchNeed().product(tokens, columns), pool.threads(), target);
  nn::Pass pass{.kernels = target, .pool = pool, .scratch = scratch, .segments = {}, .tokens = tokens};
  run(pass);
}

std::vector<float> project(const nn::Linear& linear, const std::vector<float>& x, std::size_t tokens,
                           const kernels::Kernels& target = kernels::select()) {
  std::vector<float> y(tokens * linear.matrix.rows);
  with_pass(
      tokens, linear.matrix.columns, [&](nn::Pass& pass) { nn::project(x.data(), tokens, {{&linear, y.data()}}, pass); }, target);
  return y;
}

std::vector<float> row_of(const nn::Linear& linear, std::size_t row) {
  std::vector<float> values(linear.matrix.columns);
  with_pass(1, linear.matrix.columns, [&](nn::Pass& pass) { nn::look_up(linear, row, values.data(), pass); });
  return values;
}

/// A tensor of `matrices` such matrices, with a scale for each or one for all, or none.
struct StoredMatrices {
  formats::TensorFile file;
  std::vector<std::byte> rows;

  StoredMatrices(std::size_t matrices, std::size_t scales)
      : file("test", {}, tensors(matrices, scales), 0), rows(make_rows(matrices)) {}

  void fill(nn::Weights& weights, const std::vector<float>& scales) const {
    for (std::size_t row = 0; row < file.tensors[0].rows(); ++row)
      weights.write_row(0, row, rows.data() + row * row_bytes(DType::nvfp4, kColumns));
    if (!scales.empty()) weights.write_row(1, 0, reinterpret_cast<const std::byte*>(scales.data()));
  }

 private:
  static std::vector<std::byte> make_rows(std::size_t matrices) {
    test::Fuzz fuzz(1);
    return test::stored_rows(DType::nvfp4, matrices * kMatrixRows, kColumns, fuzz);
  }
  static std::vector<formats::TensorInfo> tensors(std::size_t matrices, std::size_t scales) {
    const std::uint64_t bytes = matrices * kMatrixRows * row_bytes(DType::nvfp4, kColumns);
    std::vector<formats::TensorInfo> infos{{"m.weight", DType::nvfp4, {matrices, kMatrixRows, kColumns}, 0, bytes}};
    if (scales > 0) infos.push_back({"m.scale", DType::f32, {scales}, bytes, scales * 4});
    return infos;
  }
};

}  // namespace

TEST_CASE("some panels of a product are those of all", "[nn]") {
  constexpr std::size_t kManyRows = 300;
  for (const DType type : {DType::f32, DType::q8_0, DType::q4_0, DType::q6_k}) {
    INFO(info(type).name);
    constexpr std::size_t kMore = 512;
    test::Fuzz fuzz(3);
    const std::uint64_t bytes = kManyRows * row_bytes(type, kMore);
    const formats::TensorFile file("test", {}, {{"m.weight", type, {kManyRows, kMore}, 0, bytes}}, 0);
    const auto rows = test::stored_rows(type, kManyRows, kMore, fuzz);
    nn::Weights weights(file, kernels::select());
    const nn::Linear linear = weights.linear("m", kManyRows, kMore);
    for (std::size_t row = 0; row < kManyRows; ++row) weights.write_row(0, row, rows.data() + row * row_bytes(type, kMore));
    const std::size_t panel_rows = kernels::select().panel_rows, panels = (kManyRows + panel_rows - 1) / panel_rows;
    const std::vector<nn::PanelRange> some = {{0, 3}, {5, 6}, {4, 5}, {panels - 1, panels}};
    for (const std::size_t tokens : {std::size_t{1}, kLinearTokens}) {
      const std::vector<float> x = fuzz.reals(tokens * kMore, 2), all = project(linear, x, tokens);
      std::vector<float> y(tokens * kManyRows, 7.0f), expected(tokens * kManyRows, 7.0f);
      with_pass(tokens, kMore, [&](nn::Pass& pass) {
        pass.read = some;
        nn::project_read(x.data(), tokens, linear, y.data(), pass);
      });
      for (std::size_t t = 0; t < tokens; ++t)
        for (const auto& [begin, end] : some)
          for (std::size_t row = begin * panel_rows; row < std::min(end * panel_rows, kManyRows); ++row)
            expected[t * kManyRows + row] = all[t * kManyRows + row];
      CHECK(y == expected);
      with_pass(tokens, kMore, [&](nn::Pass& pass) { nn::project_read(x.data(), tokens, linear, y.data(), pass); });
      CHECK(y == all);
    }
  }
}

TEST_CASE("a matrix of NVFP4 has its product scaled, then its bias added", "[nn]") {
  test::Fuzz fuzz(2);
  const std::vector<float> x = fuzz.reals(kLinearTokens * kColumns, 2), bias = fuzz.reals(kMatrixRows, 5);
  const StoredMatrices plain(1, 0), scaled(1, 1);
  nn::Weights plain_weights(plain.file, kernels::select()), scaled_weights(scaled.file, kernels::select());
  const nn::Linear without = plain_weights.linear("m", kMatrixRows, kColumns);
  nn::Linear with = scaled_weights.linear("m", kMatrixRows, kColumns);
  plain.fill(plain_weights, {});
  scaled.fill(scaled_weights, {0.3f});
  for (const bool biased : {false, true}) {
    if (biased) with.bias = Buffer<float>(kMatrixRows);
    if (biased) std::copy(bias.begin(), bias.end(), with.bias.data());
    for (const std::size_t tokens : {std::size_t{1}, kLinearTokens}) {
      std::vector<float> expected = project(without, x, tokens);
      for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] = biased ? expected[i] * 0.3f + bias[i % kMatrixRows] : expected[i] * 0.3f;
      CHECK(project(with, x, tokens) == expected);
    }
  }
}

TEST_CASE("a row of NVFP4 that is looked up is scaled", "[nn]") {
  const StoredMatrices stored(1, 1);
  nn::Weights weights(stored.file, kernels::select());
  const nn::Linear table = weights.linear("m", kMatrixRows, kColumns);
  stored.fill(weights, {0.25f});
  const std::vector<float> scaled = row_of(table, 7);
  std::vector<float> plain(kColumns);
  kernels::select().unpack_row(table.matrix, 7, plain.data());
  CHECK(scaled != plain);
  for (std::size_t i = 0; i < kColumns; ++i) CHECK(scaled[i] == plain[i] * 0.25f);
}

TEST_CASE("each of several matrices of NVFP4 has its own scale, or all have one", "[nn]") {
  for (const std::size_t count : {3, 1}) {
    const StoredMatrices stored(3, count);
    nn::Weights weights(stored.file, kernels::select());
    const std::vector<nn::Linear> matrices = weights.linears("m", 3, kMatrixRows, kColumns);
    weights.check_all_requested();
    const std::vector<float> scales{2, 3, 5};
    stored.fill(weights, {scales.begin(), scales.begin() + static_cast<std::ptrdiff_t>(count)});
    for (std::size_t i = 0; i < 3; ++i) CHECK(matrices[i].scale[0] == scales[count == 1 ? 0 : i]);
  }
  const StoredMatrices stored(3, 2);
  nn::Weights weights(stored.file, kernels::select());
  weights.linears("m", 3, kMatrixRows, kColumns);
  test::check_throws(ErrorCode::unsupported, "m.scale: the architecture does not use this tensor",
                     [&] { weights.check_all_requested(); });
}

TEST_CASE("a scale of NVFP4's inputs is known, and not needed", "[nn]") {
  const formats::TensorFile file("test", {},
                                 {{"m.weight", DType::nvfp4, {1, 64}, 0, 36}, {"m.input_scale", DType::f32, {1}, 36, 4}}, 0);
  nn::Weights weights(file, kernels::select());
  const nn::Linear linear = weights.linear("m", 1, 64);
  weights.check_all_requested();
  CHECK(linear.scale.empty());
  CHECK(weights.columns(1) == 1);
}

namespace {

/// Products of many tokens, by themselves and two at once, equal the products of each token by itself.
void check_blocks(DType dtype, const kernels::Kernels& target, test::Fuzz& fuzz) {
  // With this many columns, 16 tokens form a block if they are read as floats, and 44 if they are quantized. 49 tokens leave one
  // over.
  constexpr std::size_t kRows = 37, kWideColumns = 16384 + 32 * 9;
  const std::vector<std::byte> rows = test::stored_rows(dtype, kRows, kWideColumns, fuzz);
  const formats::TensorFile file("test", {}, {{"m.weight", dtype, {kRows, kWideColumns}, 0, rows.size()}}, 0);
  nn::Weights weights(file, target);
  nn::Linear linear = weights.linear("m", kRows, kWideColumns);
  for (std::size_t row = 0; row < kRows; ++row) weights.write_row(0, row, rows.data() + row * row_bytes(dtype, kWideColumns));
  linear.bias = Buffer<float>(kRows);
  const std::vector<float> bias = fuzz.reals(kRows, 5);
  std::copy(bias.begin(), bias.end(), linear.bias.data());

  constexpr std::size_t kMost = 93, kOthers = 5;
  const std::vector<float> x = fuzz.reals((kMost + kOthers) * kWideColumns, 2), sums = fuzz.reals(kMost * kRows, 5);
  std::vector<float> each;
  for (std::size_t t = 0; t < kMost + kOthers; ++t) {
    const std::vector<float> own = project(linear, {x.data() + t * kWideColumns, x.data() + (t + 1) * kWideColumns}, 1, target);
    each.insert(each.end(), own.begin(), own.end());
  }
  for (const std::size_t tokens : {std::size_t{0}, std::size_t{31}, std::size_t{49}, kMost}) {
    INFO(target.name << ", " << info(dtype).name << ", " << tokens << " tokens");
    const auto first = [&](const std::vector<float>& all, std::size_t count, std::size_t from = 0) {
      return std::vector<float>(all.data() + from * kRows, all.data() + (from + count) * kRows);
    };
    CHECK(project(linear, x, tokens, target) == first(each, tokens));
    std::vector<float> others(kOthers * kRows), scratch(tokens * kRows), added = first(sums, tokens), expected = added;
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += 0.5f * each[i];
    const nn::Product products[] = {
        {.linear = &linear, .x = x.data() + kMost * kWideColumns, .tokens = kOthers, .out = others.data()},
        {.linear = &linear, .x = x.data(), .tokens = tokens, .out = scratch.data(), .sum = added.data(), .factor = 0.5f}};
    with_pass(kOthers + tokens, kWideColumns, [&](nn::Pass& pass) { nn::multiply(products, pass); }, target);
    CHECK(others == first(each, kOthers, kMost));
    CHECK(added == expected);
  }
}

}  // namespace

TEST_CASE("a product of tokens in blocks has the bits of each token's own", "[nn]") {
  test::Fuzz fuzz(3);
  for (const DType dtype : {DType::f16, DType::f32, DType::q8_0, DType::q4_0}) check_blocks(dtype, kernels::select(), fuzz);
  for (const auto targets : {kernels::available(), test::emulated_relaxed()})
    for (const kernels::Kernels* target : targets)
      if (target->widen) check_blocks(DType::q8_0, *target, fuzz);
}
