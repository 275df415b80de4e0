// Drafts by heads (nn/drafts.hpp). One head drafts all tokens, each of several heads drafts one, or a single pass drafts all at
// once.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "nn/drafts.hpp"
#include "runtime/drafts/drafter.hpp"
#include "runtime/drafts/shortlist.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {

class PlacedTiles;

class HeadDrafter final : public Drafter {
 public:
  /// file: the model with the heads: the workspace's own, or another, which `owner` keeps alive. Throws std::bad_alloc.
  HeadDrafter(Workspace& workspace, const Model& file, std::shared_ptr<const Model> owner = nullptr);

  std::size_t most() const noexcept override {
    return std::min(kMost, heads_.heads() > 1 ? heads_.heads() : at_once() ? heads_.most_at_once() : kMost);
  }
  bool at_once() const noexcept override { return heads_.most_at_once() > 0; }
  DraftMemory memory() override;
  bool follows() const noexcept override { return true; }
  bool takes_normed() const noexcept override { return heads_.spec().hands_normed; }
  std::span<const std::size_t> takes_inputs() const noexcept override;
  void follow(std::span<const tokenizer::TokenId> tokens, const nn::Pass& pass, std::span<DraftMemory* const> memories) override;
  void use_shortlist() override;
  DraftStart begin(Sequence& sequence, std::span<const tokenizer::TokenId> text, std::size_t most) override;
  std::span<const float> next(tokenizer::TokenId id) override;
  std::uint64_t bytes() const noexcept override;

 private:
  class Rows;
  const float* rows_of(const nn::Pass& pass);
  void draft_at_once(tokenizer::TokenId last);
  std::span<const float> logits_of(std::size_t step) const noexcept;

  Workspace& workspace_;
  std::shared_ptr<const Model> owner_;
  const nn::Drafts& heads_;
  std::size_t width_;
  nn::ScratchNeed need_;
  nn::KvCachePool pool_;
  nn::Scratch scratch_;
  std::vector<float> logits_, mixed_;  // logits_: of the last step, or of all tokens of a draft made at once
  std::optional<Shortlist> shortlist_;
  // The state of the current draft.
  std::span<const nn::PanelRange> panels_;  // of the shortlist; empty: the whole vocabulary is used
  nn::KvCache* cache_ = nullptr;
  const PlacedTiles* tiles_ = nullptr;
  std::size_t position_ = 0, most_ = 0;
  std::vector<tokenizer::TokenId> tokens_;  // the ids that next() was given
  std::vector<float> before_, handed_;      // before_: an input row for each of tokens_; handed_: rows of the last step
};

}  // namespace heed::runtime
