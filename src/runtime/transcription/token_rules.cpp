#include "runtime/transcription/token_rules.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

#include "base/deterministic_math.hpp"
#include "sampling/logprobs.hpp"
#include "sampling/score.hpp"
#include "sampling/softmax.hpp"

namespace heed::runtime {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

/// Symbols that mark sounds other than speech: kSymbols with or without a space before them, kSpaced only with one.
constexpr std::string_view kSymbols =
    "\" # ( ) * + / : ; < = > @ [ \\ ] ^ _ ` { | } ~ 「 」 『 』 << >> <<< >>> -- --- -( -[ (' (\" (( )) ((( ))) [[ ]] {{ }} ♪♪ "
    "♪♪♪ ♩ "
    "♪ ♫ ♬ ♭ ♮ ♯";
constexpr std::string_view kSpaced[] = {" -", " '"};

std::size_t best_of(std::span<const float> logits) noexcept {
  const auto is_best = [best = sampling::best_score(logits)](float logit) { return sampling::usable_score(logit) == best; };
  return static_cast<std::size_t>(std::ranges::find_if(logits, is_best) - logits.begin());
}

}  // namespace

TokenRules::TokenRules(const tokenizer::Whisper& words, const TranscribeOptions& options, bool timed, std::size_t positions)
    : special_(words.special()),
      options_(options),
      timed_(timed),
      latest_first_(special_.first_time + static_cast<tokenizer::TokenId>((positions + 15) / 30)) {
  const auto add = [&](std::vector<tokenizer::TokenId>& to, std::string_view text) {
    if (const auto id = words.find(text)) to.push_back(*id);
  };
  never_ = {special_.no_timestamps, special_.start,      special_.no_speech, special_.turn,
            special_.translate,     special_.transcribe, special_.previous};
  for (tokenizer::TokenId i = 1; i <= 100; ++i) never_.push_back(special_.start + i);
  blank_.push_back(special_.end);
  add(blank_, " ");
  if (!options.suppress_non_speech) return;
  for (std::string_view rest = kSymbols; !rest.empty();) {
    const std::string symbol(rest.substr(0, rest.find(' ')));
    add(never_, symbol);
    add(never_, " " + symbol);
    rest.remove_prefix(std::min(rest.size(), symbol.size() + 1));
  }
  for (const std::string_view symbol : kSpaced) add(never_, symbol);
}

void TokenRules::suppress(std::span<float> logits, std::span<const SampledToken> before) const {
  const auto texts = logits.first(static_cast<std::size_t>(special_.end));
  const auto times = logits.subspan(static_cast<std::size_t>(special_.first_time));
  const auto forbid = [](std::span<float> some) { std::ranges::fill(some, kNever); };
  for (const tokenizer::TokenId id : never_) logits[static_cast<std::size_t>(id)] = kNever;
  if (before.empty() && options_.suppress_blank)
    for (const tokenizer::TokenId id : blank_) logits[static_cast<std::size_t>(id)] = kNever;
  if (!timed_) return forbid(times);
  if (options_.max_tokens > 0 && !options_.single_segment && before.size() >= options_.max_tokens) forbid(texts);
  // Timestamps come in pairs: the end of a segment, and the beginning of the next.
  if (!before.empty() && special_.is_time(before.back().id)) {
    if (before.size() < 2 || special_.is_time(before[before.size() - 2].id)) forbid(times);
    else forbid(texts);
  }
  if (before.empty()) forbid(logits.subspan(static_cast<std::size_t>(latest_first_) + 1));
  for (std::size_t i = before.size(); i-- > 0;)
    if (before[i].id > special_.first_time) {
      forbid(times.first(static_cast<std::size_t>(before[i].id - special_.first_time)));
      break;
    }
}

SampledToken TokenRules::sample(std::span<float> logits, std::span<const SampledToken> before, float temperature,
                                sampling::Random& random) const {
  if (temperature > 0)
    for (float& logit : logits) logit /= temperature;
  suppress(logits, before);
  const auto texts = logits.first(static_cast<std::size_t>(special_.first_time)), times = logits.subspan(texts.size());
  const std::size_t best_time = best_of(times);
  const auto weight = [](float logit, float best) {
    return sampling::softmax_weight(static_cast<double>(logit) - static_cast<double>(best));
  };
  SampledToken token;
  token.time = special_.first_time + (times[best_time] == kNever ? 0 : static_cast<tokenizer::TokenId>(best_time));
  // A timestamp comes next if all timestamps together are more probable than any text token. Logits suffice to compare them,
  // because both probabilities have the same normalizer.
  bool only_times = false;
  if (times[best_time] != kNever) {
    double sum = 0;
    for (const float logit : times)
      if (logit != kNever) sum += weight(logit, times[best_time]);
    only_times = static_cast<double>(times[best_time]) + deterministic_log(sum) > static_cast<double>(sampling::best_score(texts));
  }
  const std::span<const float> left = only_times ? times : logits;
  const std::size_t first = only_times ? texts.size() : 0;
  std::size_t chosen = best_of(left);
  if (temperature > 0) {
    const float best = left[chosen];
    double sum = 0;
    for (const float logit : left) sum += logit == kNever ? 0.0 : weight(logit, best);
    double mark = random.uniform() * sum;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i] == kNever) continue;
      chosen = i;
      mark -= weight(left[i], best);
      if (mark < 0) break;
    }
  }
  token.id = static_cast<tokenizer::TokenId>(first + chosen);
  if (special_.is_time(token.id)) token.time = token.id;
  token.logprob = sampling::logprobs_of(logits, {&token.id, 1})[0];
  return token;
}

}  // namespace heed::runtime
