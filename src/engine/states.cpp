// Applies the final norm to states of the residual stream.
#include "base/error.hpp"
#include "engine/engine.hpp"
#include "runtime/states.hpp"

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

}  // namespace heed::engine
