// The tokens of a prompt with images and sounds: the plan of read_prompt(), with the rows that towers compute for each tile, and
// for each part of a sound.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "audio/features/features.hpp"
#include "images/tiles.hpp"
#include "runtime/pictures/picture_prompt.hpp"
#include "runtime/pictures/pictures.hpp"

namespace heed::runtime {

/// Throws unsupported for a model without a decoder or with an encoder, and invalid_file if the projector's rows do not fit the
/// model.
void check_reads(const Model& model, const Towers& towers);

struct PictureText {
  std::vector<tokenizer::TokenId> tokens;
  std::vector<std::shared_ptr<const TileRows>> tiles;  // keeps the tiles alive that have rows among the tokens
};

/// Reads a prompt in steps, so that other work can be done in between: first prepares the tiles of all images, then runs the towers
/// on one tile, or part of a sound, after the other. The towers and `known` must outlive it.
class PictureTextReader {
 public:
  /// The images of the prompt must stay alive until it is prepared. Throws as read_prompt does.
  PictureTextReader(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer, const Towers& towers,
                    Pictures& known, bool add_special = true);

  /// Whether all tiles have been prepared.
  bool prepared() const noexcept { return picture_ == pictures_.size(); }
  bool done() const noexcept { return prepared() && chunk_ == chunks_.size(); }
  /// Until all tiles are prepared, prepares some more (images::TileMaker). Then runs a tower on the next tile or part that is not
  /// in `known`, and advances past it; without one, advances to the end of the prompt. Throws as TileRun and SoundRun do, and
  /// out_of_memory.
  void step();
  /// The part of the prompt that has been read; the whole prompt at the end.
  const PictureText& text() const noexcept { return text_; }

 private:
  struct LaidOut {
    const images::Picture* picture;
    images::Layout layout;
  };

  void prepare();
  std::vector<float> hear(const SoundPart& part);

  Towers towers_;
  Pictures& known_;
  std::vector<PromptChunk> chunks_;
  std::vector<LaidOut> pictures_;
  std::size_t picture_ = 0;  // the image whose tiles are prepared next
  std::unique_ptr<images::TileMaker> maker_;
  std::vector<images::Picture> tiles_;       // prepared, in the order of the chunks
  std::size_t chunk_ = 0, tile_ = 0;         // next to be read
  std::shared_ptr<const HeardSound> heard_;  // the sound that features_ are of
  std::optional<audio::Features> features_;
  PictureText text_;
};

/// The tokens of a prompt, with -1 for each row of a tile or a sound. Needs neither pixels nor samples. Throws as read_prompt does.
std::vector<tokenizer::TokenId> plan_text(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer,
                                          const Towers& towers, bool add_special = true);

/// Reads a whole prompt at once.
PictureText read_text(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer, const Towers& towers,
                      Pictures& known, bool add_special = true);

}  // namespace heed::runtime
