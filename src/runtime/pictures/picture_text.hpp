// The tokens of a prompt with pictures: what read_prompt() plans, with the rows that the tower makes of each tile.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/pictures/picture_prompt.hpp"
#include "runtime/pictures/pictures.hpp"

namespace heed::runtime {

/// Throws unsupported for a model without a decoder, and invalid_file for a projector whose rows it does not read.
void check_reads(const Model& model, const TileRun& run);

struct PictureText {
  std::vector<tokenizer::TokenId> tokens;
  std::vector<std::shared_ptr<const TileRows>> tiles;  // whose rows are among them, and which it holds
};

/// Runs the tower on the tiles that are not among `known` already. Throws what read_prompt and TileRun throw, and out_of_memory.
PictureText read_text(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer, TileRun& run, Pictures& known,
                      bool add_special = true);

}  // namespace heed::runtime
