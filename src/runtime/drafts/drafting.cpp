#include "runtime/drafts/drafting.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "runtime/workspace.hpp"
#include "sampling/softmax.hpp"

namespace heed::runtime {

BestToken best_of_ten(std::span<const float> logits) noexcept {
  constexpr std::size_t kTop = 10;
  std::array<float, kTop> top;
  std::size_t count = 0, best = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const float logit = logits[i];
    if (count == kTop && !(logit > top[kTop - 1])) continue;
    if (logit > logits[best]) best = i;
    std::size_t place = count < kTop ? count++ : kTop - 1;
    for (; place > 0 && logit > top[place - 1]; --place) top[place] = top[place - 1];
    top[place] = logit;
  }
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) total += sampling::softmax_weight(std::min(0.0, static_cast<double>(top[i]) - top[0]));
  return {static_cast<tokenizer::TokenId>(best), total > 0 ? 1 / total : 0};
}

Drafting::Drafting(Drafter& drafter, Workspace& workspace)
    : drafter_(drafter), workspace_(workspace), worth_(workspace.draft_worth()) {
  worth_.begin_text();
  workspace.draft_trials().of(1).begin_text();
}

Drafting::~Drafting() { workspace_.draft_worth() = std::move(worth_); }

bool Drafting::draft(Sequence& sequence, std::span<const tokenizer::TokenId> text, std::size_t most, std::size_t others, bool open,
                     std::optional<std::size_t> fixed, double repeated) {
  using Clock = std::chrono::steady_clock;
  const PassCosts& passes = workspace_.costs();
  DraftCosts& costs = workspace_.draft_costs();
  done_ = true;
  most = std::min({most, drafter_.most(), fixed.value_or(most)});
  if (most == 0) return true;
  if (!fixed && (repeated >= worth_.share(0) || !worth_.begins(open, most, others, passes, costs))) return true;
  auto start = Clock::now();
  const DraftStart begun = drafter_.begin(sequence, text, most);
  if (begun != DraftStart::ready) return begun == DraftStart::later;
  tokenizer::TokenId last = text.back();
  do {
    const BestToken best = best_of_ten(drafter_.next(last));
    const auto end = Clock::now();
    const double seconds = std::chrono::duration<double>(end - start).count();
    costs.record(drafted_.empty(), seconds);
    workspace_.draft_trials().spend(seconds);
    start = end;
    drafted_.push_back({best.id, costs.probability(best.probability, worth_.share(drafted_.size()))});
    confidences_.push_back(best.probability);
    last = best.id;
  } while (fixed ? drafted_.size() < most : worth_.goes_on(drafted_, most, others, passes, costs));
  due_ = fixed ? drafted_.size() : 0;
  return true;
}

void Drafting::verify(std::span<const tokenizer::TokenId> chosen) {
  std::size_t checked = std::min(chosen.size(), drafted_.size()), right = 0;
  while (right < checked && chosen[right] == drafted_[right].id) ++right;
  worth_.verified(checked, right);
  for (std::size_t i = 0; i < checked && i <= right; ++i) workspace_.draft_costs().verified(confidences_[i], i < right);
  drafted_.clear();
  confidences_.clear();
  due_ = 0;
  done_ = false;
}

}  // namespace heed::runtime
