// Plans a prompt with images: an alternation of tokens and of tiles, whose rows come from the vision tower.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "images/layout.hpp"
#include "runtime/pictures/row_grid.hpp"
#include "runtime/pictures/tile_run.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

/// Text, followed by an image; nullptr for no image.
struct PromptPiece {
  std::vector<tokenizer::PromptPart> text = {};
  const images::Picture* picture = nullptr;
  std::size_t most_tokens = 0;  // maximum number of tokens of the image, including its markers; 0: the model's own bounds
};

/// Marks the position of the next image in a prompt given as one text, in which control tokens are recognized.
inline constexpr std::string_view kPictureMark = "<image>";

/// The pieces of such a prompt. Throws invalid_argument if the number of marks differs from that of images.
std::vector<PromptPiece> split_at_marks(std::string_view prompt, std::span<const images::Picture> pictures);

/// Tokens or a tile.
struct PromptChunk {
  std::vector<tokenizer::TokenId> tokens = {};
  images::Size tile = {};  // in pixels
  RowGrid grid = {};       // the rows of the tile

  bool is_tile() const noexcept { return tokens.empty(); }
  /// The number of positions that it occupies; axes: as in RowGrid.
  std::size_t positions(bool axes) const noexcept { return is_tile() ? grid.positions(axes) : tokens.size(); }
};

/// Lays out an image within a token limit (PromptPiece), with as many pixels as it allows (images::coarser). Throws
/// invalid_argument if the limit is below the image's minimum, and as read_prompt() does.
images::Layout layout_within(images::Size picture, std::size_t most_tokens, const tokenizer::Tokenizer& tokenizer,
                             const TileRun& run);

/// The number of tokens of a layout, including its markers.
std::size_t count_tokens(const images::Layout& layout, const tokenizer::Tokenizer& tokenizer, const TileRun& run);

/// Plans a prompt; only the sizes of images are read. If `add_special`, adds the tokens that the vocabulary puts around a text.
/// Throws invalid_argument for an image that the tower does not accept or that does not fit its token limit, and unsupported if the
/// vocabulary lacks a marker of the tower.
std::vector<PromptChunk> read_prompt(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer, const TileRun& run,
                                     bool add_special = true);

}  // namespace heed::runtime
