// Prompts in parts (Prompt in bindings/js/types/text.ts), and their conversion to tokens. PictureReading is the JavaScript object
// that converts prompts with images or sounds.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convert.hpp"
#include "engine/projector.hpp"

namespace heed::bindings {

/// The parts of a prompt: strings, { control }, { ids }, { image, maxImageTokens } and { audio }, whose samples are at 16000 Hz.
/// The pieces refer to data of this object.
class PromptParts {
 public:
  /// A plan only needs the sizes of images and sounds, so its parts have neither pixels nor samples.
  enum class Use { read, plan };

  /// Throws invalid_argument for an image without pixels, with too many, or with a wrong number of bytes, and for a sound without
  /// samples or with a sample that is not a number.
  explicit PromptParts(const val& parts, Use use = Use::read);

  std::span<const runtime::PromptPiece> pieces() const noexcept { return pieces_; }
  /// The parts before the first image or sound.
  std::span<const tokenizer::PromptPart> text() const noexcept { return pieces_.front().text; }

 private:
  std::deque<std::string> texts_;
  std::deque<std::vector<tokenizer::TokenId>> lists_;
  std::deque<images::Picture> pictures_;
  std::vector<runtime::PromptPiece> pieces_;
};

class PictureReading {
 public:
  PictureReading(engine::Projector& projector, const val& parts, bool add_special)
      : parts_(parts), reader_(projector.begin_read(parts_->pieces(), add_special)) {}

  bool done() { return reader_.done(); }
  void step() {
    reader_.step();
    if (reader_.prepared()) parts_.reset();  // images may be hundreds of megabytes
  }
  /// The tokens. They are valid as long as this object, or a text with them, exists.
  val ids() { return copy(std::span(reader_.text().tokens)); }

 private:
  std::optional<PromptParts> parts_;
  runtime::PictureTextReader reader_;
};

}  // namespace heed::bindings
