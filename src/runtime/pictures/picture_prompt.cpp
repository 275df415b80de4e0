#include "runtime/pictures/picture_prompt.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "images/layout.hpp"
#include "tokenizer/find.hpp"

namespace heed::runtime {
namespace {

using tokenizer::TokenId;

/// `text` with `value` in place of `name`.
std::string with_number(std::string text, std::string_view name, std::size_t value) {
  if (const std::size_t at = text.find(name); at != std::string::npos) text.replace(at, name.size(), std::to_string(value));
  return text;
}

class PromptReader {
 public:
  explicit PromptReader(const tokenizer::Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  void add_text(std::span<const tokenizer::PromptPart> parts) {
    if (!parts.empty()) add(tokenizer_.encode(parts, false));
  }

  void add_picture(const images::Layout& layout, const TileRun& run) {
    const nn::MarkerSpec& markers = run.spec().markers;
    add_marker(markers.before);
    for (std::size_t row = 0; row < layout.rows; ++row) {
      for (std::size_t column = 0; column < layout.columns; ++column) {
        if (layout.overview) add_marker(with_number(with_number(std::string(markers.tile), "ROW", row + 1), "COLUMN", column + 1));
        add_tile(layout.tile(), run);
      }
      if (layout.overview) add_token(row + 1 < layout.rows ? markers.line : markers.grid);
    }
    if (layout.overview) {
      add_marker(markers.overview);
      add_tile(*layout.overview, run);
    }
    add_marker(markers.after);
  }

  void add_sound(const std::shared_ptr<const HeardSound>& sound, const SoundRun& run) {
    add_marker(run.spec().markers.before);
    for (std::size_t i = 0; const std::size_t rows : run.rows(sound->count))
      chunks_.push_back({.grid = {.rows = rows, .in_time = true}, .part = {sound, i++}});
    add_marker(run.spec().markers.after);
  }

  std::size_t count() const noexcept {
    std::size_t count = 0;
    for (const PromptChunk& chunk : chunks_) count += chunk.positions(false);
    return count;
  }

  /// The chunks. If add_special, includes the tokens that the vocabulary puts around a text.
  std::vector<PromptChunk> finish(bool add_special) {
    if (!add_special) return std::move(chunks_);
    const std::string_view text = "a";
    const std::vector<TokenId> inner = tokenizer_.encode(text, {.add_special = false}), whole = tokenizer_.encode(text);
    const auto at = std::search(whole.begin(), whole.end(), inner.begin(), inner.end());
    if (at != whole.begin() && at != whole.end()) {
      if (chunks_.empty() || chunks_.front().has_rows()) chunks_.insert(chunks_.begin(), PromptChunk{});
      chunks_.front().tokens.insert(chunks_.front().tokens.begin(), whole.begin(), at);
    }
    if (at != whole.end()) add({at + static_cast<std::ptrdiff_t>(inner.size()), whole.end()});
    return std::move(chunks_);
  }

 private:
  void add_marker(std::string_view text) {
    const tokenizer::PromptPart part = tokenizer::ControlText{text};
    if (!text.empty()) add_text({&part, 1});
  }

  void add(std::vector<TokenId> tokens) {
    if (tokens.empty()) return;
    if (chunks_.empty() || chunks_.back().has_rows()) chunks_.emplace_back();
    std::vector<TokenId>& last = chunks_.back().tokens;
    last.insert(last.end(), tokens.begin(), tokens.end());
  }

  void add_tile(images::Size tile, const TileRun& run) { chunks_.push_back({.tile = tile, .grid = run.grid(tile)}); }

  /// Adds the token with this text, without tokenizing it.
  void add_token(std::string_view text) {
    if (text.empty()) return;
    if (const std::optional<TokenId> token = tokenizer::find_token(tokenizer_, text)) return add({*token});
    throw Error(ErrorCode::unsupported,
                "lacks a token of " + std::to_string(text.size()) + " line feeds, which tiles of images need",
                "tokenizer.ggml.tokens");
  }

  const tokenizer::Tokenizer& tokenizer_;
  std::vector<PromptChunk> chunks_;
};

}  // namespace

namespace {

[[noreturn]] void refuse_marks(std::size_t marks, std::string_view mark, std::size_t given, const char* what) {
  throw Error(ErrorCode::invalid_argument,
              "has " + std::to_string(marks) + " marks " + std::string(mark) + " for " + std::to_string(given) + what, "prompt");
}

}  // namespace

std::vector<PromptPiece> split_at_marks(std::string_view prompt, std::span<const images::Picture> pictures,
                                        std::span<const std::shared_ptr<const HeardSound>> sounds) {
  std::vector<PromptPiece> pieces;
  std::size_t seen = 0, heard = 0;
  for (;;) {
    const std::size_t picture = prompt.find(kPictureMark), sound = sounds.empty() ? prompt.npos : prompt.find(kSoundMark);
    const std::size_t at = std::min(picture, sound);
    PromptPiece& piece = pieces.emplace_back();
    if (at != 0 && !prompt.empty()) piece.text = {tokenizer::ControlText{prompt.substr(0, at)}};
    if (at == std::string_view::npos) break;
    if (at == picture && seen++ < pictures.size()) piece.picture = &pictures[seen - 1];
    if (at == sound && heard++ < sounds.size()) piece.sound = sounds[heard - 1];
    prompt.remove_prefix(at + (at == picture ? kPictureMark : kSoundMark).size());
  }
  if (seen != pictures.size()) refuse_marks(seen, kPictureMark, pictures.size(), " images");
  if (heard != sounds.size()) refuse_marks(heard, kSoundMark, sounds.size(), " sounds");
  return pieces;
}

std::size_t count_tokens(const images::Layout& layout, const tokenizer::Tokenizer& tokenizer, const TileRun& run) {
  PromptReader reader(tokenizer);
  reader.add_picture(layout, run);
  return reader.count();
}

std::size_t count_tokens(std::size_t samples, const tokenizer::Tokenizer& tokenizer, const SoundRun& run) {
  PromptReader reader(tokenizer);
  reader.add_sound(std::make_shared<const HeardSound>(HeardSound{.count = samples}), run);
  return reader.count();
}

images::Layout layout_within(images::Size picture, std::size_t most_tokens, const tokenizer::Tokenizer& tokenizer,
                             const TileRun& run) {
  std::optional<images::Preparation> preparation = run.spec().preparation;
  std::size_t least = 0;
  while (preparation) {
    images::Layout layout = images::layout_of(*preparation, picture);
    if (most_tokens == 0) return layout;
    least = count_tokens(layout, tokenizer, run);
    if (least <= most_tokens) return layout;
    preparation = images::coarser(*preparation, picture);
  }
  throw Error(ErrorCode::invalid_argument,
              std::to_string(most_tokens) + " is too few: an image of " + std::to_string(picture.width) + " x " +
                  std::to_string(picture.height) + " pixels becomes at least " + std::to_string(least) + " tokens",
              "maxImageTokens");
}

std::vector<PromptChunk> read_prompt(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer,
                                     const Towers& towers, bool add_special) {
  PromptReader reader(tokenizer);
  for (const PromptPiece& piece : prompt) {
    reader.add_text(piece.text);
    if (piece.picture)
      reader.add_picture(layout_within(piece.picture->size, piece.most_tokens, tokenizer, towers.seeing()), towers.seeing());
    if (piece.sound) reader.add_sound(piece.sound, towers.hearing());
  }
  return reader.finish(add_special);
}

}  // namespace heed::runtime
