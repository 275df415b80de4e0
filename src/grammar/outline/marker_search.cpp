#include "grammar/outline/marker_search.hpp"

#include <algorithm>

#include "grammar/masks/token_texts.hpp"

namespace heed::grammar {

MarkerSearch::MarkerSearch(std::span<const std::string> markers) {
  for (std::uint32_t i = 0; i < markers.size(); ++i) {
    Place at = 0;
    for (const char character : markers[i]) {
      const auto byte = static_cast<std::uint8_t>(character);
      const Place* known = next(at, byte);
      const Place to = known ? *known : static_cast<Place>(places_.size());
      if (!known) {
        places_[at].next.emplace_back(byte, to);
        places_.emplace_back();
      }
      at = to;
    }
    if (places_[at].found == kNone) places_[at].found = i;
  }
  std::vector<Place> queue = {0};  // breadth-first
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Place from = queue[i];
    for (const auto& [byte, to] : places_[from].next) {
      queue.push_back(to);
      if (from != 0) places_[to].shorter = *step(places_[from].shorter, byte, true);
      if (places_[to].found == kNone) places_[to].found = places_[places_[to].shorter].found;
    }
  }
}

std::optional<MarkerSearch::Place> MarkerSearch::step(Place from, std::uint8_t byte, bool any_byte) const {
  for (Place at = from;; at = places_[at].shorter) {
    if (const Place* to = next(at, byte)) return *to;
    if (at == 0) break;
  }
  constexpr auto kFirstOfNoText = static_cast<std::uint8_t>(std::min<unsigned char>(static_cast<unsigned char>(kControlBegin),
                                                                                    static_cast<unsigned char>(kControlEnd)));
  if (!any_byte && byte >= kFirstOfNoText) return std::nullopt;
  return 0;
}

const MarkerSearch::Place* MarkerSearch::next(Place from, std::uint8_t byte) const noexcept {
  for (const auto& [other, to] : places_[from].next)
    if (other == byte) return &to;
  return nullptr;
}

}  // namespace heed::grammar
