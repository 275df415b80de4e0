#include "grammar/constraint.hpp"

#include <algorithm>
#include <utility>

namespace heed::grammar {

Constraint::Constraint(std::shared_ptr<Masks> masks) : masks_(std::move(masks)) { states_.push_back(masks_->language().start()); }

std::span<const std::uint64_t> Constraint::mask() {
  if (masked_ == states_.size()) return mask_->words();
  masks_->language().budget().refill();
  return make_mask();
}

std::span<const std::uint64_t> Constraint::make_mask() {
  mask_ = state() == State::kDead ? std::make_shared<const TokenSet>(masks_->table().trie().vocabulary_size())
                                  : masks_->of(state());
  masked_ = states_.size();
  return mask_->words();
}

void Constraint::prepare(bool first_attempt) {
  if (masked_ == states_.size()) return;
  if (first_attempt) masks_->language().budget().refill();
  make_mask();
}

bool Constraint::accept(TokenId token) {
  if (state() == State::kDead) return false;
  masks_->language().budget().refill();
  const TokenTrie& trie = masks_->table().trie();
  if (std::ranges::binary_search(trie.ends(), token)) {
    if (!masks_->language().accepts(state())) return false;
    states_.push_back(State::kDead);
    return true;
  }
  const State next = after(token);
  if (next == State::kDead) return false;
  states_.push_back(next);
  return true;
}

State Constraint::after(TokenId token) {
  const TokenTexts& texts = masks_->table().trie().texts();
  if (!texts.contains(token) || !texts.is_written(token) || texts.text(token).empty()) return State::kDead;
  State reached = state();
  for (const char byte : texts.text(token))
    if (reached != State::kDead) reached = masks_->language().step(reached, static_cast<unsigned char>(byte));
  return reached;
}

void Constraint::rollback(std::size_t count) noexcept {
  states_.resize(states_.size() - std::min(count, size()));
  masked_ = 0;
}

bool Constraint::finished() {
  if (state() == State::kDead) return true;
  masks_->language().budget().refill();
  return masks_->bytes_after(state()).empty();
}

std::string Constraint::forced(std::size_t limit) {
  std::string bytes;
  if (state() == State::kDead) return bytes;
  masks_->language().budget().refill();
  for (State reached = state(); bytes.size() < limit && !masks_->language().accepts(reached);) {
    const ByteSet next = masks_->bytes_after(reached);
    if (next.size() != 1) break;
    unsigned byte = 0;
    while (!next.contains(static_cast<std::uint8_t>(byte))) ++byte;
    if (static_cast<char>(byte) == kControlBegin) break;
    bytes.push_back(static_cast<char>(byte));
    reached = masks_->language().step(reached, static_cast<std::uint8_t>(byte));
  }
  return bytes;
}

}  // namespace heed::grammar
