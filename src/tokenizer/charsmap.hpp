// The normalization of a SentencePiece model (usually a form of NFKC): tokenizer.ggml.precompiled_charsmap. It is a double-array trie of
// 32-bit units; each leaf has the offset of a replacement among zero-terminated texts. Units are as in darts-clone
// (https://github.com/s-yata/darts-clone), the layout as in SentencePiece's normalizer.cc
// (https://github.com/google/sentencepiece/blob/master/src/normalizer.cc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/metadata.hpp"

namespace heed::tokenizer {

class Charsmap {
 public:
  /// Without replacements if the file has none. Throws invalid_file if it is truncated, points beyond its end, has a cycle, or a key
  /// or a replacement of more than 1024 bytes.
  explicit Charsmap(const formats::Metadata& metadata);

  struct Replacement {
    std::size_t length;     // of the replaced text, in bytes
    std::string_view text;  // the replacement
  };
  /// The replacement of the longest prefix of `text` that has one.
  std::optional<Replacement> find(std::string_view text) const noexcept;

 private:
  void check() const;

  std::vector<std::uint32_t> units_;
  std::string texts_;
};

}  // namespace heed::tokenizer
