// What the engine makes of states of the residual stream.
#include "base/error.hpp"
#include "engine/engine.hpp"

namespace heed::engine {
namespace {

void check_states(std::span<const float> states, const runtime::Model& model) {
  const std::size_t width = model.info().width;
  if (!model.info().generates) throw Error(ErrorCode::unsupported, "has no decoder", model.info().architecture);
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

std::vector<LensRow> Engine::lens(std::span<const float> states, const LensForm& form) {
  check_states(states, *model_);
  const std::size_t rows = states.size() / model_->info().width, vocabulary = model_->info().vocabulary;
  const std::span<float> logits = workspace_.logits(rows);
  runtime::read_out(workspace_, states, logits);
  std::vector<LensRow> lens;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = logits.subspan(i * vocabulary, vocabulary);
    lens.push_back({sampling::top_logprobs(row, form.top), sampling::logprobs_of(row, form.watched)});
  }
  return lens;
}

}  // namespace heed::engine
