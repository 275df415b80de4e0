// Drafts by heads (nn/draft_heads.hpp): one head makes all steps, or each of several heads one of them.
#pragma once

#include <memory>
#include <vector>

#include "nn/draft_heads.hpp"
#include "runtime/drafts/drafter.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {

class HeadDrafter final : public Drafter {
 public:
  /// The heads are those of `file`: the model itself, or one beside it, which `owner` keeps alive. Throws std::bad_alloc.
  HeadDrafter(Workspace& workspace, const Model& file, std::shared_ptr<const Model> owner = nullptr);

  std::size_t most() const noexcept override { return heads_.count() == 1 ? kMost : heads_.count(); }
  DraftMemory memory() override;
  bool follows() const noexcept override { return true; }
  bool takes_normed() const noexcept override { return heads_.spec().hands_normed; }
  void follow(std::span<const tokenizer::TokenId> tokens, const nn::Pass& pass, std::span<DraftMemory* const> memories) override;
  DraftStart begin(Sequence& sequence, std::span<const tokenizer::TokenId> text, std::size_t most) override;
  std::span<const float> next(tokenizer::TokenId id) override;
  std::uint64_t bytes() const noexcept override;

 private:
  class Rows;

  Workspace& workspace_;
  std::shared_ptr<const Model> owner_;
  const nn::DraftHeads& heads_;
  std::size_t width_;
  nn::ScratchNeed need_;
  nn::KvCachePool pool_;
  nn::Scratch scratch_;
  std::vector<float> logits_;
  // of the current draft
  nn::KvCache* cache_ = nullptr;
  std::size_t position_ = 0;
  std::vector<tokenizer::TokenId> tokens_;  // read so far
  std::vector<float> before_, handed_;      // a row for each of these
};

}  // namespace heed::runtime
