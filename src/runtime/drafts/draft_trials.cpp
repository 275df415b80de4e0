#include "runtime/drafts/draft_trials.hpp"

#include <utility>

namespace heed::runtime {

void DraftTrial::Rate::add(std::size_t more, double time) noexcept {
  constexpr double kKept = 0.9;
  tokens = tokens * kKept + static_cast<double>(more);
  seconds = seconds * kKept + time;
}

void DraftTrial::Rate::weaken() noexcept {
  constexpr double kWeight = 3;  // in tokens
  if (tokens <= kWeight) return;
  seconds *= kWeight / tokens;
  tokens = kWeight;
}

bool DraftTrial::Rate::falls_short_of(const Rate& other, double times) const noexcept {
  return other.tokens > 0 && tokens * times * other.seconds < other.tokens * seconds;
}

bool DraftTrial::opens() noexcept {
  constexpr double kFew = 5;  // in tokens; with fewer, the time of rounds with drafts tells nothing
  if (drafted_.tokens > kFew && drafted_.falls_short_of(plain_)) return false;
  if (--left_ > 0) return true;
  constexpr double kClear = 1.15;  // if drafts are faster by this factor, comparisons become rarer
  turns_ = plain_.falls_short_of(drafted_, kClear) ? std::min(2 * turns_, kMostTurns) : kLeastTurns;
  left_ = turns_;
  return false;
}

void DraftTrial::took(bool drafted, double seconds, std::size_t tokens) noexcept {
  if (drafted && drafted_.falls_short_of(plain_) && plain_.falls_short_of({static_cast<double>(tokens), seconds}))
    drafted_.weaken();  // this draft was faster than plain rounds: drafts may have become better
  (drafted ? drafted_ : plain_).add(tokens, seconds);
}

void DraftTrial::begin_text() noexcept {
  drafted_.weaken();
  plain_.weaken();
  turns_ = kLeastTurns;
  left_ = std::min(left_, turns_);
}

void DraftTrials::took(std::size_t texts, double seconds, std::size_t tokens) noexcept {
  const double spent = std::exchange(spent_, 0);
  if (texts > 0) of(texts).took(spent > 0, seconds + spent, tokens);
}

}  // namespace heed::runtime
