#include "runtime/workspace.hpp"

#include <algorithm>
#include <new>
#include <string>

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "runtime/drafts/drafter.hpp"

namespace heed::runtime {
namespace {

constexpr std::size_t kPrefill = 32;  // tokens from which on a pass is limited by arithmetic
constexpr std::size_t kCheap = 64;    // tokens up to which a pass of a trial costs little

constexpr std::size_t kAdapterFloats = std::size_t{1} << 20;  // for the products of adapters; more only if one token needs it

/// Passes of 2 to kPrefill - 1 tokens are not timed.
bool is_timed(std::size_t tokens) noexcept { return tokens == 1 || tokens >= kPrefill; }

/// Calls make(). Throws out_of_memory instead of std::bad_alloc.
template <class Make>
auto made(const Model& model, Make make) {
  try {
    return make();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory,
                "not enough memory for a context of " + std::to_string(model.info().context_length) +
                    " tokens; request a smaller one",
                "context_length");
  }
}

}  // namespace

WorkspacePlan Workspace::plan_for(const Model& model) {
  const ModelInfo& info = model.info();
  return WorkspacePlan(model.spec(), {info.context_length, info.parallel, model.pool().threads(), info.kv_cache, &model.kernels()});
}

Workspace::Workspace(const Model& model) : Workspace(model, plan_for(model)) {}

Workspace::Workspace(const Model& model, const WorkspacePlan& plan)
    : model_(model),
      decoder_caches_(plan.make_decoder_caches()),
      cross_caches_(plan.make_cross_caches()),
      encoder_caches_(plan.make_encoder_caches()),
      vision_caches_(plan.make_vision_caches()),
      scratch_(made(model, [&] { return plan.make_scratch(); })),
      hidden_(made(model, [&] { return Buffer<float>(plan.hidden()); })),
      prefill_tuner_(model.pool().threads(), 64, 1),
      decode_tuner_(model.pool().threads(), 64, 3) {
  if (decoder_caches_) decoder_caches_->limit(model.info().sequence_bytes);
}

Workspace::~Workspace() = default;

void Workspace::use(std::unique_ptr<Drafter> drafter) noexcept { drafter_ = std::move(drafter); }

nn::Pass Workspace::make_pass(std::span<nn::Segment> segments, std::size_t tokens, nn::Scratch* scratch) noexcept {
  return {.kernels = model_.kernels(),
          .pool = model_.pool(),
          .scratch = scratch ? *scratch : scratch_,
          .segments = segments,
          .tokens = tokens,
          .interrupt = &interrupt_};
}

nn::Scratch Workspace::make_scratch(std::size_t tokens) const {
  const nn::DecoderSpec& spec = model_.decoder()->spec();
  const std::size_t threads = model_.pool().threads();
  return made(model_, [&] {
    const nn::PassLimits limits{spec.stack.width, tokens, model_.info().context_length, threads};
    return nn::Scratch(nn::Decoder::need(spec, limits), threads, model_.kernels());
  });
}

std::span<float> Workspace::logits(std::size_t rows) {
  const std::size_t count = rows * model_.info().vocabulary;
  if (count > logits_.size()) logits_ = Buffer<float>(count);
  return {logits_.data(), count};
}

float* Workspace::handed(std::size_t tokens) {
  const std::size_t count = tokens * model_.info().width;
  if (count > handed_.size()) handed_ = Buffer<float>(count);
  return handed_.data();
}

std::span<float> Workspace::adapter_scratch(std::span<const nn::AdaptedRows> adapted) {
  std::size_t least = 0;  // floats that one token needs
  for (const nn::AdaptedRows& rows : adapted) least = std::max(least, rows.adapter->scratch());
  const std::size_t count = std::max(least, std::min(least * kMaxBatch, kAdapterFloats));
  if (count > adapters_.size()) adapters_ = Buffer<float>(count);
  return {adapters_.data(), adapters_.size()};
}

void Workspace::begin(std::size_t tokens, bool whole) noexcept {
  ThreadTuner& tuner = tokens < kPrefill ? decode_tuner_ : prefill_tuner_;
  model_.pool().use(whole && is_timed(tokens) ? tuner.choose(tokens <= kCheap) : tuner.fastest());
  long_waits_ = model_.pool().long_waits();
}

void Workspace::end(std::size_t tokens) noexcept {
  if (!is_timed(tokens)) return;
  const bool held_up = model_.pool().long_waits() > long_waits_;
  (tokens == 1 ? decode_tuner_ : prefill_tuner_).record(seconds_ / static_cast<double>(tokens), held_up);
}

}  // namespace heed::runtime
