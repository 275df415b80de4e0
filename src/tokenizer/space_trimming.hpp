// Special tokens that absorb adjacent white space: lstrip and rstrip in Hugging Face's vocabularies. GGUF has no such keys, so we
// recognize the models by name, as llama.cpp does, and Phi-3 also by its architecture.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "tokenizer/vocabulary.hpp"

namespace heed::tokenizer {

class SpaceTrimming {
 public:
  SpaceTrimming(const Vocabulary& vocabulary, const formats::Metadata& metadata);

  /// Whether the token absorbs the space before it, or after it.
  bool before(TokenId id) const noexcept { return id == before_; }
  bool after(TokenId id) const noexcept;

 private:
  std::optional<TokenId> before_;
  bool after_ = false;
  std::array<std::optional<TokenId>, 3> not_after_;
};

/// These trim ASCII white space: the first at the end of text[begin, end), returning the new end; the other from `begin` on,
/// returning the new beginning.
std::size_t end_without_space(std::string_view text, std::size_t begin, std::size_t end) noexcept;
std::size_t begin_without_space(std::string_view text, std::size_t begin) noexcept;

}  // namespace heed::tokenizer
