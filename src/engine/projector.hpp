// A projector beside an engine's text model: prompts with pictures become tokens that the engine generates from. An engine has one at
// most: it finds pictures again by their pixels.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/engine.hpp"
#include "runtime/pictures/picture_text.hpp"

namespace heed::engine {

/// A token of a picture: what it was made from.
struct PictureToken {
  std::size_t tile;        // of the picture, in the order of the prompt; the last one shows all of it
  images::Rectangle area;  // of the picture, in pixels (runtime::TileRun::areas)
};

///     Projector projector(engine, runtime::load_file("mmproj.gguf", {}, &runtime::kProjectorFile));
///     const auto prompt = projector.read(runtime::split_at_marks("<image> What is this?", {&picture, 1}));
///     engine.begin({prompt.tokens});
class Projector {
 public:
  /// A loader of its file, which runs on the engine's threads and needs no more than the bytes that the engine has for texts. The file has
  /// to be complete before the engine generates.
  static std::unique_ptr<runtime::Loader> loader(const Engine& engine);

  /// The file's bytes are taken from those for texts. Throws unsupported for a file without a projector, invalid_file for one whose rows
  /// the engine's model does not read, and out_of_memory. The engine must outlive it.
  Projector(Engine& engine, std::unique_ptr<runtime::Model> file);

  /// Runs the tower on the pictures whose rows nothing holds yet: seconds, for a large one. What the tower needs for the largest tile so far
  /// is taken from the bytes for texts. The tokens can be read as long as the result,
  /// or a session or cached text with them, is there. Throws invalid_argument for a picture that the tower does not read, unsupported for
  /// a vocabulary that lacks a token that a tile needs, and out_of_memory.
  runtime::PictureText read(std::span<const runtime::PromptPiece> prompt, bool add_special = true);

  /// The same in steps; memory is taken at once. The prompt's pictures must stay until the reader is prepared.
  runtime::PictureTextReader begin_read(std::span<const runtime::PromptPiece> prompt, bool add_special = true);

  /// The tokens of a prompt, with -1 for each of a picture, whose pixels are not read. Throws as read() does.
  std::vector<tokenizer::TokenId> plan(std::span<const runtime::PromptPiece> prompt, bool add_special = true) const;

  /// How many tokens a picture of this size is in a prompt, those around it included, within a bound (runtime::PromptPiece). Throws as
  /// read() does.
  std::size_t tokens(images::Size picture, std::size_t most_tokens = 0) const;

  /// Where the tokens of such a picture come from, without those around it. Throws as read() does.
  std::vector<PictureToken> picture_tokens(images::Size picture, std::size_t most_tokens = 0) const;

 private:
  void take_bytes(std::span<const runtime::PromptPiece> prompt);

  Engine& engine_;
  std::unique_ptr<runtime::Model> file_;
  runtime::TileRun run_;
  std::uint64_t run_bytes_ = 0;  // that it takes
};

}  // namespace heed::engine
