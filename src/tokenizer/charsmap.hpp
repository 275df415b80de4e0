// The replacements that a SentencePiece model makes before it looks for tokens (its form of NFKC, as a rule):
// tokenizer.ggml.precompiled_charsmap. They are a double array of 32-bit units, whose leaves say where the
// replacement begins among texts that end with a zero byte. Layout of the units: darts-clone
// (https://github.com/s-yata/darts-clone); of the whole: SentencePiece's normalizer.cc
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
  /// Replaces nothing where the file has none. Throws invalid_file for one that is cut short, reaches beyond
  /// its end or has no end.
  explicit Charsmap(const formats::Metadata& metadata);

  struct Replacement {
    std::size_t length;     // of what is replaced, in bytes
    std::string_view text;  // by which
  };
  /// Of the longest beginning of `text` that has one.
  std::optional<Replacement> find(std::string_view text) const noexcept;

 private:
  void check() const;

  std::vector<std::uint32_t> units_;
  std::string texts_;
};

}  // namespace heed::tokenizer
