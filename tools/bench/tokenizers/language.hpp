// A made-up language whose words are as long and as frequent as English ones (Zipf's law), texts in it, and vocabularies of typical
// size: the benchmark's default material for tokenizers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "formats/metadata.hpp"

namespace heed::bench {

class Language {
 public:
  Language();

  /// Sentences of words, mostly common ones and some new ones, with names, numbers and punctuation.
  std::string text(std::size_t bytes) const;

  /// For tokenizer.ggml.model: "llama", "gpt2", "t5", "bert" or "clip".
  formats::Metadata vocabulary(const std::string& model) const;

 private:
  using Word = std::vector<std::string>;  // its syllables

  std::vector<std::string> syllables_;
  std::vector<Word> words_;  // most frequent first
};

}  // namespace heed::bench
