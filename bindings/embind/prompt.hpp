// Prompts in parts (Prompt in bindings/js/types/text.ts), and how those with images become tokens: for JavaScript, PictureReading.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "convert.hpp"
#include "engine/projector.hpp"

namespace heed::bindings {

/// Strings, { control }, { ids } and { image, maxImageTokens }. The pieces refer to what it owns.
class PromptParts {
 public:
  /// Throws invalid_argument for an image without pixels, with too many, or with another number of bytes.
  explicit PromptParts(const val& parts);

  std::span<const runtime::PromptPiece> pieces() const noexcept { return pieces_; }
  /// The parts before the first image.
  std::span<const tokenizer::PromptPart> text() const noexcept { return pieces_.front().text; }

 private:
  std::deque<std::string> texts_;
  std::deque<std::vector<tokenizer::TokenId>> lists_;
  std::deque<images::Picture> pictures_;
  std::vector<runtime::PromptPiece> pieces_;
};

class PictureReading {
 public:
  explicit PictureReading(runtime::PictureTextReader reader) : reader_(std::move(reader)) {}

  bool done() { return reader_.done(); }
  void step() { reader_.step(); }
  /// They can be read as long as this, or a text with them, is there.
  val ids() { return copy(std::span(reader_.text().tokens)); }

 private:
  runtime::PictureTextReader reader_;
};

}  // namespace heed::bindings
