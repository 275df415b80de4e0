// All loops have the same order on every target, so that results are bitwise equal.
#include "sampling/sampler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "base/deterministic_math.hpp"
#include "base/error.hpp"
#include "sampling/score.hpp"
#include "sampling/softmax.hpp"

namespace heed::sampling {
namespace {

void require(bool holds, const char* range, const char* option) {
  if (!holds) throw Error(ErrorCode::invalid_argument, std::string("must be ") + range, option);
}

std::size_t index(TokenId id) { return static_cast<std::size_t>(id); }

constexpr std::size_t kWordBits = 64;

/// Sets the scores of tokens that are not allowed to kImpossible.
void keep_allowed(std::span<float> scores, TokenMask allowed) {
  for (const std::uint64_t word : allowed) {
    const std::span of_word = scores.first(std::min(kWordBits, scores.size()));
    if (word == 0) {
      std::ranges::fill(of_word, kImpossible);
    } else if (word != ~std::uint64_t{0}) {
      for (std::size_t bit = 0; bit < of_word.size(); ++bit)
        if ((word >> bit & 1) == 0) of_word[bit] = kImpossible;
    }
    scores = scores.subspan(of_word.size());
  }
}

TokenId lowest(TokenMask allowed) {
  const auto word = std::ranges::find_if(allowed, [](std::uint64_t bits) { return bits != 0; });
  if (word == allowed.end()) throw Error(ErrorCode::invalid_argument, "allows no token", "constraint");
  return static_cast<TokenId>((word - allowed.begin()) * static_cast<std::ptrdiff_t>(kWordBits) + std::countr_zero(*word));
}

}  // namespace

// Comparisons with NaN are false, so that NaN fails all of these checks.
void check(const SamplerOptions& options) {
  const auto finite = [](float value) { return std::isfinite(value); };
  require(options.temperature >= 0 && finite(options.temperature), "a finite number of at least 0", "temperature");
  require(options.top_p > 0 && options.top_p <= 1, "above 0 and at most 1", "top_p");
  require(options.min_p >= 0 && options.min_p < 1, "at least 0 and below 1", "min_p");
  require(options.repetition_penalty > 0 && finite(options.repetition_penalty), "a finite number above 0", "repetition_penalty");
  require(finite(options.frequency_penalty), "a finite number", "frequency_penalty");
  require(finite(options.presence_penalty), "a finite number", "presence_penalty");
  for (const auto& [id, bias] : options.logit_bias)
    require(bias < std::numeric_limits<float>::infinity(), "finite numbers or -infinity", "logit_bias");
}

Sampler::Sampler(SamplerOptions options, std::size_t vocabulary_size)
    : options_(std::move(options)), random_(options_.seed), scores_(vocabulary_size) {
  check(options_);
  std::vector<bool> banned(vocabulary_size);
  for (const auto& [id, bias] : options_.logit_bias) {
    if (id < 0 || index(id) >= vocabulary_size)
      throw Error(ErrorCode::invalid_argument, "token " + std::to_string(id) + " is not in the vocabulary", "logit_bias");
    if (bias == kImpossible) banned[index(id)] = true;
  }
  const auto allowed = std::ranges::find(banned, false);
  require(allowed != banned.end(), "such that at least one token is left", "logit_bias");
  first_allowed_ = static_cast<TokenId>(allowed - banned.begin());
}

bool Sampler::has_penalties() const noexcept {
  const bool any = options_.repetition_penalty != 1 || options_.frequency_penalty != 0 || options_.presence_penalty != 0;
  return any && options_.penalty_window > 0;
}

void Sampler::accept(TokenId id) {
  if (id < 0 || index(id) >= scores_.size())
    throw Error(ErrorCode::invalid_argument, "token " + std::to_string(id) + " is not in the vocabulary");
  if (!has_penalties()) return;
  if (window_.size() < options_.penalty_window) {
    window_.push_back(id);
  } else {
    const auto oldest = counts_.find(std::exchange(window_[window_next_], id));
    if (--oldest->second == 0) counts_.erase(oldest);
    window_next_ = (window_next_ + 1) % window_.size();
  }
  ++counts_[id];
}

TokenId Sampler::sample(std::span<const float> logits, TokenMask allowed) {
  if (logits.size() != scores_.size())
    throw Error(ErrorCode::invalid_argument,
                "there are " + std::to_string(logits.size()) + " logits for " + std::to_string(scores_.size()) + " tokens");
  if (!allowed.empty() && allowed.size() != (scores_.size() + kWordBits - 1) / kWordBits)
    throw Error(ErrorCode::invalid_argument,
                "is a mask of " + std::to_string(allowed.size() * kWordBits) + " tokens for " + std::to_string(scores_.size()),
                "constraint");
  score(logits, allowed);
  const float best = best_score(scores_);
  if (best == kImpossible) return allowed.empty() ? first_allowed_ : lowest(allowed);
  if (options_.temperature == 0)  // the lowest id among equal scores
    return static_cast<TokenId>(std::ranges::find(scores_, best) - scores_.begin());
  keep_candidates(best);
  return draw(best);
}

void Sampler::score(std::span<const float> logits, TokenMask allowed) {
  std::ranges::transform(logits, scores_.begin(), usable_score);
  keep_allowed(scores_, allowed);
  for (const auto& [id, bias] : options_.logit_bias) scores_[index(id)] = usable_score(scores_[index(id)] + bias);
  for (const auto& [id, count] : counts_) {
    float& score = scores_[index(id)];
    score = score > 0 ? score / options_.repetition_penalty : score * options_.repetition_penalty;
    score -= static_cast<float>(count) * options_.frequency_penalty + options_.presence_penalty;
    score = usable_score(score);
  }
}

// Top-k, top-p and min-p each keep a prefix of the ranking: one loop finds the shortest.
void Sampler::keep_candidates(float best) {
  const auto weight = [this, best](TokenId id) { return softmax_weight(static_cast<double>(scores_[index(id)]) - best); };
  // p >= min_p * p_best is equivalent to score >= best + ln(min_p).
  const double least = options_.min_p > 0 ? best + deterministic_log(options_.min_p) : std::numeric_limits<float>::lowest();
  candidates_.clear();

  if (options_.top_k == 0 && options_.top_p == 1) {
    for (TokenId id = 0; index(id) < scores_.size(); ++id)
      if (scores_[index(id)] >= least) candidates_.push_back(id);
    return;
  }

  ranking_.assign(scores_);
  const std::size_t limit = options_.top_k > 0 ? std::min<std::size_t>(options_.top_k, scores_.size()) : scores_.size();
  double enough = std::numeric_limits<double>::infinity();
  if (options_.top_p < 1) {
    double total = 0;
    if (limit == scores_.size()) {
      total = softmax_total(scores_, best);
    } else {
      for (std::size_t rank = 0; rank < limit; ++rank) total += weight(ranking_[rank]);
    }
    enough = options_.top_p * total;
  }
  double mass = 0;
  for (std::size_t rank = 0; rank < limit && mass < enough; ++rank) {
    const TokenId id = ranking_[rank];
    if (scores_[index(id)] < least) break;
    candidates_.push_back(id);
    mass += weight(id);
  }
}

TokenId Sampler::draw(float best) {
  weights_.clear();
  double total = 0;
  for (const TokenId id : candidates_) {
    weights_.push_back(softmax_weight((static_cast<double>(scores_[index(id)]) - best) / options_.temperature));
    total += weights_.back();
  }
  double left = random_.uniform() * total;
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (weights_[i] == 0) continue;
    drawn = i;  // if rounding leaves `left` positive after all weights, the last non-zero one is drawn
    left -= weights_[i];
    if (left < 0) break;
  }
  return candidates_[drawn];
}

}  // namespace heed::sampling
