// Finds the first of several markers in a text, byte by byte: the automaton of Aho and Corasick, "Efficient string matching",
// Communications of the ACM 18 (1975).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::grammar {

class MarkerSearch {
 public:
  using Place = std::uint32_t;  // a node: the longest suffix of the text that is a prefix of a marker; 0: the empty one
  static constexpr std::uint32_t kNone = UINT32_MAX;

  MarkerSearch() = default;
  /// Markers must not be empty. If two end at the same byte, the longer one is found.
  explicit MarkerSearch(std::span<const std::string> markers);

  /// The place after one more byte. Without `any_byte`, nullopt if the byte cannot occur in UTF-8 and does not continue a marker.
  std::optional<Place> step(Place from, std::uint8_t byte, bool any_byte) const;
  /// The marker that ends at a place, or kNone.
  std::uint32_t found(Place place) const noexcept { return places_[place].found; }

 private:
  struct PlaceOf {
    std::vector<std::pair<std::uint8_t, Place>> next;
    Place shorter = 0;  // the failure link: the longest proper suffix that is a place
    std::uint32_t found = kNone;
  };
  const Place* next(Place from, std::uint8_t byte) const noexcept;

  std::vector<PlaceOf> places_ = std::vector<PlaceOf>(1);
};

}  // namespace heed::grammar
