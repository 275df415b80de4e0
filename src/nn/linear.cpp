#include "nn/linear.hpp"

#include <algorithm>

#include "nn/pass.hpp"

namespace heed::nn {
namespace {

bool reads_int8(const Linear& linear) noexcept { return kernels::takes_int8(linear.matrix.dtype); }

/// What a thread's share of a range is cut into.
constexpr std::size_t kChunks = 64;

/// Steps [begin, end) of one product.
template <class Product>
void run(const Product& product, const kernels::MatmulInput& input, std::size_t begin, std::size_t end,
         std::size_t thread, Pass& pass) noexcept {
  const auto& [w, storage, bias] = *product.linear;
  if (input.tokens == 1) pass.kernels.matvec(w, input, bias.data(), begin, end, product.out);
  else pass.kernels.matmul(w, input, bias.data(), begin, end, product.out, w.rows, pass.scratch.expanded(thread));
}

/// All products as one range of work: panels, or pairs of panels where there is one token. tokens_of(product) is how many
/// it has, input_of(product) what it reads, which may take a while to find.
template <class Products, class TokensOf, class InputOf>
void run(const Products& products, TokensOf tokens_of, InputOf input_of, Pass& pass) noexcept {
  const kernels::Kernels& kernels = pass.kernels;
  const auto steps_of = [&](const auto& product) {
    const std::size_t panels = (product.linear->matrix.rows + kernels.panel_rows - 1) / kernels.panel_rows;
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

}  // namespace

void project(const float* x, std::size_t tokens, std::initializer_list<Projection> projections, Pass& pass) noexcept {
  const kernels::Kernels& kernels = pass.kernels;
  std::byte* quantised = pass.scratch.quantised();
  const kernels::MatmulInput input{tokens, projections.begin()->linear->matrix.columns, x, quantised};
  if (std::any_of(projections.begin(), projections.end(), [](const auto& p) { return reads_int8(*p.linear); })) {
    pass.pool.parallel_for(tokens, kernels::kTokenGroup, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t t = begin; t < end; ++t) kernels.quantise(input, t, quantised);
    });
  }
  run(projections, [&](const auto&) { return tokens; }, [&](const auto&) { return input; }, pass);
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
                                pass.scratch.quantised() + kernels::quantised_bytes(before, columns)};
  };
  if (std::any_of(products.begin(), products.end(), [](const auto& p) { return reads_int8(*p.linear); })) {
    pass.pool.parallel_for(products.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (const Product* p = products.data() + begin; p != products.data() + end; ++p) {
        if (shares_input(p)) continue;
        const kernels::MatmulInput input = input_of(*p);
        for (std::size_t t = 0; t < p->tokens; ++t)
          kernels.quantise(input, t, const_cast<std::byte*>(input.quantised));
      }
    });
  }
  run(products, [](const Product& product) { return product.tokens; }, input_of, pass);
}

}  // namespace heed::nn
