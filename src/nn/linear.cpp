#include "nn/linear.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

#include "nn/adapters/adaptation.hpp"
#include "nn/pass.hpp"

namespace heed::nn {
namespace {

bool reads_int8(const Linear& linear) noexcept { return kernels::takes_int8(linear.matrix.dtype); }

std::size_t panels_of(const Linear& linear, const kernels::Kernels& kernels) noexcept {
  return (linear.matrix.rows + kernels.panel_rows - 1) / kernels.panel_rows;
}

/// The number of pieces that a thread's share of a range is divided into.
constexpr std::size_t kChunks = 64;

/// Bytes of input that stay in a core's cache while every panel reads them.
constexpr std::size_t kBlockBytes = 1024 * 1024;

/// The tokens of a product are processed in blocks, one after another: all panels times the first block, then all times the next.
struct TokenBlocks {
  std::size_t tokens;  // per block, except the last
  std::size_t count;

  TokenBlocks(const Linear& linear, std::size_t all) noexcept : tokens(kLeastBlock), count(divided(all, kLeastBlock)) {
    if (count <= 1) return;  // for example, the few tokens of each of many experts
    const std::size_t columns = linear.matrix.columns;
    const std::size_t bytes = reads_int8(linear) ? kernels::quantized_bytes(1, columns) : columns * sizeof(float);
    const std::size_t most = std::max(kBlockBytes / bytes / kernels::kTokenGroup * kernels::kTokenGroup, kLeastBlock);
    tokens = divided(divided(all, divided(all, most)), kernels::kTokenGroup) * kernels::kTokenGroup;
    count = divided(all, tokens);
  }

 private:
  static constexpr std::size_t kLeastBlock = 4 * kernels::kTokenGroup;
  static constexpr std::size_t divided(std::size_t n, std::size_t by) noexcept { return (n + by - 1) / by; }  // rounded up
};

/// Finishes a product of panels [from, to): scales it, adds a bias that comes after scaling, and adds it to a sum.
void finish(const Product& product, std::size_t from, std::size_t to, Pass& pass) noexcept {
  const Linear& linear = *product.linear;
  if (linear.scale.empty() && !product.sum) return;
  const std::size_t rows = linear.matrix.rows, panel = pass.kernels.panel_rows;
  const std::size_t first = from * panel, last = std::min(to * panel, rows);
  if (first >= last) return;
  const std::size_t count = last - first;
  for (std::size_t t = 0; t < product.tokens; ++t) {
    float* const y = product.out + t * rows + first;
    if (!linear.scale.empty()) {
      pass.kernels.scale(y, linear.scale[0], count);
      if (!linear.bias.empty()) pass.kernels.add(y, linear.bias.data() + first, count);
    }
    if (product.sum) pass.kernels.add_scaled(product.sum + t * rows + first, y, product.factor, count);
  }
}

/// The bias that the product's kernel adds; nullptr if there is none, or if it is added after scaling.
const float* bias_of(const Linear& linear) noexcept { return linear.scale.empty() ? linear.bias.data() : nullptr; }

/// Computes pairs of panels [begin, end) of a product that reads each weight once.
void run_pairs(const Product& product, const kernels::MatmulInput& input, std::size_t begin, std::size_t end, std::size_t thread,
               Pass& pass) noexcept {
  const Linear& linear = *product.linear;
  if (product.sum && product.tokens == 1)
    return pass.kernels.add_matvec(linear.matrix, input, product.factor, begin, end, product.sum);
  pass.kernels.matvec(linear.matrix, input, bias_of(linear), begin, end, product.out, linear.matrix.rows,
                      pass.scratch.expanded(thread));
  const std::size_t half = kernels::panel_pairs(panels_of(linear, pass.kernels));
  finish(product, begin, end, pass);
  finish(product, half + begin, half + end, pass);
}

/// The input's `count` tokens from `first` on, which must begin a group.
kernels::MatmulInput tokens_of(kernels::MatmulInput input, std::size_t first, std::size_t count) noexcept {
  input.tokens = count;
  input.values += first * input.columns;
  if (input.quantized) input.quantized += kernels::quantized_bytes(first, input.columns);
  if (input.widened) input.widened += first * input.columns;
  return input;
}

/// Runs steps [begin, end) of a product that reads weights several times: all panels for the first block of tokens, then for the
/// next.
void run_panels(const Product& product, const kernels::MatmulInput& input, std::size_t begin, std::size_t end, std::size_t thread,
                Pass& pass) noexcept {
  const Linear& linear = *product.linear;
  const kernels::PackedMatrix& w = linear.matrix;
  const TokenBlocks blocks(linear, product.tokens);
  const std::size_t panels = panels_of(linear, pass.kernels);
  while (begin < end) {
    const std::size_t first = begin / panels * blocks.tokens, from = begin % panels, to = std::min(panels, from + (end - begin));
    Product part = product;
    part.tokens = std::min(blocks.tokens, product.tokens - first);
    part.out += first * w.rows;
    if (part.sum) part.sum += first * w.rows;
    pass.kernels.matmul(w, tokens_of(input, first, part.tokens), bias_of(linear), from, to, part.out, w.rows,
                        pass.scratch.expanded(thread));
    finish(part, from, to, pass);
    begin += to - from;
  }
}

bool shares_input(std::span<const Product> products, const Product& product) noexcept {
  return &product != products.data() && product.x == (&product - 1)->x;
}

/// An input whose codes are stored after the codes of `before` tokens.
kernels::MatmulInput quantized_input(const float* x, std::size_t tokens, std::size_t columns, std::size_t before,
                                     Pass& pass) noexcept {
  return {.tokens = tokens,
          .columns = columns,
          .values = x,
          .quantized = pass.scratch.quantized() + kernels::quantized_bytes(before, columns),
          .widened = pass.kernels.widen ? pass.scratch.widened() + before * columns : nullptr};
}

/// Fills the codes of tokens [begin, end) of a quantized_input(), as quantize_tokens() does.
void quantize(const kernels::MatmulInput& input, std::size_t begin, std::size_t end, bool widens,
              const kernels::Kernels& kernels) noexcept {
  kernels::quantize_tokens(kernels, input, begin, end, const_cast<std::byte*>(input.quantized),
                           widens ? const_cast<std::int16_t*>(input.widened) : nullptr);
}

/// The input of `product`, one of `products` that run as one range of work: its codes are after those of the inputs before it.
kernels::MatmulInput input_of(std::span<const Product> products, const Product& product, Pass& pass) noexcept {
  const std::size_t columns = product.linear->matrix.columns;
  if (!reads_int8(*product.linear)) return {product.tokens, columns, product.x, nullptr};
  std::size_t before = 0;  // tokens of earlier inputs
  for (const Product* p = &product; p != products.data(); --p)
    if (!shares_input(products, *p)) before += (p - 1)->tokens;
  return quantized_input(product.x, product.tokens, columns, before, pass);
}

bool reads_once(const Product& product) noexcept { return kernels::reads_once(product.linear->matrix, product.tokens); }

std::size_t steps_of(const Product& product, const kernels::Kernels& kernels) noexcept {
  const std::size_t panels = panels_of(*product.linear, kernels);
  return reads_once(product) ? kernels::panel_pairs(panels) : panels * TokenBlocks(*product.linear, product.tokens).count;
}

/// Runs all products as one range of work: panels, or pairs of panels where each weight is read once. The inputs of `products` are
/// quantized already. `more` have float weights and few rows: their steps are the longest and come first, because short steps at
/// the end keep all threads busy.
void run_all(std::span<const Product> products, std::span<const Product> more, Pass& pass) noexcept {
  std::size_t steps = 0;
  for (const std::span<const Product> some : {more, products})
    for (const Product& product : some) steps += steps_of(product, pass.kernels);
  const std::size_t chunk = std::max<std::size_t>(1, steps / (pass.pool.used() * kChunks));
  pass.pool.parallel_for(steps, chunk, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    std::size_t first = 0;  // first step of this product
    for (const std::span<const Product> some : {more, products})
      for (const Product& product : some) {
        const std::size_t next = first + steps_of(product, pass.kernels);
        const std::size_t from = std::max(begin, first), to = std::min(end, next);
        if (from < to) {
          const auto run = reads_once(product) ? run_pairs : run_panels;
          run(product, input_of(products, product, pass), from - first, to - first, thread, pass);
        }
        first = next;
      }
  });
}

/// Runs all products, including the additions of the pass's adapters.
void run_adapted(std::span<const Product> products, Pass& pass) noexcept {
  if (!pass.adaptation) return run_all(products, {}, pass);
  Additions additions(*pass.adaptation, products);
  run_all(products, additions.lower(), pass);
  additions.finish(pass);
}

/// The maximum number of matrices in one call of project().
constexpr std::size_t kMostProjections = 4;

void project_all(const float* x, std::size_t tokens, std::initializer_list<Projection> projections, Pass& pass,
                 const std::size_t* rows) noexcept {
  const kernels::Kernels& kernels = pass.kernels;
  const std::size_t columns = projections.begin()->linear->matrix.columns;
  if (std::any_of(projections.begin(), projections.end(), [](const auto& p) { return reads_int8(*p.linear); })) {
    const kernels::MatmulInput input = quantized_input(x, tokens, columns, 0, pass);
    const bool widens = std::any_of(projections.begin(), projections.end(),
                                    [&](const auto& p) { return kernels.reads_widened(p.linear->matrix.dtype); });
    pass.pool.parallel_for(tokens, kernels::kTokenGroup, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      quantize(input, begin, end, widens, kernels);
    });
  }
  assert(projections.size() <= kMostProjections);
  Product products[kMostProjections];
  std::size_t count = 0;
  for (const auto& [linear, out] : projections) products[count++] = {linear, x, tokens, out, rows};
  run_adapted({products, count}, pass);
}

/// to[i] = x[i], clamped if there are bounds.
void clamp(const float* x, const Buffer<float>& least, const Buffer<float>& most, std::size_t count, float* to) noexcept {
  const float low = least.empty() ? -std::numeric_limits<float>::infinity() : least[0];
  const float high = most.empty() ? std::numeric_limits<float>::infinity() : most[0];
  for (std::size_t i = 0; i < count; ++i) to[i] = std::min(std::max(x[i], low), high);
}

/// Runs one projection at a time, because each has its own bounds on the input.
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

void project_read(const float* x, std::size_t tokens, const Linear& linear, float* out, Pass& pass,
                  const std::size_t* rows) noexcept {
  if (pass.read.empty() || pass.adaptation || linear.clamp) return project(x, tokens, {{&linear, out}}, pass, rows);
  constexpr std::size_t kChunk = 4;
  const Product product{&linear, x, tokens, out};
  const kernels::MatmulInput input = input_of({&product, 1}, product, pass);
  if (reads_int8(linear)) quantize(input, 0, tokens, pass.kernels.reads_widened(linear.matrix.dtype), pass.kernels);
  pass.pool.parallel_for(pass.read.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    for (const auto& [from, to] : pass.read.subspan(begin, end - begin)) {
      pass.kernels.matmul(linear.matrix, input, bias_of(linear), from, to, out, linear.matrix.rows, pass.scratch.expanded(thread));
      finish(product, from, to, pass);
    }
  });
}

void multiply(std::span<const Product> products, Pass& pass) noexcept {
  if (products.empty()) return;
  if (std::any_of(products.begin(), products.end(), [](const auto& p) { return reads_int8(*p.linear); })) {
    const bool widens = std::any_of(products.begin(), products.end(),
                                    [&](const auto& p) { return pass.kernels.reads_widened(p.linear->matrix.dtype); });
    pass.pool.parallel_for(products.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (const Product& product : products.subspan(begin, end - begin))
        if (!shares_input(products, product)) quantize(input_of(products, product, pass), 0, product.tokens, widens, pass.kernels);
    });
  }
  run_adapted(products, pass);
}

bool same_table(const Linear& a, const Linear& b) noexcept {
  const auto plain = [](const Linear& linear) { return linear.bias.empty() && linear.scale.empty() && !linear.clamp; };
  return plain(a) && plain(b) && !a.storage.empty() && a.matrix.dtype == b.matrix.dtype && a.matrix.rows == b.matrix.rows &&
         a.matrix.columns == b.matrix.columns && a.storage.size() == b.storage.size() &&
         std::memcmp(a.storage.data(), b.storage.data(), a.storage.size()) == 0;
}

std::uint64_t drop_if_same(std::optional<Linear>& table, const Linear& other) noexcept {
  if (!table || !same_table(*table, other)) return 0;
  const std::uint64_t freed = table->storage.size();
  table.reset();
  return freed;
}

void look_up(const Linear& linear, std::size_t row, float* out, Pass& pass) noexcept {
  pass.kernels.unpack_row(linear.matrix, row, out);
  if (!linear.scale.empty()) pass.kernels.scale(out, linear.scale[0], linear.matrix.columns);
}

}  // namespace heed::nn
