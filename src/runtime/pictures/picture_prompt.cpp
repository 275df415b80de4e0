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
  PromptReader(const tokenizer::Tokenizer& tokenizer, const TileRun& run) : tokenizer_(tokenizer), run_(run) {}

  void add_text(std::span<const tokenizer::PromptPart> parts) {
    if (!parts.empty()) add(tokenizer_.encode(parts, false));
  }

  void add_picture(const images::Layout& layout) {
    const nn::MarkerSpec& markers = run_.spec().markers;
    add_marker(markers.before);
    for (std::size_t row = 0; row < layout.rows; ++row) {
      for (std::size_t column = 0; column < layout.columns; ++column) {
        if (layout.overview) add_marker(with_number(with_number(std::string(markers.tile), "ROW", row + 1), "COLUMN", column + 1));
        add_tile(layout.tile());
      }
      if (layout.overview) add_token(row + 1 < layout.rows ? markers.line : markers.grid);
    }
    if (layout.overview) {
      add_marker(markers.overview);
      add_tile(*layout.overview);
    }
    add_marker(markers.after);
  }

  /// The chunks; with the tokens that the vocabulary puts around a text if add_special.
  std::vector<PromptChunk> finish(bool add_special) {
    if (!add_special) return std::move(chunks_);
    const std::string_view text = "a";
    const std::vector<TokenId> inner = tokenizer_.encode(text, {.add_special = false}), whole = tokenizer_.encode(text);
    const auto at = std::search(whole.begin(), whole.end(), inner.begin(), inner.end());
    if (at != whole.begin() && at != whole.end()) {
      if (chunks_.empty() || chunks_.front().is_tile()) chunks_.insert(chunks_.begin(), PromptChunk{});
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
    if (chunks_.empty() || chunks_.back().is_tile()) chunks_.emplace_back();
    std::vector<TokenId>& last = chunks_.back().tokens;
    last.insert(last.end(), tokens.begin(), tokens.end());
  }

  void add_tile(images::Size tile) { chunks_.push_back({.tile = tile, .grid = run_.grid(tile)}); }

  /// Adds the token with this text, without tokenizing it.
  void add_token(std::string_view text) {
    if (text.empty()) return;
    if (const std::optional<TokenId> token = tokenizer::find_token(tokenizer_, text)) return add({*token});
    throw Error(ErrorCode::unsupported,
                "lacks a token of " + std::to_string(text.size()) + " line feeds, which tiles of images need",
                "tokenizer.ggml.tokens");
  }

  const tokenizer::Tokenizer& tokenizer_;
  const TileRun& run_;
  std::vector<PromptChunk> chunks_;
};

}  // namespace

std::vector<PromptPiece> split_at_marks(std::string_view prompt, std::span<const images::Picture> pictures) {
  std::vector<PromptPiece> pieces;
  std::size_t marks = 0;
  for (;; ++marks) {
    const std::size_t at = prompt.find(kPictureMark);
    PromptPiece& piece = pieces.emplace_back();
    if (at != 0 && !prompt.empty()) piece.text = {tokenizer::ControlText{prompt.substr(0, at)}};
    if (at == std::string_view::npos) break;
    if (marks < pictures.size()) piece.picture = &pictures[marks];
    prompt.remove_prefix(at + kPictureMark.size());
  }
  if (marks == pictures.size()) return pieces;
  throw Error(ErrorCode::invalid_argument,
              "has " + std::to_string(marks) + " marks " + std::string(kPictureMark) + " for " + std::to_string(pictures.size()) +
                  " images",
              "prompt");
}

std::size_t count_tokens(const images::Layout& layout, const tokenizer::Tokenizer& tokenizer, const TileRun& run) {
  PromptReader reader(tokenizer, run);
  reader.add_picture(layout);
  std::size_t count = 0;
  for (const PromptChunk& chunk : reader.finish(false)) count += chunk.positions(false);
  return count;
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

std::vector<PromptChunk> read_prompt(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer, const TileRun& run,
                                     bool add_special) {
  PromptReader reader(tokenizer, run);
  for (const PromptPiece& piece : prompt) {
    reader.add_text(piece.text);
    if (piece.picture) reader.add_picture(layout_within(piece.picture->size, piece.most_tokens, tokenizer, run));
  }
  return reader.finish(add_special);
}

}  // namespace heed::runtime
