// Applies parts of the model to vectors: the final norm, the head; and reads its weights.
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "nn/decoder.hpp"
#include "runtime/states.hpp"
#include "runtime/tensors.hpp"

namespace heed::engine {
namespace {

void check_states(std::span<const float> states, const runtime::Model& model) {
  const std::size_t width = model.info().width;
  if (!model.info().generates) throw Error(ErrorCode::unsupported, "does not generate text", model.info().architecture);
  if (states.empty() || states.size() % width != 0 || states.size() / width > runtime::kMaxBatch)
    throw Error(ErrorCode::invalid_argument,
                "must be from 1 to " + std::to_string(runtime::kMaxBatch) + " rows of " + std::to_string(width) + " numbers",
                "states");
}

}  // namespace

std::vector<float> Engine::final_norm(std::span<const float> states) {
  check_states(states, *model_);
  std::vector<float> normed(states.begin(), states.end());
  runtime::apply_final_norm(workspace_, normed);
  return normed;
}

std::vector<double> Engine::unembed(std::span<const float> vector) const {
  check_states(vector, *model_);
  const nn::Linear& head = model_->decoder()->head();
  if (vector.size() != head.matrix.columns)
    throw Error(ErrorCode::invalid_argument, "must have " + std::to_string(head.matrix.columns) + " numbers", "vector");
  const double scale = head.scale.empty() ? 1.0 : static_cast<double>(head.scale[0]);
  std::vector<double> products(head.matrix.rows);
  std::vector<float> row(head.matrix.columns);
  for (std::size_t i = 0; i < products.size(); ++i) {
    model_->kernels().unpack_row(head.matrix, i, row.data());
    products[i] = scale * std::inner_product(row.begin(), row.end(), vector.begin(), 0.0, std::plus<>(),
                                             [](float a, float b) { return static_cast<double>(a) * static_cast<double>(b); });
  }
  return products;
}

std::vector<std::size_t> Engine::tensor_shape(const std::string& name) const { return runtime::tensor_shape(*model_, name); }

std::vector<float> Engine::tensor(const std::string& name, std::size_t first, std::size_t rows) const {
  return runtime::tensor_rows(*model_, name, first, rows);
}

}  // namespace heed::engine
