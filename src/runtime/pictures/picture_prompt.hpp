// Plans a prompt with images and sounds as a list of chunks: tokens, tiles, and parts of sounds. Towers later compute the rows of
// the tiles and of the parts.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "images/layout.hpp"
#include "runtime/pictures/row_grid.hpp"
#include "runtime/pictures/towers.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

/// Text, followed by an image, or by a sound, or by neither.
struct PromptPiece {
  std::vector<tokenizer::PromptPart> text = {};
  const images::Picture* picture = nullptr;
  std::shared_ptr<const HeardSound> sound = {};
  std::size_t most_tokens = 0;  // maximum number of tokens of the image, including its markers; 0: the model's own bounds
};

/// Mark the positions of images and sounds in a prompt given as one text, in which control tokens are recognized.
inline constexpr std::string_view kPictureMark = "<image>", kSoundMark = "<audio>";

/// Splits a prompt given as one text at its marks. If there are no sounds, kSoundMark is plain text. Throws invalid_argument if the
/// number of marks differs from the number of images or of sounds.
std::vector<PromptPiece> split_at_marks(std::string_view prompt, std::span<const images::Picture> pictures,
                                        std::span<const std::shared_ptr<const HeardSound>> sounds = {});

/// Tokens, a tile, or a part of a sound.
struct PromptChunk {
  std::vector<tokenizer::TokenId> tokens = {};
  images::Size tile = {};  // in pixels
  RowGrid grid = {};       // the rows of the tile, or of the part
  SoundPart part = {};

  bool is_tile() const noexcept { return tokens.empty() && !part.sound; }
  bool has_rows() const noexcept { return tokens.empty(); }
  /// The number of positions that the chunk occupies; axes: as in RowGrid.
  std::size_t positions(bool axes) const noexcept { return has_rows() ? grid.positions(axes) : tokens.size(); }
};

/// Lays out an image within a token limit (PromptPiece), with as many pixels as it allows (images::coarser). Throws
/// invalid_argument if the limit is below the image's minimum, and as read_prompt() does.
images::Layout layout_within(images::Size picture, std::size_t most_tokens, const tokenizer::Tokenizer& tokenizer,
                             const TileRun& run);

/// The number of tokens of a layout, including its markers.
std::size_t count_tokens(const images::Layout& layout, const tokenizer::Tokenizer& tokenizer, const TileRun& run);

/// The number of tokens of a sound of this many samples, including its markers. Throws invalid_argument if it is too short.
std::size_t count_tokens(std::size_t samples, const tokenizer::Tokenizer& tokenizer, const SoundRun& run);

/// Plans a prompt; only the sizes of images and sounds are read. If `add_special`, adds the tokens that the vocabulary puts around
/// a text. Throws invalid_argument for an image that the tower does not accept or that does not fit its token limit, and for a
/// sound that is too short; unsupported if the vocabulary lacks a marker of the tower, and for an image or a sound without a tower
/// for it.
std::vector<PromptChunk> read_prompt(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer,
                                     const Towers& towers, bool add_special = true);

}  // namespace heed::runtime
