// Where the passes of a model run, one at a time: scratch memory, the memory of all sequences, and how many threads are
// fastest.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>

#include "nn/pass.hpp"
#include "runtime/model.hpp"
#include "runtime/speculation/pass_costs.hpp"
#include "runtime/thread_tuner.hpp"
#include "runtime/workspace_plan.hpp"

namespace heed::runtime {

class Workspace {
 public:
  /// Allocates scratch; the memory of sequences grows with their tokens. Throws out_of_memory. The model must outlive it, and
  /// it all sequences.
  explicit Workspace(const Model& model);
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  const Model& model() const noexcept { return model_; }

  /// A flag that another thread may raise at any time: the pass that is under way then ends without effect. Read between
  /// layers, and never lowered here.
  std::atomic<bool>& interrupt_flag() noexcept { return interrupt_; }

  nn::Pass make_pass(std::span<nn::Segment> segments, std::size_t tokens) noexcept;

  /// Runs forward(), a pass of so many tokens that returns false where it was interrupted, on as many threads as are fastest.
  template <class Forward>
  bool run(std::size_t tokens, Forward forward) noexcept {
    using Clock = std::chrono::steady_clock;
    begin(tokens);
    const auto start = Clock::now();
    const bool done = forward();
    seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
    if (done) end(tokens);
    return done;
  }

  /// What the last pass took.
  double seconds() const noexcept { return seconds_; }
  /// What passes of the decoder take.
  PassCosts& costs() noexcept { return costs_; }

  // Those that the model has no use for are nullptr.
  nn::KvMemory* decoder_memory() noexcept { return decoder_memory_ ? &*decoder_memory_ : nullptr; }
  nn::KvMemory* cross_memory() noexcept { return cross_memory_ ? &*cross_memory_ : nullptr; }
  nn::KvMemory* encoder_memory() noexcept { return encoder_memory_ ? &*encoder_memory_ : nullptr; }
  nn::KvMemory* vision_memory() noexcept { return vision_memory_ ? &*vision_memory_ : nullptr; }
  /// Room for so many rows of logits, until it is asked for again. Throws std::bad_alloc.
  std::span<float> logits(std::size_t rows);
  /// An encoder's output, until the next one.
  std::span<float> hidden() noexcept { return {hidden_.data(), hidden_.size()}; }

 private:
  Workspace(const Model& model, const WorkspacePlan& plan);
  static WorkspacePlan plan_for(const Model& model);
  void begin(std::size_t tokens) noexcept;
  void end(std::size_t tokens) noexcept;

  const Model& model_;
  std::optional<nn::KvMemory> decoder_memory_, cross_memory_, encoder_memory_, vision_memory_;
  nn::Scratch scratch_;
  Buffer<float> hidden_, logits_;
  std::uint64_t long_waits_ = 0;   // of the pool, before the pass
  ThreadTuner reading_, writing_;  // many tokens a pass, bound by arithmetic; one, bound by memory
  double seconds_ = 0;
  PassCosts costs_;
  std::atomic<bool> interrupt_{false};
};

}  // namespace heed::runtime
