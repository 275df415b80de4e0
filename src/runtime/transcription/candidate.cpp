#include "runtime/transcription/candidate.hpp"

#include <algorithm>
#include <limits>

#include "base/deterministic_math.hpp"

namespace heed::runtime {
namespace {

constexpr std::size_t kCompared = 32;  // tokens whose entropy is computed
constexpr double kLeastEntropy = 2.4;

}  // namespace

Candidate::Candidate(const tokenizer::WhisperTokens& special, const TranscribeOptions& options, bool timed, WindowPlace place,
                     std::size_t most, float temperature)
    : special_(special),
      max_tokens_(options.max_tokens),
      single_(options.single_segment),
      timed_(timed),
      place_(place),
      most_(most),
      temperature_(temperature) {}

bool Candidate::add(const SampledToken& token) {
  tokens_.push_back(token);
  const std::size_t count = tokens_.size();
  if (token.id > special_.first_time) {  // 0.00 itself neither ends a segment nor moves the window
    shift_ = 2 * static_cast<std::size_t>(token.id - special_.first_time);
    kept_ = count;
    has_time_ = true;
  }
  cut_ = max_tokens_ > 0 && count > max_tokens_;
  if (token.id == special_.end || cut_ || (has_time_ && place_.ends_after(shift_))) {
    failed_ = kept_ == 0 && timed_ && !place_.ends_after(shift_);
    if (failed_) return true;
    if (kept_ == 0) kept_ = count;
    if (single_ || !timed_) {
      kept_ = count;
      shift_ = kWindowFrames;
    }
    return true;
  }
  if (count < most_) return false;
  failed_ = kept_ == 0 || shift_ < kWindowFrames / 2;
  return true;
}

std::size_t Candidate::next_shift() const noexcept {
  const auto ids = of_segments();
  const bool single = ids.size() > 1 && !cut_ && ids.back().id > special_.first_time &&
                      ids[ids.size() - 2].id < special_.first_time;
  return single ? std::min(place_.end - place_.seek, kWindowFrames) : shift_;
}

double Candidate::mean_logprob() const noexcept {
  if (failed_ || kept_ == 0) return -std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const SampledToken& token : kept()) sum += static_cast<double>(token.logprob);
  return sum / static_cast<double>(kept_);
}

bool Candidate::repeats() const {
  if (kept_ <= kCompared) return false;
  const auto last = kept().last(kCompared);
  double entropy = 0;
  for (const SampledToken& token : last) {
    const auto count = static_cast<double>(std::ranges::count(last, token.id, &SampledToken::id));
    entropy -= deterministic_log(count / kCompared) / kCompared;  // equal tokens together add -p ln(p)
  }
  return entropy < kLeastEntropy;
}

}  // namespace heed::runtime
