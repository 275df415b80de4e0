#include "runtime/drafts/model_drafter.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "runtime/common_prefix.hpp"

namespace heed::runtime {

ModelDrafter::ModelDrafter(Workspace& target, std::shared_ptr<const Model> file)
    : target_(target),
      model_(std::move(file)),
      workspace_(*model_),
      logits_(std::max(target.model().info().vocabulary, model_->info().vocabulary), -std::numeric_limits<float>::infinity()) {}

std::uint64_t ModelDrafter::bytes() const noexcept {
  // with one text that fills the context; other texts share what the limit leaves
  return model_->info().memory_bytes + model_->info().context_bytes + logits_.size() * sizeof(float);
}

/// The sequence with the longest common prefix, cut to that prefix; a copy of it if the cut would drop more than a draft.
Sequence& ModelDrafter::nearest(std::span<const tokenizer::TokenId> text) {
  const auto common = [&](const Sequence& other) { return common_prefix(text, other.tokens()); };
  const auto best = std::ranges::max_element(texts_, {}, common);
  if (best != texts_.end() && best->tokens().size() - common(*best) <= kMost + 1) {
    texts_.splice(texts_.begin(), texts_, best);
  } else {
    if (best == texts_.end()) texts_.emplace_front(workspace_);
    else texts_.push_front(*best);
    if (texts_.size() > target_.model().info().parallel) texts_.pop_back();
  }
  texts_.front().truncate(common(texts_.front()));
  return texts_.front();
}

/// Reads the part of the text that it has not read, except for the last token; a long part in pieces, so that no call takes long.
DraftStart ModelDrafter::begin(Sequence& sequence, std::span<const tokenizer::TokenId> text, std::size_t most) try {
  const bool has_pictures = std::ranges::any_of(text, [](tokenizer::TokenId id) { return id < 0; });
  if (has_pictures || !sequence.changes().empty() || text.size() + most > model_->info().context_length) return DraftStart::never;
  const auto known = static_cast<tokenizer::TokenId>(model_->info().vocabulary);
  if (std::ranges::any_of(text, [&](tokenizer::TokenId id) { return id >= known; })) return DraftStart::never;
  Sequence& own = nearest(text);
  const auto left = text.subspan(own.tokens().size(), text.size() - 1 - std::min(text.size() - 1, own.tokens().size()));
  if (left.empty()) return DraftStart::ready;
  own.forward(left.first(std::min(left.size(), kMaxBatch)), {});
  return left.size() > kMaxBatch ? DraftStart::later : DraftStart::ready;
} catch (const Error&) {  // no memory for this text
  return DraftStart::later;
}

std::span<const float> ModelDrafter::next(tokenizer::TokenId id) {
  if (texts_.front().tokens().size() < model_->info().context_length && static_cast<std::size_t>(id) < model_->info().vocabulary)
    texts_.front().forward({&id, 1}, std::span(logits_).first(model_->info().vocabulary));
  return std::span(logits_).first(target_.model().info().vocabulary);
}

}  // namespace heed::runtime
