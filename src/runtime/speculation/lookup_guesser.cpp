#include "runtime/speculation/lookup_guesser.hpp"

#include <algorithm>

namespace heed::runtime {
namespace {

using tokenizer::TokenId;

constexpr std::size_t kLongest = 64;     // maximum length of a match
constexpr std::size_t kCandidates = 16;  // maximum number of matches to compare
constexpr double kWindow = 64;           // number of guesses in a class after which older ones count half

std::uint64_t pair_key(TokenId first, TokenId second) noexcept {
  return std::uint64_t{static_cast<std::uint32_t>(first)} << 32 | static_cast<std::uint32_t>(second);
}

}  // namespace

std::size_t LookupGuesser::class_of(std::size_t length) noexcept {
  constexpr std::size_t kFrom[kClasses] = {2, 3, 4, 5, 7, 11, 18, 32};
  return static_cast<std::size_t>(std::upper_bound(std::begin(kFrom), std::end(kFrom), length) - std::begin(kFrom)) - 1;
}

/// Each token tests whether a guess would have been right, even if the guess was not used.
void LookupGuesser::accept(TokenId id) {
  const bool guessed = next_ != kNone, right = guessed && tokens_[next_] == id;
  if (guessed) {
    Record& record = records_[class_of(length_)];
    record.right += right ? 1 : 0;
    record.all += 1;
    if (record.all > kWindow) record = {record.right / 2, record.all / 2};
  }
  tokens_.push_back(id);
  const std::size_t end = tokens_.size();
  earlier_.resize(end + 1, kNone);
  if (end >= 2) {
    const auto [place, fresh] = last_.try_emplace(pair_key(tokens_[end - 2], id), end);
    if (!fresh) earlier_[end] = std::exchange(place->second, end);
  }
  if (right) {
    ++next_;
    ++length_;
  } else {
    search();
  }
}

/// The length of the match between the tokens before `end` and the last ones of the text.
std::size_t LookupGuesser::common(std::size_t end) const noexcept {
  std::size_t length = 0;
  while (length < std::min(end, kLongest) && tokens_[end - 1 - length] == tokens_[tokens_.size() - 1 - length]) ++length;
  return length;
}

/// Finds the longest match, the most recent one if several are equally long.
void LookupGuesser::search() {
  next_ = kNone;
  length_ = 0;
  std::size_t place = earlier_.back();
  for (std::size_t i = 0; i < kCandidates && place != kNone; ++i, place = earlier_[place])
    if (const std::size_t length = common(place); length > length_) {
      length_ = length;
      next_ = place;
    }
}

std::vector<Guess> LookupGuesser::guess(std::size_t most) const {
  std::vector<Guess> guesses;
  if (next_ == kNone) return guesses;
  const std::size_t known = tokens_.size() - next_;
  for (std::size_t i = 0; i < most; ++i) {  // beyond the end of the text, the guesses repeat
    const TokenId id = i < known ? tokens_[next_ + i] : guesses[i - known].id;
    guesses.push_back({id, records_[class_of(length_ + i)].share()});
  }
  return guesses;
}

}  // namespace heed::runtime
