// Prints where a prompt's tokens, images and sounds are, for comparison with other engines.
#pragma once

#include <span>
#include <string>

#include "runtime/pictures/picture_prompt.hpp"

namespace heed::cli {

/// One line: {"chunks": [tokens or {"image" or "audio": rows, "positions": [[time, row, column], ...]}, ...], "n_past": positions}.
/// text_model: the file that says how the text is tokenized, and whether images have positions on several axes.
void print_chunks(const std::string& text_model, std::span<const runtime::PromptPiece> prompt, const runtime::Towers& towers);

}  // namespace heed::cli
