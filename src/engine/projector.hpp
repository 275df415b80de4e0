// A projector for an engine's text model: converts prompts with images and sounds to tokens. An engine has at most one, because it
// recognizes images by their pixels, and sounds by their samples.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "audio/wav.hpp"
#include "engine/engine.hpp"
#include "runtime/pictures/picture_text.hpp"

namespace heed::engine {

/// The source of an image's token.
struct PictureToken {
  std::size_t tile;        // index of the tile, in the order of the prompt; the last one shows the whole image
  images::Rectangle area;  // in the image, in pixels (runtime::TileRun::areas)
};

///     Projector projector(engine, runtime::load_file("mmproj.gguf", {}, &runtime::kProjectorFile));
///     const auto prompt = projector.read(runtime::split_at_marks("<image> What is this?", {&image, 1}));
///     engine.begin({prompt.tokens});
class Projector {
 public:
  /// A loader of the file. It runs on the engine's threads, and uses at most the bytes that the engine has for texts. Loading must
  /// finish before the engine generates.
  static std::unique_ptr<runtime::Loader> loader(const Engine& engine);

  /// Converts images and sounds with a loaded file, whose memory reduces the bytes for texts. The engine must outlive this object.
  /// Throws unsupported for a file without a projector, invalid_file if its rows do not fit the engine's model, and out_of_memory.
  Projector(Engine& engine, std::unique_ptr<runtime::Model> file);

  /// Converts a prompt. Runs the towers on images and sounds whose rows are not in memory, which takes seconds for a large one. The
  /// memory for the largest tile and the longest sound so far reduces the bytes for texts. The tokens are valid as long as the
  /// result, or a session or cached text with them, exists. Throws invalid_argument for an image that the tower does not support,
  /// and for a sound that is too short; unsupported for an image or a sound without a tower for it, and for a vocabulary without a
  /// token that a tile needs; and out_of_memory.
  runtime::PictureText read(std::span<const runtime::PromptPiece> prompt, bool add_special = true);

  /// As read(), but in steps; all memory is taken at the beginning. The prompt's images must stay valid until the reader is
  /// prepared.
  runtime::PictureTextReader begin_read(std::span<const runtime::PromptPiece> prompt, bool add_special = true);

  /// The tokens of a prompt, with -1 for each row of an image or a sound. Reads neither pixels nor samples. Throws as read() does.
  std::vector<tokenizer::TokenId> plan(std::span<const runtime::PromptPiece> prompt, bool add_special = true) const;

  /// The number of tokens of an image of this size in a prompt, including those around it, within a bound (runtime::PromptPiece).
  /// Throws as read() does.
  std::size_t tokens(images::Size picture, std::size_t most_tokens = 0) const;

  /// The sources of the tokens of an image of this size, without the tokens around them. Throws as read() does.
  std::vector<PictureToken> picture_tokens(images::Size picture, std::size_t most_tokens = 0) const;

  /// The number of tokens of a sound of this many samples at audio::kRate, including those around it. Throws as read() does.
  std::size_t sound_tokens(std::size_t samples) const;
  /// The number of tokens for the sound itself, without those around it.
  std::size_t sound_rows(std::size_t samples) const;
  /// Converts a sound to samples at audio::kRate. Throws invalid_argument as audio::check_sound() does, and for a sound that is too
  /// short; context_overflow, before converting, for a sound that is longer than the context; unsupported; out_of_memory.
  std::vector<float> hear(const audio::Sound& sound) const;

  /// Whether it converts images, and whether sounds.
  bool sees() const noexcept { return tiles_.has_value(); }
  bool hears() const noexcept { return sounds_.has_value(); }

 private:
  void take_bytes(std::span<const runtime::PromptPiece> prompt);

  Engine& engine_;
  std::unique_ptr<runtime::Model> file_;
  std::optional<runtime::TileRun> tiles_;
  std::optional<runtime::SoundRun> sounds_;
  runtime::Towers towers_;                          // tiles_ and sounds_
  std::uint64_t tile_bytes_ = 0, sound_bytes_ = 0;  // bytes taken so far, for the largest tile and the longest sound
};

}  // namespace heed::engine
