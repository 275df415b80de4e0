#include "runtime/states.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {
namespace {

const nn::StackSpec& decoder_stack(const Model& model) {
  if (model.decoder()) return model.spec().decoder->stack;
  throw Error(ErrorCode::unsupported, "does not generate text", model.info().architecture);
}

/// Rows per pass, limited by the scratch memory.
std::size_t rows_at_a_time(const Model& model) { return std::min(kMaxBatch, model.info().context_length); }

}  // namespace

void apply_final_norm(Workspace& workspace, std::span<float> states) {
  const nn::StackSpec& spec = decoder_stack(workspace.model());
  nn::Pass pass = workspace.make_pass({}, 0);
  workspace.model().decoder()->stack().finish({states.data(), states.size() / spec.width, spec.width}, pass);
}

void read_out(Workspace& workspace, std::span<const float> states, std::span<float> logits,
              std::span<const nn::AdaptedRows> adapted) {
  const nn::StackSpec& spec = decoder_stack(workspace.model());
  const std::size_t most = rows_at_a_time(workspace.model()), vocabulary = workspace.model().info().vocabulary;
  std::vector<float> x(std::min(states.size(), most * spec.width));
  std::vector<std::size_t> numbers(x.size() / spec.width);  // for each row of a pass: its number among all states
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const nn::Adaptation adaptation(adapted, workspace.adapter_scratch(adapted));
  while (!states.empty()) {
    const auto part = states.first(std::min(states.size(), x.size()));
    const std::size_t rows = part.size() / spec.width;
    std::ranges::copy(part, x.begin());
    nn::Pass pass = workspace.make_pass({}, rows);
    if (!adapted.empty()) pass.adaptation = &adaptation;
    workspace.model().decoder()->read_out({x.data(), rows, spec.width}, logits.data(), pass, numbers.data());
    states = states.subspan(part.size());
    logits = logits.subspan(rows * vocabulary);
    for (std::size_t& number : numbers) number += rows;
  }
}

std::vector<double> head_products(const Model& model, std::span<const float> vector) {
  const nn::Linear& head = model.decoder()->head();
  if (vector.size() != head.matrix.columns)
    throw Error(ErrorCode::invalid_argument, "must have " + std::to_string(head.matrix.columns) + " numbers", "vector");
  const double scale = head.scale.empty() ? 1.0 : static_cast<double>(head.scale[0]);
  std::vector<double> products(head.matrix.rows);
  std::vector<float> row(head.matrix.columns);
  for (std::size_t i = 0; i < products.size(); ++i) {
    model.kernels().unpack_row(head.matrix, i, row.data());
    products[i] = scale * std::inner_product(row.begin(), row.end(), vector.begin(), 0.0, std::plus<>(),
                                             [](float a, float b) { return static_cast<double>(a) * static_cast<double>(b); });
  }
  return products;
}

}  // namespace heed::runtime
