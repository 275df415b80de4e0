#include "nn/projector.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "nn/mlp.hpp"

namespace heed::nn {
namespace {

/// The number of outputs of a matrix whose spec leaves it open.
std::size_t outputs_of(const std::string& tensor, std::size_t expected, const Weights& weights) {
  if (expected != 0) return expected;
  return std::max<std::size_t>(weights.outputs(tensor), 1);
}

std::size_t groups(std::size_t n, std::size_t factor) noexcept { return (n + factor - 1) / factor; }

/// Joins the square of factor x factor patches at (left, top) into one row; patches beyond the grid are zeros.
void merge_square(const MergeStep& step, const float* patches, std::size_t columns, std::size_t lines, std::size_t width,
                  std::size_t left, std::size_t top, float* out) noexcept {
  const std::size_t square = step.factor * step.factor;
  for (std::size_t i = 0; i < square; ++i) {
    const std::size_t x = left + i % step.factor, y = top + i / step.factor;
    const float* patch = x < columns && y < lines ? patches + (y * columns + x) * width : nullptr;
    for (std::size_t c = 0; c < width; ++c) out[step.by_channel ? c * square + i : i * width + c] = patch ? patch[c] : 0.0f;
  }
}

}  // namespace

/// Creates steps from their specs.
struct Projector::Loading {
  std::size_t& width;
  Weights& weights;

  Step operator()(const MergeStep& step) {
    width *= step.factor * step.factor;
    return step;
  }
  Step operator()(const AverageStep& step) { return step; }
  Step operator()(const NormStep& step) {
    const std::string name(step.name);
    if (name.empty()) return std::optional<Norm>(Norm(step.norm, width));
    if (step.optional && !weights.contains(name + ".weight")) return std::optional<Norm>();
    if (step.bare && !weights.contains(name + ".weight")) return std::optional<Norm>(Norm(step.norm, width));
    return std::optional<Norm>(Norm(step.norm, width, name, weights));
  }
  Step operator()(const ProductStep& step) {
    const std::string name(step.name);
    Product product;
    product.outputs = step.transposed ? step.rows : outputs_of(name + ".weight", step.rows, weights);
    if (step.transposed) product.columns = weights.table(name + ".weight", width, product.outputs);
    else product.matrix = weights.linear(name, product.outputs, width);
    width = product.outputs;
    return product;
  }
  Step operator()(const ActivationStep& step) { return step; }
  Step operator()(const GatedStep& step) {
    const std::string gate(step.gate);
    const std::size_t hidden = outputs_of(gate + ".weight", 0, weights);
    Gated gated{weights.linear(gate, hidden, width), weights.linear(std::string(step.up), hidden, width),
                weights.linear(std::string(step.down), step.rows, hidden)};
    width = step.rows;
    return gated;
  }
  Step operator()(const ScaleStep& step) { return step; }
  Step operator()(const StandardizeStep& step) {
    const std::string bias(step.bias), scale(step.scale);
    if (!weights.contains(bias) && !weights.contains(scale)) return Standardize{};
    return Standardize{weights.vector(bias, width), weights.vector(scale, width)};
  }
  Step operator()(const BreakStep& step) { return Break{weights.vector(std::string(step.name), width)}; }
  Step operator()(const JoinStep& step) {
    width *= step.count;
    return step;
  }
  Step operator()(const MeanStep& step) { return step; }
  Step operator()(const HalvesStep& step) {
    width /= 2;
    return step;
  }
  Step operator()(const FrameStep& step) {
    return Frame{weights.vector(std::string(step.before), width), weights.vector(std::string(step.after), width)};
  }
};

Projector::Projector(const ProjectorSpec& spec, std::size_t width, Weights& weights) : in_width_(width), out_width_(width) {
  for (const ProjectorStep& step : spec.steps) steps_.push_back(std::visit(Loading{out_width_, weights}, step));
}

/// Computes the shape of a step's output.
struct Projector::Shape {
  Rows rows;

  Rows operator()(const MergeStep& step) const {
    const std::size_t columns = groups(rows.columns, step.factor), lines = groups(rows.lines, step.factor);
    return {columns, lines, columns * lines, rows.width * step.factor * step.factor};
  }
  Rows operator()(const AverageStep& step) const {
    const std::size_t columns = rows.columns / step.factor, lines = rows.lines / step.factor;
    return {columns, lines, columns * lines, rows.width};
  }
  Rows operator()(const Product& step) const { return {rows.columns, rows.lines, rows.count, step.outputs}; }
  Rows operator()(const Gated& step) const { return {rows.columns, rows.lines, rows.count, step.down.matrix.rows}; }
  Rows operator()(const Break&) const {
    return {rows.columns, rows.lines, rows.count + std::max<std::size_t>(rows.lines, 1) - 1, rows.width};
  }
  Rows operator()(const JoinStep& step) const { return in_line(rows.columns / step.count, rows.width * step.count); }
  Rows operator()(const MeanStep& step) const { return in_line(rows.columns / step.count, rows.width); }
  Rows operator()(const HalvesStep&) const { return {rows.columns, rows.lines, rows.count, rows.width / 2}; }
  Rows operator()(const Frame&) const { return in_line(rows.columns + 2, rows.width); }
  template <class Step>
  Rows operator()(const Step&) const {
    return rows;
  }

 private:
  static Rows in_line(std::size_t count, std::size_t width) { return {count, 1, count, width}; }
};

Projector::Rows Projector::first_rows(PatchGrid grid) const noexcept { return {grid.columns, grid.rows, grid.count(), in_width_}; }

std::size_t Projector::most_values(PatchGrid grid) const noexcept {
  Rows rows = first_rows(grid);
  std::size_t most = 0;
  for (const Step& step : steps_) {
    rows = std::visit(Shape{rows}, step);
    most = std::max(most, rows.values());
  }
  return most;
}

ScratchNeed Projector::need(PatchGrid grid) const {
  Rows rows = first_rows(grid);
  ScratchNeed inner;
  for (const Step& step : steps_) {
    if (const auto* product = std::get_if<Product>(&step); product && product->columns.empty())
      inner.product(rows.count, rows.width);
    if (const auto* gated = std::get_if<Gated>(&step)) {
      const std::size_t hidden = gated->gate.matrix.rows;
      inner.product(rows.count, rows.width).product(rows.count, hidden);
      inner.either(ScratchNeed().allocate<float>(rows.count * hidden).allocate<float>(rows.count * hidden));
    }
    rows = std::visit(Shape{rows}, step);
  }
  const std::size_t most = most_values(grid);
  return ScratchNeed().allocate<float>(most).allocate<float>(most).with(inner);
}

Projector::Rows Projector::last_rows(PatchGrid grid) const noexcept {
  Rows rows = first_rows(grid);
  for (const Step& step : steps_) rows = std::visit(Shape{rows}, step);
  return rows;
}

std::size_t Projector::rows(PatchGrid grid) const noexcept { return last_rows(grid).count; }

PatchGrid Projector::grid(PatchGrid grid) const noexcept {
  const Rows rows = last_rows(grid);
  return {rows.columns, rows.lines};
}

/// Runs a step: converts its input rows to its output rows.
struct Projector::Running {
  const Rows& rows;
  const Rows& made;
  const float* in;
  float* out;
  Pass& pass;

  void operator()(const MergeStep& step) const noexcept {
    pass.pool.parallel_for(made.count, 4, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t i = begin; i < end; ++i)
        merge_square(step, in, rows.columns, rows.lines, rows.width, i % made.columns * step.factor, i / made.columns * step.factor,
                     out + i * made.width);
    });
  }
  void operator()(const AverageStep& step) const noexcept {
    const std::size_t square = step.factor * step.factor;
    for (std::size_t i = 0; i < made.count; ++i) {
      float* mean = out + i * made.width;
      std::fill_n(mean, made.width, 0.0f);
      for (std::size_t j = 0; j < square; ++j) {
        const std::size_t x = i % made.columns * step.factor + j % step.factor,
                          y = i / made.columns * step.factor + j / step.factor;
        pass.kernels.add(mean, in + (y * rows.columns + x) * rows.width, made.width);
      }
      for (std::size_t c = 0; c < made.width; ++c) mean[c] /= static_cast<float>(square);
    }
  }
  void operator()(const std::optional<Norm>& norm) const noexcept {
    if (!norm) copy();
    else
      for (std::size_t i = 0; i < rows.count; ++i) norm->apply(in + i * rows.width, rows.width, out + i * rows.width, pass);
  }
  void operator()(const Product& step) const noexcept {
    if (step.columns.empty()) return project(in, rows.count, {{&step.matrix, out}}, pass);
    pass.pool.parallel_for(rows.count, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t i = begin; i < end; ++i) {
        float* sums = out + i * made.width;
        std::fill_n(sums, made.width, 0.0f);
        for (std::size_t k = 0; k < rows.width; ++k)
          pass.kernels.add_scaled(sums, step.columns.data() + k * made.width, in[i * rows.width + k], made.width);
      }
    });
  }
  void operator()(const ActivationStep& step) const noexcept {
    copy();
    activate(step.activation, out, nullptr, rows.values(), pass);
  }
  void operator()(const Gated& step) const noexcept {
    const Scratch::Scope scope(pass.scratch);
    const std::size_t count = rows.count * step.gate.matrix.rows;
    float *gate = pass.scratch.allocate<float>(count), *up = pass.scratch.allocate<float>(count);
    project(in, rows.count, {{&step.gate, gate}, {&step.up, up}}, pass);
    activate(kernels::Activation::silu, gate, up, count, pass);
    project(gate, rows.count, {{&step.down, out}}, pass);
  }
  void operator()(const ScaleStep& step) const noexcept {
    copy();
    pass.kernels.scale(out, step.factor, rows.values());
  }
  void operator()(const Standardize& step) const noexcept {
    if (step.bias.empty()) return copy();
    for (std::size_t i = 0; i < rows.values(); ++i) out[i] = (in[i] - step.bias[i % rows.width]) * step.scale[i % rows.width];
  }
  void operator()(const Break& step) const noexcept {
    const std::size_t line_values = rows.columns * rows.width;
    for (std::size_t line = 0; line < rows.lines; ++line) {
      float* to = out + line * (line_values + rows.width);
      std::copy_n(in + line * line_values, line_values, to);
      if (line + 1 < rows.lines) std::copy_n(step.row.data(), rows.width, to + line_values);
    }
  }
  void operator()(const JoinStep&) const noexcept { std::copy_n(in, made.values(), out); }
  void operator()(const MeanStep& step) const noexcept {
    for (std::size_t i = 0; i < made.count; ++i) {
      float* const mean = out + i * made.width;
      std::copy_n(in + i * step.count * rows.width, rows.width, mean);
      for (std::size_t j = 1; j < step.count; ++j) pass.kernels.add(mean, in + (i * step.count + j) * rows.width, made.width);
      for (std::size_t c = 0; c < made.width; ++c) mean[c] /= static_cast<float>(step.count);
    }
  }
  void operator()(const HalvesStep& step) const noexcept {
    for (std::size_t i = 0; i < rows.count; ++i) {
      const float* const row = in + i * rows.width;
      std::copy_n(row + made.width, made.width, out + i * made.width);
      pass.kernels.activate(step.activation, out + i * made.width, row, made.width);
    }
  }
  void operator()(const Frame& step) const noexcept {
    std::copy_n(step.before.data(), rows.width, out);
    std::copy_n(in, rows.values(), out + rows.width);
    std::copy_n(step.after.data(), rows.width, out + rows.width + rows.values());
  }

 private:
  void copy() const noexcept { std::copy_n(in, rows.values(), out); }
};

void Projector::operator()(const float* patches, PatchGrid grid, float* out, std::size_t stride, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t most = most_values(grid);
  float *next = pass.scratch.allocate<float>(most), *other = pass.scratch.allocate<float>(most);
  Rows rows = first_rows(grid);
  const float* in = patches;
  for (const Step& step : steps_) {
    const Rows made = std::visit(Shape{rows}, step);
    std::visit(Running{rows, made, in, next, pass}, step);
    rows = made;
    in = next;
    std::swap(next, other);
  }
  for (std::size_t i = 0; i < rows.count; ++i) std::copy_n(in + i * rows.width, rows.width, out + i * stride);
}

}  // namespace heed::nn
