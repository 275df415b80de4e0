#include "nn/linear.hpp"

#include <algorithm>
#include <limits>

#include "nn/adapters/adaptation.hpp"
#include "nn/pass.hpp"

namespace heed::nn {
namespace {

bool reads_int8(const Linear& linear) noexcept { return kernels::takes_int8(linear.matrix.dtype); }

std::size_t panels_of(const Linear& linear, const kernels::Kernels& kernels) noexcept {
  return (linear.matrix.rows + kernels.panel_rows - 1) / kernels.panel_rows;
}

/// What a thread's share of a range is cut into.
constexpr std::size_t kChunks = 64;

/// What a product of panels [begin, end) still lacks where the matrix has a scale: that, and the bias.
void scale(const Linear& linear, std::size_t tokens, std::size_t begin, std::size_t end, float* y, Pass& pass) noexcept {
  const std::size_t rows = linear.matrix.rows, panel_rows = pass.kernels.panel_rows;
  const std::size_t first = begin * panel_rows, last = std::min(end * panel_rows, rows);
  for (std::size_t t = 0; t < tokens && first < last; ++t, y += rows) {
    pass.kernels.scale(y + first, linear.scale[0], last - first);
    if (!linear.bias.empty()) pass.kernels.add(y + first, linear.bias.data() + first, last - first);
  }
}

/// Steps [begin, end) of one product.
template <class Product>
void run(const Product& product, const kernels::MatmulInput& input, std::size_t begin, std::size_t end, std::size_t thread,
         Pass& pass) noexcept {
  const Linear& linear = *product.linear;
  const kernels::PackedMatrix& w = linear.matrix;
  const float* bias = linear.scale.empty() ? linear.bias.data() : nullptr;
  if (input.tokens == 1) pass.kernels.matvec(w, input, bias, begin, end, product.out);
  else pass.kernels.matmul(w, input, bias, begin, end, product.out, w.rows, pass.scratch.expanded(thread));
  if (linear.scale.empty()) return;
  scale(linear, input.tokens, begin, end, product.out, pass);
  if (input.tokens > 1) return;
  const std::size_t panels = panels_of(linear, pass.kernels), half = kernels::panel_pairs(panels);
  scale(linear, 1, half + begin, std::min(half + end, panels), product.out, pass);
}

/// All products as one range of work: panels, or pairs of panels where there is one token. tokens_of(product) is how many
/// it has, input_of(product) what it reads, which may take a while to find.
template <class Products, class TokensOf, class InputOf>
void run(const Products& products, TokensOf tokens_of, InputOf input_of, Pass& pass) noexcept {
  const kernels::Kernels& kernels = pass.kernels;
  const auto steps_of = [&](const auto& product) {
    const std::size_t panels = panels_of(*product.linear, kernels);
    return tokens_of(product) == 1 ? kernels::panel_pairs(panels) : panels;
  };
  std::size_t steps = 0;
  for (const auto& product : products) steps += steps_of(product);
  const std::size_t chunk = std::max<std::size_t>(1, steps / (pass.pool.used() * kChunks));
  pass.pool.parallel_for(steps, chunk, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    std::size_t first = 0;  // of this product
    for (const auto& product : products) {
      const std::size_t next = first + steps_of(product);
      const std::size_t from = std::max(begin, first), to = std::min(end, next);
      if (from < to) run(product, input_of(product), from - first, to - first, thread, pass);
      first = next;
    }
  });
}

void project_all(const float* x, std::size_t tokens, std::initializer_list<Projection> projections, Pass& pass,
                 const std::size_t* rows) noexcept {
  const kernels::Kernels& kernels = pass.kernels;
  std::byte* quantized = pass.scratch.quantized();
  const kernels::MatmulInput input{tokens, projections.begin()->linear->matrix.columns, x, quantized};
  if (std::any_of(projections.begin(), projections.end(), [](const auto& p) { return reads_int8(*p.linear); })) {
    pass.pool.parallel_for(tokens, kernels::kTokenGroup, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t t = begin; t < end; ++t) kernels.quantize(input, t, quantized);
    });
  }
  run(projections, [&](const auto&) { return tokens; }, [&](const auto&) { return input; }, pass);
  if (!pass.adaptation) return;
  for (const auto& [linear, out] : projections) pass.adaptation->add(*linear, x, tokens, rows, out, pass);
}

/// to[i] = x[i] within the bounds that there are.
void clamp(const float* x, const Buffer<float>& least, const Buffer<float>& most, std::size_t count, float* to) noexcept {
  const float low = least.empty() ? -std::numeric_limits<float>::infinity() : least[0];
  const float high = most.empty() ? std::numeric_limits<float>::infinity() : most[0];
  for (std::size_t i = 0; i < count; ++i) to[i] = std::min(std::max(x[i], low), high);
}

/// One projection at a time, each of the input within its own bounds.
void project_clamped(const float* x, std::size_t tokens, std::initializer_list<Projection> projections, Pass& pass,
                     const std::size_t* rows) noexcept {
  for (const Projection& projection : projections) {
    const Linear& linear = *projection.linear;
    const float* input = x;
    if (linear.clamp) {
      input = pass.scratch.clamped();
      clamp(x, linear.clamp->input_min, linear.clamp->input_max, tokens * linear.matrix.columns, pass.scratch.clamped());
    }
    project_all(input, tokens, {projection}, pass, rows);
    if (linear.clamp)
      clamp(projection.out, linear.clamp->output_min, linear.clamp->output_max, tokens * linear.matrix.rows, projection.out);
  }
}

}  // namespace

void project(const float* x, std::size_t tokens, std::initializer_list<Projection> projections, Pass& pass,
             const std::size_t* rows) noexcept {
  const bool clamped = std::any_of(projections.begin(), projections.end(),
                                   [](const auto& p) { return p.linear->clamp != nullptr; });
  if (clamped) project_clamped(x, tokens, projections, pass, rows);
  else project_all(x, tokens, projections, pass, rows);
}

void multiply(std::span<const Product> products, Pass& pass) noexcept {
  if (products.empty()) return;
  const kernels::Kernels& kernels = pass.kernels;
  const std::size_t columns = products[0].linear->matrix.columns;
  const auto shares_input = [&](const Product* p) { return p != products.data() && p->x == (p - 1)->x; };
  const auto input_of = [&](const Product& product) {
    std::size_t before = 0;  // tokens of other inputs
    for (const Product* p = &product; p != products.data(); --p)
      if (!shares_input(p)) before += (p - 1)->tokens;
    return kernels::MatmulInput{product.tokens, columns, product.x,
                                pass.scratch.quantized() + kernels::quantized_bytes(before, columns)};
  };
  if (std::any_of(products.begin(), products.end(), [](const auto& p) { return reads_int8(*p.linear); })) {
    pass.pool.parallel_for(products.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (const Product* p = products.data() + begin; p != products.data() + end; ++p) {
        if (shares_input(p)) continue;
        const kernels::MatmulInput input = input_of(*p);
        for (std::size_t t = 0; t < p->tokens; ++t) kernels.quantize(input, t, const_cast<std::byte*>(input.quantized));
      }
    });
  }
  run(products, [](const Product& product) { return product.tokens; }, input_of, pass);
  if (!pass.adaptation) return;
  for (const Product& p : products) pass.adaptation->add(*p.linear, p.x, p.tokens, p.rows, p.out, pass);
}

void look_up(const Linear& linear, std::size_t row, float* out, Pass& pass) noexcept {
  pass.kernels.unpack_row(linear.matrix, row, out);
  if (!linear.scale.empty()) pass.kernels.scale(out, linear.scale[0], linear.matrix.columns);
}

}  // namespace heed::nn
