#include "runtime/workspace.hpp"

#include <new>
#include <string>

#include "base/error.hpp"

namespace heed::runtime {
namespace {

constexpr std::size_t kTelling = 32;  // passes of fewer tokens, but for one, say little about either kind
constexpr std::size_t kCheap = 64;

bool tells(std::size_t tokens) noexcept { return tokens == 1 || tokens >= kTelling; }

/// Or throws what a user can understand.
template <class Make>
auto made(const Model& model, Make make) {
  try {
    return make();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory,
                "not enough memory for a context of " + std::to_string(model.info().context) + " tokens; request a smaller one",
                "context_length");
  }
}

}  // namespace

WorkspacePlan Workspace::plan_for(const Model& model) {
  const ModelInfo& info = model.info();
  return WorkspacePlan(model.spec(), {info.context, info.parallel, model.pool().threads(), info.kv_cache});
}

Workspace::Workspace(const Model& model) : Workspace(model, plan_for(model)) {}

Workspace::Workspace(const Model& model, const WorkspacePlan& plan)
    : model_(model),
      decoder_memory_(plan.make_cache()),
      cross_memory_(plan.make_memory()),
      encoder_memory_(plan.make_encoder_cache()),
      vision_memory_(plan.make_vision_cache()),
      scratch_(made(model, [&] { return plan.make_scratch(); })),
      hidden_(made(model, [&] { return Buffer<float>(plan.hidden()); })),
      reading_(model.pool().threads(), 64, 1),
      writing_(model.pool().threads(), 64, 3) {
  if (decoder_memory_) decoder_memory_->limit(model.info().sequence_bytes);
}

nn::Pass Workspace::make_pass(std::span<nn::Segment> segments, std::size_t tokens) noexcept {
  return {.kernels = model_.kernels(),
          .pool = model_.pool(),
          .scratch = scratch_,
          .segments = segments,
          .tokens = tokens,
          .cancel = &interrupt_};
}

std::span<float> Workspace::logits(std::size_t rows) {
  const std::size_t count = rows * model_.info().vocabulary;
  if (count > logits_.size()) logits_ = Buffer<float>(count);
  return {logits_.data(), count};
}

void Workspace::begin(std::size_t tokens) noexcept {
  ThreadTuner& tuner = tokens < kTelling ? writing_ : reading_;
  model_.pool().use(tells(tokens) ? tuner.choose(tokens <= kCheap) : tuner.fastest());
  long_waits_ = model_.pool().long_waits();
}

void Workspace::end(std::size_t tokens) noexcept {
  if (!tells(tokens)) return;
  const bool held_up = model_.pool().long_waits() > long_waits_;
  (tokens == 1 ? writing_ : reading_).record(seconds_ / static_cast<double>(tokens), held_up);
}

}  // namespace heed::runtime
