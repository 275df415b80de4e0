// Drafts by an assistant that reads the model's own cache (nn/assistant.hpp).
#pragma once

#include <memory>
#include <vector>

#include "nn/assistant.hpp"
#include "runtime/drafts/drafter.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {

class AssistantDrafter final : public Drafter {
 public:
  /// Throws std::bad_alloc.
  AssistantDrafter(Workspace& workspace, std::shared_ptr<const Model> file);

  DraftMemory memory() override;
  bool follows() const noexcept override { return true; }
  void follow(std::span<const tokenizer::TokenId> tokens, const nn::Pass& pass, std::span<DraftMemory* const> memories) override;
  DraftStart begin(Sequence& sequence, std::span<const tokenizer::TokenId> text, std::size_t most) override;
  std::span<const float> next(tokenizer::TokenId id) override;
  std::uint64_t bytes() const noexcept override;

 private:
  Workspace& workspace_;
  std::shared_ptr<const Model> file_;
  nn::ScratchNeed need_;
  nn::Scratch scratch_;
  std::vector<float> logits_;
  // The state of the current draft. All of its steps are at one position.
  nn::KvCache* cache_ = nullptr;
  std::size_t position_ = 0;
  std::vector<float> before_;
};

}  // namespace heed::runtime
