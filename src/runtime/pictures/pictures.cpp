#include "runtime/pictures/pictures.hpp"

#include <limits>
#include <utility>

#include "base/error.hpp"

namespace heed::runtime {
namespace {

using tokenizer::TokenId;

constexpr TokenId kLowest = std::numeric_limits<TokenId>::min();

}  // namespace

std::shared_ptr<const TileRows> Pictures::add(TileRows rows) {
  const std::size_t left = static_cast<std::size_t>(-std::int64_t{kLowest}) - used_;
  if (rows.grid.rows > left) throw Error(ErrorCode::out_of_memory, "no ids are left for the rows of images", "image");
  rows.first = static_cast<TokenId>(kLowest + static_cast<std::int64_t>(used_));
  std::erase_if(tiles_, [](const auto& tile) { return tile.expired(); });
  auto held = std::make_shared<const TileRows>(std::move(rows));
  tiles_.push_back(held);
  used_ += held->grid.rows;
  return held;
}

std::shared_ptr<const TileRows> Pictures::find(const images::Picture& tile) const {
  for (const auto& weak : tiles_)
    if (auto held = weak.lock(); held && !held->part.sound && held->tile.size == tile.size && held->tile.rgb == tile.rgb)
      return held;
  return nullptr;
}

std::shared_ptr<const TileRows> Pictures::find(const SoundPart& part) const {
  for (const auto& weak : tiles_)
    if (auto held = weak.lock(); held && held->part.sound && held->part.index == part.index && same(*held->part.sound, *part.sound))
      return held;
  return nullptr;
}

std::shared_ptr<const TileRows> Pictures::find(TokenId id) const {
  for (const auto& weak : tiles_)
    if (auto held = weak.lock();
        held && id >= held->first && std::int64_t{id} - held->first < static_cast<std::int64_t>(held->grid.rows))
      return held;
  return nullptr;
}

}  // namespace heed::runtime
