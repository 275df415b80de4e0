// Prompt lookup decoding (A. Saxena, 2023): finds the longest earlier match of the last tokens, and guesses the tokens that
// followed it. The matches are found as in LZ77.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "runtime/speculation/guesser.hpp"

namespace heed::runtime {

class LookupGuesser final : public Guesser {
 public:
  void accept(tokenizer::TokenId id) override;
  std::vector<Guess> guess(std::size_t most) const override;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr std::size_t kClasses = 8;

  void search();
  std::size_t common(std::size_t end) const noexcept;
  static std::size_t class_of(std::size_t length) noexcept;

  /// How often guesses were right for matches of similar length. Starts with a prior.
  struct Record {
    double right, all;
    double share() const noexcept { return right / all; }
  };
  std::vector<tokenizer::TokenId> tokens_;
  std::unordered_map<std::uint64_t, std::size_t> last_;  // by two adjacent tokens: the position after their last occurrence
  std::vector<std::size_t> earlier_;                     // by position: the one after the previous occurrence of the two tokens
  std::size_t next_ = kNone;                             // position of the token that is the next guess
  std::size_t length_ = 0;                               // length of the match that ends before next_
  std::array<Record, kClasses> records_ = {{{1, 8}, {1, 4}, {1, 3}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}};
};

}  // namespace heed::runtime
