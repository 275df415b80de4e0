// Variants of a text under edits, several in a pass (DecoderRun::vary).
#include <cstddef>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "engine/decoder_run.hpp"
#include "engine/interrupted.hpp"
#include "runtime/token_checks.hpp"

namespace heed::engine {

/// A variant that is about to run.
struct DecoderRun::Plan {
  runtime::Sequence sequence;  // holds the tokens that need not run again
  std::size_t layer;           // the first layer to run
  std::unique_ptr<runtime::Recorder> recorder;

  std::size_t left(std::size_t position) const noexcept { return position + 1 - sequence.tokens().size(); }
};

/// The recorded states that enter a layer, at all positions; empty if they are not recorded.
std::span<const float> DecoderRun::states_before(std::size_t layer) const {
  const auto requests = recorder_ ? recorder_->requests() : std::span<const runtime::Request>();
  for (std::size_t i = 0; layer > 0 && i < requests.size(); ++i)
    if (requests[i].at.of == runtime::AttentionOf::decoder && requests[i].at.place == nn::Place{nn::Point::resid, layer - 1} &&
        requests[i].positions.empty() && recorder_->first() == 0)
      return recorder_->values(i);
  return {};
}

DecoderRun::Plan DecoderRun::plan(const std::vector<runtime::Edit>& edits, std::size_t position,
                                  const std::vector<runtime::Request>& watch) const {
  const runtime::Model& model = sequence_.model();
  runtime::Changes changes = sequence_.changes();
  const auto own = changes.edits ? changes.edits->all() : std::span<const runtime::Edit>();  // kept alive by sequence_
  std::vector<runtime::Edit> all;
  for (const auto list : {own, std::span(edits)})
    for (const runtime::Edit& edit : list) all.push_back(edit);
  changes.edits = std::make_shared<const runtime::Edits>(model, std::move(all));
  std::size_t layer = runtime::alike_before(model, own, changes.edits->all());
  if (states_before(layer).empty()) layer = 0;
  Plan plan{sequence_, layer, nullptr};
  plan.sequence.start_at(layer);
  plan.sequence.change(std::move(changes));
  plan.sequence.truncate(watch.empty() ? position : 0);
  if (watch.empty()) return plan;
  plan.recorder = std::make_unique<runtime::Recorder>(model, watch);
  plan.recorder->prepare(0, position + 1);
  return plan;
}

/// Runs plans that start at the same layer, in one pass unless there is only one. False if interrupted.
bool DecoderRun::run(std::span<Plan> plans, std::size_t position, std::span<float> logits, std::span<const runtime::TokenId> read) {
  runtime::Workspace& workspace = sequence_.workspace();
  const std::size_t width = sequence_.model().info().width, layer = plans[0].layer;
  const auto text = sequence_.tokens();
  for (bool done = false; !done;) {
    std::vector<runtime::ForwardInput> inputs;
    for (Plan& plan : plans) {
      const std::size_t first = plan.sequence.tokens().size(), left = plan.left(position);
      const std::size_t count = plans.size() > 1 ? left : plan.sequence.next_pass(text.subspan(first, left));
      done = count == left;
      const auto states = layer > 0 ? states_before(layer).subspan(first * width, count * width) : std::span<const float>();
      inputs.push_back({&plan.sequence, text.subspan(first, count), done ? std::size_t{1} : 0, plan.recorder.get(), 0, states});
    }
    if (!runtime::forward(workspace, inputs, done ? logits : std::span<float>(), layer, read)) return false;
  }
  return true;
}

std::optional<std::vector<DecoderRun::Variant>> DecoderRun::vary(std::span<const std::vector<runtime::Edit>> variants,
                                                                 std::size_t position, std::span<const runtime::TokenId> read,
                                                                 const std::vector<runtime::Request>& watch) {
  const runtime::ModelInfo& info = sequence_.model().info();
  runtime::check_tokens(read, 0, info.vocabulary, read.size());
  if (variants.empty()) throw Error(ErrorCode::invalid_argument, "must be at least one", "variants");
  if (position >= sequence_.tokens().size())
    throw Error(ErrorCode::invalid_argument,
                std::to_string(position) + " is beyond the " + std::to_string(sequence_.tokens().size()) +
                    " tokens that have been run",
                "position");
  std::vector<Plan> plans;
  std::size_t tokens = 0;
  for (const std::vector<runtime::Edit>& edits : variants) {
    Plan next = plan(edits, position, watch);
    tokens += next.left(position);
    const bool fits = plans.empty() ||
                      (next.layer == plans[0].layer && plans.size() < info.parallel && tokens <= runtime::kMaxBatch);
    if (!fits) break;
    plans.push_back(std::move(next));
  }
  for (;;) {
    std::vector<float> logits(plans.size() * info.vocabulary);
    try {
      if (interrupted(sequence_.workspace(),
                      !run(plans, position, logits, watch.empty() ? read : std::span<const runtime::TokenId>())))
        return std::nullopt;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory) throw;
      if (prefix_cache_.drop_oldest()) continue;
      if (plans.size() == 1) throw;
      plans.erase(plans.begin() + static_cast<std::ptrdiff_t>(plans.size() / 2), plans.end());
      continue;
    }
    std::vector<Variant> made;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const auto row = std::span(logits).subspan(i * info.vocabulary, info.vocabulary);
      Variant& one = made.emplace_back(Variant{{}, std::move(plans[i].recorder)});
      if (read.empty()) one.logits.assign(row.begin(), row.end());
      for (const runtime::TokenId token : read) one.logits.push_back(row[static_cast<std::size_t>(token)]);
    }
    return made;
  }
}

}  // namespace heed::engine
