// The tokens of a prompt with pictures: what read_prompt() plans, with the rows that the tower makes of each tile.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "images/tiles.hpp"
#include "runtime/pictures/picture_prompt.hpp"
#include "runtime/pictures/pictures.hpp"

namespace heed::runtime {

/// Throws unsupported for a model without a decoder, or with an encoder, and invalid_file for a projector whose rows it does not read.
void check_reads(const Model& model, const TileRun& run);

struct PictureText {
  std::vector<tokenizer::TokenId> tokens;
  std::vector<std::shared_ptr<const TileRows>> tiles;  // whose rows are among them, and which it holds
};

/// Reads a prompt in steps, so that other work can be done in between: first it makes the tiles of all pictures, then it runs the tower on
/// one after the other. The run and the rows that are known must outlive it.
class PictureTextReader {
 public:
  /// The prompt's pictures must stay until it is prepared. Throws what read_prompt throws.
  PictureTextReader(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer, TileRun& run, Pictures& known,
                    bool add_special = true);

  /// Whether all tiles are made.
  bool prepared() const noexcept { return picture_ == pictures_.size(); }
  bool done() const noexcept { return prepared() && chunk_ == chunks_.size(); }
  /// Makes some of the next tiles (images::TileMaker); or reads on to the end of the next tile that is not among `known` already, on which
  /// it runs the tower, or of the prompt. Throws what TileRun throws, and out_of_memory.
  void step();
  /// What has been read: all of the prompt, once it is done.
  const PictureText& text() const noexcept { return text_; }

 private:
  struct LaidOut {
    const images::Picture* picture;
    images::Layout layout;
  };

  void prepare();

  TileRun& run_;
  Pictures& known_;
  std::vector<PromptChunk> chunks_;
  std::vector<LaidOut> pictures_;
  std::size_t picture_ = 0;  // whose tiles are made next
  std::unique_ptr<images::TileMaker> maker_;
  std::vector<images::Picture> tiles_;  // in the order of the chunks
  std::size_t chunk_ = 0, tile_ = 0;    // that come next
  PictureText text_;
};

/// The tokens of a prompt, with -1 in place of each row of a tile. Needs no pixels. Throws what read_prompt throws.
std::vector<tokenizer::TokenId> plan_text(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer,
                                          const TileRun& run, bool add_special = true);

/// Reads all of a prompt.
PictureText read_text(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer, TileRun& run, Pictures& known,
                      bool add_special = true);

}  // namespace heed::runtime
