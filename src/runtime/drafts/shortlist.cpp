#include "runtime/drafts/shortlist.hpp"

#include <algorithm>

namespace heed::runtime {

Shortlist::Shortlist(std::size_t vocabulary, std::size_t panel_rows)
    : panel_rows_(panel_rows), listed_((vocabulary + panel_rows - 1) / panel_rows) {
  constexpr std::size_t kPiece = 16;  // panels of a range: frequent ones are split into ranges, which threads divide
  const std::size_t frequent = (listed_.size() + kPart - 1) / kPart;
  for (std::size_t panel = 0; panel < frequent; panel += kPiece) ranges_.push_back({panel, std::min(panel + kPiece, frequent)});
  std::fill_n(listed_.begin(), frequent, true);
  first_ = ranges_.size();
  most_ = frequent;
  ranges_.reserve(first_ + most_);
}

void Shortlist::see(std::span<const tokenizer::TokenId> tokens, bool written) {
  for (const tokenizer::TokenId id : tokens) {
    if (id < 0 || panel_of(id) >= listed_.size()) continue;  // a row of an image or a sound
    const std::size_t panel = panel_of(id);
    if (written) covered_.add(listed_[panel]);
    if (listed_[panel]) continue;
    listed_[panel] = true;
    if (ranges_.size() < first_ + most_) {
      ranges_.push_back({panel, panel + 1});
      continue;
    }
    nn::PanelRange& oldest = ranges_[first_ + next_];
    next_ = (next_ + 1) % most_;
    listed_[oldest.begin] = false;
    oldest = {panel, panel + 1};
  }
}

}  // namespace heed::runtime
