#include "runtime/reasoning_budget.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace heed::runtime {
namespace {

using tokenizer::TokenId;

/// The most bytes that a character has after its first one. Each may be a token.
constexpr std::size_t kMostOfCharacter = 3;

std::string_view trimmed_front(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

}  // namespace

ReasoningLimit::ReasoningLimit(ReasoningBudget budget, const tokenizer::Tokenizer& tokenizer)
    : budget_(std::move(budget)), tokenizer_(&tokenizer), open_(marker(budget_.open)), reasons_(budget_.begun) {
  for (const std::string& close : budget_.closes) closes_.push_back(marker(close));
  if (budget_.ending.empty() || closes_.empty())
    throw Error(ErrorCode::invalid_argument, "needs a marker that ends the reasoning", "reasoning");
  for (const Marker& close : closes_) longest_ = std::max(longest_, close.text.size());
}

ReasoningLimit::Marker ReasoningLimit::marker(std::string text) const {
  if (text.empty()) throw Error(ErrorCode::invalid_argument, "must not be empty", "reasoning");
  const auto ids = tokenizer_->encode(text, {.add_special = false, .parse_special = true});
  const bool control = ids.size() == 1 && !tokenizer_->is_text(ids[0]);
  return {std::move(text), control ? std::optional(ids[0]) : std::nullopt};
}

bool ReasoningLimit::closes(TokenId id) const noexcept {
  return std::any_of(closes_.begin(), closes_.end(),
                     [&](const Marker& close) { return close.control ? id == *close.control : recent_.ends_with(close.text); });
}

bool ReasoningLimit::opens(TokenId id) {
  if (open_.control) return id == *open_.control;
  if (!beginning_) return false;
  const std::string_view text = trimmed_front(*beginning_ += tokenizer_->token_bytes(id, true));
  if (text.size() < open_.text.size() ? open_.text.starts_with(text) : text.starts_with(open_.text))
    return text.size() >= open_.text.size();
  beginning_.reset();
  return false;
}

std::optional<TokenId> ReasoningLimit::due(bool within_character) const noexcept {
  if (!spent()) return std::nullopt;
  if (written_ == 0 && within_character && tokens_ < budget_.max_tokens + kMostOfCharacter) return std::nullopt;
  return budget_.ending[written_];
}

std::vector<TokenId> ReasoningLimit::rest() const {
  if (!spent()) return {};
  return {budget_.ending.begin() + static_cast<std::ptrdiff_t>(written_), budget_.ending.end()};
}

void ReasoningLimit::accept(TokenId id) {
  if (!reasons_) {
    reasons_ = opens(id);
    return;
  }
  recent_ += tokenizer_->token_bytes(id, true);
  if (spent() && id == budget_.ending[written_]) ++written_;
  const bool closed = closes(id);
  if (!closed) ++tokens_;
  if (closed || written_ == budget_.ending.size()) {
    reasons_ = false;
    written_ = 0;
    recent_.clear();
    beginning_.reset();
  }
  if (recent_.size() > longest_) recent_.erase(0, recent_.size() - longest_);
}

}  // namespace heed::runtime
