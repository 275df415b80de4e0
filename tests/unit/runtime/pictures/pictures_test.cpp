// Images as tokens: their ids, and where they are in a text.
#include "runtime/pictures/pictures.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "runtime/pictures/placed_tiles.hpp"
#include "support/errors.hpp"

using namespace heed;
using namespace heed::runtime;

namespace {

using TokenId = tokenizer::TokenId;
using Ids = std::vector<TokenId>;

TileRows tile_of(std::size_t columns, std::size_t lines, std::uint8_t shade) {
  TileRows tile{.tile = {{1, 1}, {shade, shade, shade}},
                .grid = {.rows = columns * lines, .columns = columns, .lines = lines},
                .width = 2,
                .values = {}};
  for (std::size_t i = 0; i < columns * lines * 2; ++i) tile.values.push_back(static_cast<float>(i));
  return tile;
}

Ids ids_of(const TileRows& tile) {
  Ids ids;
  for (std::size_t i = 0; i < tile.grid.rows; ++i) ids.push_back(tile.first + static_cast<TokenId>(i));
  return ids;
}

Ids joined(const std::vector<Ids>& parts) {
  Ids all;
  for (const Ids& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

TEST_CASE("each row of a picture has an id of its own below 0", "[runtime][vision]") {
  Pictures pictures;
  const auto first = pictures.add(tile_of(3, 2, 1)), second = pictures.add(tile_of(2, 2, 2));
  const Ids ids = joined({ids_of(*first), ids_of(*second)});
  for (std::size_t i = 0; i < ids.size(); ++i) {
    CHECK(ids[i] < 0);
    CHECK(pictures.find(ids[i]) == (i < 6 ? first : second));
    for (std::size_t j = 0; j < i; ++j) CHECK(ids[i] != ids[j]);
  }
  CHECK(pictures.find(second->first + 4) == nullptr);
  CHECK(pictures.find(-1) == nullptr);
  CHECK(pictures.find(7) == nullptr);
}

TEST_CASE("a picture is found by its pixels as long as anything holds it, and its ids are never another's", "[runtime][vision]") {
  Pictures pictures;
  auto first = pictures.add(tile_of(3, 2, 1));
  const TokenId id = first->first;
  CHECK(pictures.find(images::Picture{{1, 1}, {1, 1, 1}}) == first);
  CHECK(pictures.find(images::Picture{{1, 1}, {1, 1, 2}}) == nullptr);
  CHECK(pictures.find(images::Picture{{1, 2}, {1, 1, 1}}) == nullptr);
  first.reset();
  CHECK(pictures.find(images::Picture{{1, 1}, {1, 1, 1}}) == nullptr);
  CHECK(pictures.find(id) == nullptr);
  CHECK(pictures.add(tile_of(3, 2, 1))->first != id);
}

TEST_CASE("ids run out after two billion rows", "[runtime][vision]") {
  Pictures pictures;
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<TokenId>::max());
  const auto huge = pictures.add({.tile = {}, .grid = {.rows = kMost, .columns = kMost, .lines = 1}, .values = {}});
  CHECK(pictures.add(tile_of(1, 1, 1))->first == -1);
  test::check_throws(ErrorCode::out_of_memory, "image: no ids are left", [&] { pictures.add(tile_of(1, 1, 2)); });
}

TEST_CASE("on several axes a tile takes as many positions as its longer side", "[runtime][vision]") {
  Pictures pictures;
  const auto wide = pictures.add(tile_of(4, 2, 1)), high = pictures.add(tile_of(2, 3, 2));
  const Ids text = joined({{1, 2, 3}, ids_of(*wide), {4}, ids_of(*high), ids_of(*high), {5, 6}});
  PlacedTiles tiles;
  tiles.read(text, 0, pictures);
  PassPictures pass;
  pass.resize(text.size());
  tiles.describe(0, text.size(), 0, pass);

  const auto check_text = [&](std::size_t at, std::size_t place) {
    CHECK(pass.rows[at] == nullptr);
    for (const std::size_t value : pass.coordinates[at].values) CHECK(value == place);
    CHECK(pass.tiles[at].begin == pass.tiles[at].end);
  };
  const auto check_tile = [&](std::size_t begin, const TileRows& tile, std::size_t place) {
    for (std::size_t i = 0; i < tile.grid.rows; ++i) {
      CHECK(pass.rows[begin + i] == tile.values.data() + 2 * i);
      const nn::Coordinates at = pass.coordinates[begin + i];
      CHECK(at[nn::Axis::time] == place);
      CHECK(at[nn::Axis::row] == place + i / tile.grid.columns);
      CHECK(at[nn::Axis::column] == place + i % tile.grid.columns);
      CHECK(at[nn::Axis::other] == 0);
      CHECK(pass.tiles[begin + i].begin == begin);
      CHECK(pass.tiles[begin + i].end == begin + tile.grid.rows);
    }
  };
  for (std::size_t i = 0; i < 3; ++i) check_text(i, i);
  check_tile(3, *wide, 3);
  check_text(11, 7);
  check_tile(12, *high, 8);
  check_tile(18, *high, 11);
  check_text(24, 14);
  check_text(25, 15);

  for (std::size_t first = 0; first < text.size(); ++first) {  // any part, anywhere in a pass
    PassPictures part;
    part.resize(text.size() + 5);
    const std::size_t count = std::min<std::size_t>(text.size() - first, 7);
    tiles.describe(first, count, 5, part);
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(part.rows[5 + i] == pass.rows[first + i]);
      CHECK(std::ranges::equal(part.coordinates[5 + i].values, pass.coordinates[first + i].values));
      CHECK(part.tiles[5 + i].end == pass.tiles[first + i].end);
    }
  }
}

TEST_CASE("a pass with whole tiles ends before one that it would cut, or has it alone", "[runtime][vision]") {
  Pictures pictures;
  const auto tile = pictures.add(tile_of(5, 2, 1));
  const Ids text = joined({{1, 2}, ids_of(*tile), {3}, ids_of(*tile), {4}});
  PlacedTiles tiles;
  tiles.read(text, 0, pictures);
  CHECK(tiles.whole(0, 1) == 1);
  CHECK(tiles.whole(0, 2) == 2);
  for (std::size_t count = 3; count < 12; ++count) CHECK(tiles.whole(0, count) == 2);
  CHECK(tiles.whole(0, 12) == 12);
  CHECK(tiles.whole(0, 13) == 13);
  CHECK(tiles.whole(0, 14) == 13);
  for (std::size_t count = 1; count <= 10; ++count) CHECK(tiles.whole(2, count) == 10);
  CHECK(tiles.whole(2, 15) == 11);
}

TEST_CASE("a text has all rows of a tile, in their order, and is cut anywhere", "[runtime][vision]") {
  Pictures pictures;
  const auto tile = pictures.add(tile_of(2, 2, 1)), other = pictures.add(tile_of(2, 2, 2));
  const TokenId id = tile->first;
  PlacedTiles tiles;
  const auto refuses = [&](const Ids& ids, std::size_t position, const std::string& message) {
    test::check_throws(ErrorCode::invalid_argument, message, [&] { tiles.read(ids, position, pictures); });
  };
  refuses({1, -1}, 0, "tokens: token -1 is not in the vocabulary, nor a row of an image");
  refuses({1, id + 1}, 0, "is not the first row of its image");
  refuses({1, id, id + 2}, 0, "comes before the last row of an image");
  refuses({1, id, id + 1, 5}, 0, "token 5 comes before the last row of an image");
  refuses({1, id, id + 1, other->first}, 0, "comes before the last row of an image");
  CHECK(tiles.empty());

  tiles.read(Ids{1, id, id + 1}, 0, pictures);
  CHECK(tiles.at(1) == tiles.at(4));
  CHECK(tiles.at(0) == nullptr);
  CHECK(tiles.at(5) == nullptr);
  CHECK(tiles.across(1) == nullptr);
  CHECK(tiles.across(3)->begin == 1);
  CHECK(tiles.across(5) == nullptr);
  refuses({6}, 3, "token 6 comes before");
  tiles.read(Ids{id + 2, id + 3, 6}, 3, pictures);
  tiles.read(ids_of(*other), 6, pictures);
  CHECK(tiles.at(6)->tile == other);
  tiles.cut(7);
  CHECK(tiles.at(6)->tile == other);
  tiles.cut(6);
  CHECK(tiles.at(6) == nullptr);
  tiles.read(Ids{7}, 1, pictures);  // another text from there on
  CHECK(tiles.empty());
}
