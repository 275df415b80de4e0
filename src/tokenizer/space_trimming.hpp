// Special tokens that swallow the white space next to them. Hugging Face's vocabularies say so (lstrip and
// rstrip); GGUF does not, so, like llama.cpp, we go by the names of the models that are known to.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "tokenizer/vocabulary.hpp"

namespace heed::tokenizer {

class SpaceTrimming {
 public:
  SpaceTrimming(const Vocabulary& vocabulary, const formats::Metadata& metadata);

  /// Whether the space before the token goes, or that after it.
  bool before(TokenId id) const noexcept { return id == before_; }
  bool after(TokenId id) const noexcept;

 private:
  std::optional<TokenId> before_;
  bool after_ = false;
  std::array<std::optional<TokenId>, 3> not_after_;
};

/// Where text[begin, end) ends without the spaces at its end, and where `text` begins from `begin` on without
/// those at its beginning. Spaces of ASCII.
std::size_t end_without_space(std::string_view text, std::size_t begin, std::size_t end) noexcept;
std::size_t begin_without_space(std::string_view text, std::size_t begin) noexcept;

}  // namespace heed::tokenizer
