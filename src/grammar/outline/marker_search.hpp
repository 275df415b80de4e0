// Finds the first of some markers in a text, byte by byte.
// Aho, Corasick: Efficient string matching, Communications of the ACM 18 (1975).
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
  using Place = std::uint32_t;  // how much of which markers was read last; 0: nothing
  static constexpr std::uint32_t kNone = UINT32_MAX;

  MarkerSearch() = default;
  /// No marker is empty. Of two that end at the same byte, the longer one is found.
  explicit MarkerSearch(std::span<const std::string> markers);

  /// Where a further byte leads. None: `byte` is not of UTF-8, and no marker goes on with it.
  std::optional<Place> step(Place from, std::uint8_t byte, bool any_byte) const;
  /// Which marker ends at a place, or kNone.
  std::uint32_t found(Place place) const noexcept { return places_[place].found; }

 private:
  struct PlaceOf {
    std::vector<std::pair<std::uint8_t, Place>> next;
    Place shorter = 0;  // the longest other place whose bytes this one ends with
    std::uint32_t found = kNone;
  };
  const Place* next(Place from, std::uint8_t byte) const noexcept;

  std::vector<PlaceOf> places_ = std::vector<PlaceOf>(1);
};

}  // namespace heed::grammar
