// Applies parts of the model to vectors: the final norm, the head; and reads its weights.
#include <string>

#include "base/error.hpp"
#include "engine/engine.hpp"
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
  return runtime::head_products(*model_, vector);
}

std::vector<std::size_t> Engine::tensor_shape(const std::string& name) const { return runtime::tensor_shape(*model_, name); }

std::vector<float> Engine::tensor(const std::string& name, std::size_t first, std::size_t rows) const {
  return runtime::tensor_rows(*model_, name, first, rows);
}

}  // namespace heed::engine
