// A made-up language with words as long and as often used as English ones (George Zipf's law), its texts, and
// vocabularies of about the size that models have: what tokenizers are measured on where no file is at hand.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "formats/metadata.hpp"

namespace heed::bench {

class Language {
 public:
  Language();

  /// Sentences of words, most of them common ones, some new, with names, numbers and marks between.
  std::string text(std::size_t bytes) const;

  /// For tokenizer.ggml.model: "llama", "gpt2", "t5", "bert" or "clip".
  formats::Metadata vocabulary(const std::string& model) const;

 private:
  using Word = std::vector<std::string>;  // its syllables

  std::vector<std::string> syllables_;
  std::vector<Word> words_;  // the commonest first
};

}  // namespace heed::bench
