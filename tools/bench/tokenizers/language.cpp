#include "language.hpp"

#include <cmath>
#include <random>
#include <set>
#include <span>
#include <utility>

#include "tokenizer/byte_alphabet.hpp"

namespace heed::bench {
namespace {

using Strings = formats::Metadata::Strings;

constexpr std::size_t kWords = 20000;
constexpr const char* kVisibleSpace = "\u2581";

std::string joined(std::span<const std::string> parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

// Tokens in order, each once, and the merges that create them from two others.
class Tokens {
 public:
  void add(const std::string& text, float score) {
    if (!known_.insert(text).second) return;
    texts_.push_back(text);
    scores_.push_back(score);
    kinds_.push_back(1);
  }
  void add_control(const std::string& text, std::int64_t kind = 3) {
    add(text, 0);
    kinds_.back() = kind;
  }

  /// Merges the parts from left to right; the last one ends with `end`. Scores are log probabilities by
  /// Zipf's law.
  void merge(std::vector<std::string> parts, const std::string& end = {}) {
    parts.back() += end;
    std::string left = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (!known_.contains(left + parts[i])) merges_.push_back(left + " " + parts[i]);
      left += parts[i];
      add(left, -std::log(10 * static_cast<float>(texts_.size())));
    }
  }

  formats::Metadata metadata(const std::string& model) {
    formats::Metadata metadata;
    metadata.set("tokenizer.ggml.model", model);
    metadata.set("tokenizer.ggml.tokens", std::move(texts_));
    metadata.set("tokenizer.ggml.token_type", std::move(kinds_));
    metadata.set("tokenizer.ggml.scores", std::move(scores_));
    metadata.set("tokenizer.ggml.merges", std::move(merges_));
    return metadata;
  }

 private:
  std::set<std::string> known_;
  Strings texts_, merges_;
  formats::Metadata::Floats scores_;
  formats::Metadata::Integers kinds_;
};

std::vector<std::string> letters_of(const std::string& text) {
  std::vector<std::string> letters;
  for (char c : text) letters.emplace_back(1, c);
  return letters;
}

std::string stand_in(int byte) {
  std::string text;
  utf8::append(text, tokenizer::kCharacterOfByte[static_cast<std::size_t>(byte)]);
  return text;
}

}  // namespace

Language::Language() {
  for (const char* onset : {"", "b", "br", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "st", "t", "th", "w"})
    for (const char* vowel : {"a", "e", "i", "o", "u", "ea", "ou"})
      for (const char* coda : {"", "n", "r", "s", "t", "nd"}) syllables_.push_back(std::string(onset) + vowel + coda);
  std::mt19937 random(1);
  std::set<std::string> known;
  while (words_.size() < kWords) {
    Word word;
    const std::size_t length = words_.size() < 100 ? 1 : 2 + random() % 2;
    while (word.size() < length) word.push_back(syllables_[random() % syllables_.size()]);
    if (known.insert(joined(word)).second) words_.push_back(std::move(word));
  }
}

std::string Language::text(std::size_t bytes) const {
  std::mt19937 random(2);
  const auto one_in = [&](unsigned n) { return random() % n == 0; };
  std::string text;
  text.reserve(bytes + 64);
  for (bool first = true; text.size() < bytes;) {
    const double share = static_cast<double>(random()) / 4294967296.0;
    std::string word = joined(words_[static_cast<std::size_t>(std::pow(kWords, share)) - 1]);
    if (one_in(30)) word += syllables_[random() % syllables_.size()] + syllables_[random() % syllables_.size()];
    if (first || one_in(40)) word[0] = static_cast<char>(word[0] - 'a' + 'A');
    if (one_in(50)) word += "'s";
    if (one_in(60)) word = std::to_string(random() % 3000);
    text += word;
    first = one_in(12);
    text += first ? (one_in(5) ? ".\n" : ". ") : one_in(15) ? ", " : " ";
  }
  text.resize(bytes);
  return text;
}

formats::Metadata Language::vocabulary(const std::string& model) const {
  Tokens tokens;
  const bool byte_level = model == "gpt2" || model == "clip";
  if (model == "bert") {
    for (const char* name : {"[PAD]", "[UNK]", "[CLS]", "[SEP]"}) tokens.add_control(name);
  } else if (!byte_level) {
    tokens.add_control(model == "t5" ? "<pad>" : "<unk>", model == "t5" ? 3 : 2);
    tokens.add_control(model == "t5" ? "</s>" : "<s>");
    tokens.add_control(model == "t5" ? "<unk>" : "</s>", model == "t5" ? 2 : 3);
    tokens.add(kVisibleSpace, -20);
  }
  for (int byte = byte_level ? 0 : '!'; byte < (byte_level ? 256 : 0x7F); ++byte) {
    const std::string letter = byte_level ? stand_in(byte) : std::string(1, static_cast<char>(byte));
    tokens.add(letter, -20);
    if (model == "clip") tokens.add(letter + "</w>", -20);
    if (model == "bert") tokens.add(kVisibleSpace + letter, -20);
  }
  const std::string space = model == "gpt2" ? stand_in(' ') : model == "clip" ? "" : kVisibleSpace;
  for (const std::string& syllable : syllables_) {
    tokens.merge(letters_of(syllable));
    if (model == "clip") tokens.merge(letters_of(syllable), "</w>");
  }
  for (const Word& word : words_) {
    std::vector<std::string> parts = word;
    if (model == "clip") {
      tokens.merge(parts, "</w>");
    } else {
      parts.insert(parts.begin(), space);
      tokens.merge(parts);
    }
  }
  if (model == "clip") {
    tokens.add_control("<|startoftext|>");
    tokens.add_control("<|endoftext|>");
  }
  formats::Metadata metadata = tokens.metadata(model);
  if (model == "gpt2") metadata.set("tokenizer.ggml.pre", std::string("llama-bpe"));
  if (model == "gpt2") metadata.set("tokenizer.ggml.add_bos_token", false);
  if (model == "t5") metadata.set("tokenizer.ggml.remove_extra_whitespaces", true);
  if (model == "t5") metadata.set("tokenizer.ggml.add_space_prefix", true);
  if (model == "bert") {
    metadata.set("tokenizer.ggml.unknown_token_id", std::int64_t{1});
    metadata.set("tokenizer.ggml.bos_token_id", std::int64_t{2});
    metadata.set("tokenizer.ggml.seperator_token_id", std::int64_t{3});
  }
  return metadata;
}

}  // namespace heed::bench
