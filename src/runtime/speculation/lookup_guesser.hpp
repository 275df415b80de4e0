// Guesses from the text itself: what followed the last time that it came to the same words (prompt lookup decoding, A. Saxena,
// 2023; the search is that of LZ77).
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

  /// How often guesses were right after a match of some length; begins with an opinion.
  struct Record {
    double right, all;
    double share() const noexcept { return right / all; }
  };
  std::vector<tokenizer::TokenId> tokens_;
  std::unordered_map<std::uint64_t, std::size_t> last_;  // where two tokens stood last: position after them
  std::vector<std::size_t> earlier_;                     // by that position: where the same two stood before
  std::size_t next_ = kNone;                             // position of the token that is guessed
  std::size_t length_ = 0;                               // of the match before it
  std::array<Record, kClasses> records_ = {{{1, 8}, {1, 4}, {1, 3}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}};
};

}  // namespace heed::runtime
