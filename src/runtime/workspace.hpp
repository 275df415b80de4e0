// Runs the passes of a model, one at a time: owns scratch memory and the caches of all sequences, and chooses the number of threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "base/interrupt.hpp"
#include "nn/adapters/adaptation.hpp"
#include "nn/pass.hpp"
#include "runtime/model.hpp"
#include "runtime/drafts/draft_trials.hpp"
#include "runtime/drafts/draft_worth.hpp"
#include "runtime/pictures/pictures.hpp"
#include "runtime/speculation/pass_costs.hpp"
#include "runtime/thread_tuner.hpp"
#include "runtime/workspace_plan.hpp"

namespace heed::runtime {

class Drafter;

class Workspace {
 public:
  /// Allocates scratch memory; the caches grow with the sequences. Throws out_of_memory. The model must outlive the workspace, and the
  /// workspace its sequences.
  explicit Workspace(const Model& model);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  const Model& model() const noexcept { return model_; }

  /// Interrupts the current pass, which then has no effect. It is read before each layer and never reset here.
  Interrupt& interrupt() noexcept { return interrupt_; }

  /// `scratch`: memory from make_scratch() to use instead of its own.
  nn::Pass make_pass(std::span<nn::Segment> segments, std::size_t tokens, nn::Scratch* scratch = nullptr) noexcept;
  /// For a decoder pass of one segment with more than kMaxBatch tokens. Throws out_of_memory.
  nn::Scratch make_scratch(std::size_t tokens) const;

  /// The registry of the images and sounds in texts.
  Pictures& pictures() noexcept { return pictures_; }

  /// Runs forward(), a pass of `tokens` tokens, on the fastest number of threads; only passes of all layers, `whole` ones, are timed
  /// to find it. Returns false if interrupted, as forward() does.
  template <class Forward>
  bool run(std::size_t tokens, Forward forward, bool whole = true) noexcept {
    using Clock = std::chrono::steady_clock;
    begin(tokens, whole);
    const auto start = Clock::now();
    const bool done = forward();
    seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
    if (done && whole) end(tokens);
    return done;
  }

  /// Sets the drafter; call before there are sequences.
  void use(std::unique_ptr<Drafter> drafter) noexcept;
  Drafter* drafter() const noexcept { return drafter_.get(); }
  /// Sets the number of threads for small computations outside passes.
  void use_decode_threads() noexcept { model_.pool().use(decode_tuner_.fastest()); }

  /// The time of the last pass.
  double seconds() const noexcept { return seconds_; }
  /// The times of the decoder's passes.
  PassCosts& costs() noexcept { return costs_; }
  DraftCosts& draft_costs() noexcept { return draft_costs_; }
  /// What DraftWorth has learned from the last text.
  DraftWorth& draft_worth() noexcept { return draft_worth_; }
  /// Whether rounds with drafts have been faster.
  DraftTrials& draft_trials() noexcept { return draft_trials_; }

  // The caches of the decoder, of an encoder's output for cross-attention, of an encoder within a pass, and of a vision encoder
  // within a pass; nullptr if the model does not need them.
  nn::KvCachePool* decoder_caches() noexcept { return decoder_caches_ ? &*decoder_caches_ : nullptr; }
  nn::KvCachePool* cross_caches() noexcept { return cross_caches_ ? &*cross_caches_ : nullptr; }
  nn::KvCachePool* encoder_caches() noexcept { return encoder_caches_ ? &*encoder_caches_ : nullptr; }
  nn::KvCachePool* vision_caches() noexcept { return vision_caches_ ? &*vision_caches_ : nullptr; }
  /// rows x V floats, valid until the next call. Throws std::bad_alloc.
  std::span<float> logits(std::size_t rows);
  /// tokens x D floats for the rows that the decoder hands to the drafter, valid until the next call. Throws std::bad_alloc.
  float* handed(std::size_t tokens);
  /// Memory for the products of a pass's adapters; empty without any. Throws std::bad_alloc.
  std::span<float> adapter_scratch(std::span<const nn::AdaptedRows> adapted);
  /// The encoder's output, valid until its next pass.
  std::span<float> hidden() noexcept { return {hidden_.data(), hidden_.size()}; }

 private:
  Workspace(const Model& model, const WorkspacePlan& plan);
  static WorkspacePlan plan_for(const Model& model);
  void begin(std::size_t tokens, bool whole) noexcept;
  void end(std::size_t tokens) noexcept;

  const Model& model_;
  std::optional<nn::KvCachePool> decoder_caches_, cross_caches_, encoder_caches_, vision_caches_;
  nn::Scratch scratch_;
  Buffer<float> hidden_, logits_, adapters_, handed_;
  std::unique_ptr<Drafter> drafter_;
  std::uint64_t long_waits_ = 0;              // ThreadPool::long_waits() before the pass
  ThreadTuner prefill_tuner_, decode_tuner_;  // for passes of many tokens (limited by arithmetic), and of one (limited by memory)
  Pictures pictures_;
  double seconds_ = 0;
  PassCosts costs_;
  DraftCosts draft_costs_;
  DraftWorth draft_worth_;
  DraftTrials draft_trials_;
  Interrupt interrupt_;
};

}  // namespace heed::runtime
