#include "runtime/pictures/placed_tiles.hpp"

#include <string>
#include <utility>

#include "base/error.hpp"

namespace heed::runtime {
namespace {

using tokenizer::TokenId;

[[noreturn]] void refuse_row(TokenId id, const std::string& what) {
  throw Error(ErrorCode::invalid_argument, "token " + std::to_string(id) + what, "tokens");
}

}  // namespace

void PlacedTiles::cut(std::size_t length) noexcept {
  while (!places_.empty() && places_.back().begin >= length) places_.pop_back();
}

void PlacedTiles::read(std::span<const TokenId> ids, std::size_t position, const Pictures& pictures) {
  std::vector<Place> added;
  const Place* last = across(position);
  for (std::size_t i = 0; i < ids.size(); ++i, ++position) {
    const bool inside = last && position < last->end();
    if (inside && ids[i] != static_cast<TokenId>(last->tile->first + static_cast<TokenId>(position - last->begin)))
      refuse_row(ids[i], " comes before the last row of an image");
    if (inside || ids[i] >= 0) continue;
    std::shared_ptr<const TileRows> tile = pictures.find(ids[i]);
    if (!tile) refuse_row(ids[i], " is not in the vocabulary, nor a row of an image");
    if (tile->first != ids[i]) refuse_row(ids[i], " is not the first row of its image");
    added.push_back({position, std::move(tile)});
    last = &added.back();
  }
  cut(position - ids.size());
  places_.insert(places_.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
}

const PlacedTiles::Place* PlacedTiles::at(std::size_t position) const noexcept {
  for (const Place& place : places_)
    if (position >= place.begin && position < place.end()) return &place;
  return nullptr;
}

const PlacedTiles::Place* PlacedTiles::across(std::size_t position) const noexcept {
  const Place* const place = at(position);
  return place && place->begin < position ? place : nullptr;
}

const PlacedTiles::Place* PlacedTiles::split_at(std::size_t position) const noexcept {
  const Place* const place = across(position);
  return place && !place->tile->grid.in_time ? place : nullptr;
}

std::size_t PlacedTiles::whole(std::size_t position, std::size_t count) const noexcept {
  const Place* const cut = split_at(position + count);
  if (!cut) return count;
  return (cut->begin > position ? cut->begin : cut->end()) - position;
}

void PlacedTiles::describe(std::size_t position, std::size_t count, std::size_t row, PassPictures& pass) const noexcept {
  std::size_t saved = 0;  // rows minus positions, summed over the tiles so far
  auto next = places_.begin();
  const auto skip_before = [&](std::size_t at) {
    for (; next != places_.end() && next->end() <= at; ++next) saved += next->tile->grid.rows - next->tile->grid.positions(true);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = position + i, t = row + i;
    skip_before(at);
    if (next == places_.end() || at < next->begin) {
      const std::size_t place = at - saved;
      pass.coordinates[t] = {{place, place, place, place}};
      continue;
    }
    const TileRows& tile = *next->tile;
    pass.rows[t] = tile.row(at - next->begin);
    pass.coordinates[t] = tile.grid.coordinates(at - next->begin, next->begin - saved);
    if (!tile.grid.in_time) pass.tiles[t] = {next->begin, next->end()};
  }
}

}  // namespace heed::runtime
