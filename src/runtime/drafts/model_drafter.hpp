// Drafts by a small model with the same vocabulary, which reads the same texts.
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "runtime/drafts/drafter.hpp"
#include "runtime/sequence.hpp"

namespace heed::runtime {

class ModelDrafter final : public Drafter {
 public:
  /// Throws out_of_memory, and std::bad_alloc.
  ModelDrafter(Workspace& target, std::shared_ptr<const Model> file);

  DraftStart begin(Sequence& sequence, std::span<const tokenizer::TokenId> text, std::size_t most) override;
  std::span<const float> next(tokenizer::TokenId id) override;
  std::uint64_t bytes() const noexcept override;

 private:
  Sequence& nearest(std::span<const tokenizer::TokenId> text);

  Workspace& target_;
  std::shared_ptr<const Model> model_;
  Workspace workspace_;
  std::list<Sequence> texts_;  // most recently used first
  std::vector<float> logits_;  // at least V of the target; -infinity for tokens that the draft model lacks
};

}  // namespace heed::runtime
