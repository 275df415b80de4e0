#include "runtime/transcription/transcriber.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "base/deterministic_math.hpp"
#include "base/error.hpp"
#include "nn/spec.hpp"
#include "runtime/selection.hpp"
#include "runtime/transcription/segments.hpp"
#include "sampling/logprobs.hpp"

namespace heed::runtime {
namespace {

constexpr std::size_t kDetected = 100;              // tokens after the start whose probabilities decide on a language
constexpr std::size_t kForgotten = 500;             // last frames of the sound, in which prompts omit earlier text
constexpr float kCold = 0.5f;                       // temperature from which on prompts omit earlier text
constexpr double kNoSpeech = 0.6, kLeastMean = -1;  // thresholds: probability of no speech, mean log-probability of the tokens
constexpr std::size_t kDistilledLayers = 2;         // layers of distilled decoders, which are not trained on timestamps
constexpr std::size_t kThirdVocabulary = 51866;

const tokenizer::Whisper& words_of(const Workspace& workspace) {
  const Model& model = workspace.model();
  if (!model.info().transcribes) throw Error(ErrorCode::unsupported, "does not transcribe sounds", model.info().architecture);
  if (model.info().context_length < model.info().trained_context_length)
    throw Error(ErrorCode::invalid_argument,
                "must be the model's " + std::to_string(model.info().trained_context_length) + " to transcribe", "context_length");
  return static_cast<const tokenizer::Whisper&>(model.tokenizer());  // models/whisper.cpp demands it
}

/// The options, checked against the model.
TranscribeOptions checked(TranscribeOptions options, const tokenizer::WhisperTokens& special, std::size_t positions) {
  const bool is_auto = options.language == "auto";
  if (special.multilingual() && !is_auto && !special.language(options.language))
    throw Error(ErrorCode::invalid_argument, "'" + options.language + "' is not the code of a language that the model knows",
                "language");
  if (!special.multilingual() && !is_auto && options.language != "en")
    throw Error(ErrorCode::unsupported, "the model knows English only", "language");
  if (!special.multilingual() && options.task == Task::translate)
    throw Error(ErrorCode::unsupported, "the model does not translate", "task");
  if (options.audio_positions > positions)
    throw Error(ErrorCode::invalid_argument, "must be at most the model's " + std::to_string(positions), "audio_positions");
  if (options.audio_positions == 0) options.audio_positions = positions;
  for (const float temperature : options.temperatures)
    if (!(temperature >= 0) || !std::isfinite(temperature))
      throw Error(ErrorCode::invalid_argument, "must be numbers from 0 on", "temperature");
  if (options.temperatures.empty()) throw Error(ErrorCode::invalid_argument, "must be at least one", "temperature");
  return options;
}

/// Throws invalid_argument for a head that the model lacks, or that is listed twice.
std::vector<AlignmentHead> selected_heads(const Model& model, const AttentionSelection& selection) {
  std::vector<AlignmentHead> heads;
  for (const std::uint32_t layer : complete(selection.layers, model.info().layers, "layers"))
    for (const std::uint32_t head : complete(selection.heads, model.info().heads, "heads")) heads.push_back({layer, head});
  alignment_requests(model, heads);  // throws for heads that the model lacks
  return heads;
}

bool knows_times(const ModelInfo& info) noexcept { return info.layers != kDistilledLayers || info.vocabulary == kThirdVocabulary; }

}  // namespace

Transcriber::Transcriber(Workspace& workspace, std::unique_ptr<const audio::MelSpectrogram> mel, TranscribeOptions options)
    : options_(checked(std::move(options), words_of(workspace).special(), AudioRun(workspace).most_positions())),
      words_(words_of(workspace)),
      special_(words_.special()),
      mel_(std::move(mel)),
      audio_(workspace),
      sequence_(workspace),
      timed_(options_.timestamps && knows_times(workspace.model().info())),
      rules_(words_, options_, timed_, audio_.most_positions()),
      random_(options_.seed),
      past_(words_.encode(options_.prompt, {})) {
  if (options_.words) {
    if (options_.heads.empty()) options_.heads = alignment_heads(workspace.model());
    alignment_requests(workspace.model(), options_.heads);  // throws for heads that the model lacks
  }
  if (options_.attention) shown_ = selected_heads(workspace.model(), *options_.attention);
  start_ = seek_ = options_.offset;
  end_ = options_.duration == 0 ? mel_->sound_frames() : std::min(start_ + options_.duration, mel_->frames());
  if (special_.multilingual()) language_ = special_.language(options_.language);
  begin_window();
  if (stage_ != Stage::done && special_.multilingual() && !language_) stage_ = Stage::detect;
}

std::string_view Transcriber::language() const noexcept {
  if (!special_.multilingual()) return "en";
  return language_ ? tokenizer::WhisperTokens::code(static_cast<std::size_t>(*language_ - special_.start - 1)) : std::string_view();
}

double Transcriber::progress() const noexcept {
  if (done()) return 1;
  return static_cast<double>(seek_ - start_) / static_cast<double>(end_ - start_);
}

std::optional<std::vector<TranscribedSegment>> Transcriber::step() {
  const auto run = [&] {
    switch (stage_) {
      case Stage::detect: return detect_language();
      case Stage::encode: return encode(seek_);
      case Stage::prompt: return read_prompt();
      case Stage::sample: return sample();
      case Stage::align: return align();
      case Stage::done: return true;
    }
    return true;
  };
  if (!run()) return std::nullopt;
  return std::exchange(ready_, {});
}

/// Runs a pass of the decoder. Returns the logits of its last `rows` tokens, or nothing if it was interrupted.
std::optional<std::span<float>> Transcriber::forward(std::span<const TokenId> tokens, std::size_t rows) {
  const std::span<float> logits = sequence_.workspace().logits(rows);
  if (!sequence_.forward(tokens, logits, recorder_ ? &*recorder_ : nullptr)) return std::nullopt;
  return logits;
}

bool Transcriber::encode(std::size_t frame) {
  if (!audio_(*mel_, frame, options_.audio_positions)) return false;
  sequence_.attend_to(audio_.hidden());
  if (stage_ == Stage::encode) begin_attempt();
  return true;
}

/// Reads the beginning of the sound, wherever the transcription begins.
bool Transcriber::detect_language() {
  if (!encode(0)) return false;
  const auto logits = forward({&special_.start, 1}, 1);
  if (!logits) return false;
  const auto row = logits->subspan(static_cast<std::size_t>(special_.start) + 1, kDetected);
  double total = 0;
  const float best = *std::ranges::max_element(row);
  for (const float logit : row) total += deterministic_exp(static_cast<double>(logit) - static_cast<double>(best));
  for (const float logit : row)
    languages_.push_back(static_cast<float>(deterministic_exp(static_cast<double>(logit) - static_cast<double>(best)) / total));
  const auto known = row.first(static_cast<std::size_t>(std::min<std::int32_t>(special_.languages, kDetected)));
  language_ = special_.start + 1 + static_cast<TokenId>(std::ranges::max_element(known) - known.begin());
  stage_ = Stage::encode;
  return true;
}

void Transcriber::begin_window() {
  stage_ = seek_ + kLeastFrames < end_ ? Stage::encode : Stage::done;
  if (seek_ > start_ && seek_ + kForgotten >= end_) past_.clear();
  attempt_ = 0;
}

/// Earlier text, if there is any, then the control tokens for language, task and timestamps.
std::vector<TokenId> Transcriber::prompt_of(float temperature) const {
  std::vector<TokenId> prompt;
  const std::size_t told = std::min(past_.size(), sequence_.context_length() / 2 - 1);
  if (told > 0 && temperature < kCold) {
    prompt.push_back(special_.previous);
    prompt.insert(prompt.end(), past_.end() - static_cast<std::ptrdiff_t>(told), past_.end());
  }
  prompt.push_back(special_.start);
  if (language_) {
    prompt.push_back(*language_);
    prompt.push_back(options_.task == Task::translate ? special_.translate : special_.transcribe);
  }
  if (!timed_) prompt.push_back(special_.no_timestamps);
  return prompt;
}

void Transcriber::begin_attempt() {
  const float temperature = options_.temperatures[attempt_];
  sequence_.truncate(0);
  prompt_ = prompt_of(temperature);
  prompt_read_ = 0;
  candidate_.emplace(special_, options_, timed_, WindowPlace{seek_, end_}, sequence_.context_length() / 2 - 4, temperature);
  stage_ = Stage::prompt;
}

/// Takes two passes for a long prompt. The last pass has all tokens from special_.start on, because their logits are read.
bool Transcriber::read_prompt() {
  const auto start = static_cast<std::size_t>(std::ranges::find(prompt_, special_.start) - prompt_.begin());
  const std::size_t left = prompt_.size() - prompt_read_;
  const std::size_t count = left <= kMaxBatch ? left : std::min(kMaxBatch, start - prompt_read_);
  const bool last = count == left;
  const std::size_t rows = last ? prompt_.size() - start : 0;
  const auto logits = forward(std::span(prompt_).subspan(prompt_read_, count), rows);
  if (!logits) return false;
  prompt_read_ += count;
  if (!last) return true;
  const std::size_t vocabulary = special_.size;
  no_speech_ = static_cast<float>(
      deterministic_exp(static_cast<double>(sampling::logprobs_of(logits->first(vocabulary), {&special_.no_speech, 1})[0])));
  stage_ = Stage::sample;
  take_token(logits->last(vocabulary));
  return true;
}

bool Transcriber::sample() {
  const TokenId last = candidate_->all().back().id;
  const auto logits = forward({&last, 1}, 1);
  if (!logits) return false;
  take_token(*logits);
  return true;
}

void Transcriber::take_token(std::span<float> logits) {
  if (candidate_->add(rules_.sample(logits, candidate_->all(), candidate_->temperature(), random_))) end_attempt();
}

/// Tries the next temperature if the text is not plausible.
void Transcriber::end_attempt() {
  const bool improbable = candidate_->mean_logprob() < kLeastMean && static_cast<double>(no_speech_) < kNoSpeech;
  if ((candidate_->failed() || candidate_->repeats() || improbable) && attempt_ + 1 < options_.temperatures.size()) {
    ++attempt_;
    return begin_attempt();
  }
  TranscribedWindow& window = windows_.emplace_back(TranscribedWindow{seek_, prompt_, {}});
  for (const SampledToken& token : candidate_->all()) window.ids.push_back(token.id);

  const bool silent = static_cast<double>(no_speech_) > kNoSpeech && candidate_->mean_logprob() < kLeastMean;
  past_.clear();
  if (prompt_.front() == special_.previous) past_.assign(prompt_.begin() + 1, std::ranges::find(prompt_, special_.start));
  if (!silent)
    for (const SampledToken& token : candidate_->kept()) past_.push_back(token.id);
  segments_.clear();
  if (!silent) segments_ = segments_of(*candidate_, words_, options_.single_segment, timed_);
  for (TranscribedSegment& segment : segments_) segment.no_speech = no_speech_;
  if (segments_.empty() || (!options_.words && shown_.empty())) return end_window();
  begin_alignment();
}

void Transcriber::begin_alignment() {
  aligned_ = {special_.start};
  if (language_) aligned_.push_back(*language_);
  aligned_.push_back(special_.no_timestamps);
  for (const TranscribedSegment& segment : segments_)
    std::ranges::copy_if(segment.tokens, std::back_inserter(aligned_), [&](TokenId id) { return id < special_.end; });
  aligned_.push_back(special_.end);
  std::vector<AlignmentHead> recorded = shown_;
  if (options_.words)
    for (const AlignmentHead& head : options_.heads)
      if (std::ranges::find(shown_, head) == shown_.end()) recorded.push_back(head);
  recorder_.emplace(sequence_.model(), alignment_requests(sequence_.model(), recorded));
  recorder_->prepare(0, aligned_.size(), options_.audio_positions);
  sequence_.truncate(0);
  stage_ = Stage::align;
}

bool Transcriber::align() {
  const auto left = std::span<const TokenId>(aligned_).subspan(sequence_.tokens().size());
  if (!forward(left.first(std::min(left.size(), kMaxBatch)), 0)) return false;
  if (sequence_.tokens().size() < aligned_.size()) return true;
  const std::size_t first = language_ ? 2 : 1;
  const std::size_t heard = std::min({kWindowFrames, candidate_->shift(), end_ - seek_}) / 2;
  const std::size_t positions = std::clamp<std::size_t>(heard, 1, options_.audio_positions);
  std::vector<TokenTime> times;
  if (options_.words) times = runtime::align(*recorder_, options_.heads, first, positions);
  std::size_t row = 0;  // index among the text tokens of all segments
  for (TranscribedSegment& segment : segments_) {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(segment.tokens,
                                                                      [&](TokenId id) { return id < special_.end; }));
    for (std::size_t i = row; options_.words && i < row + count; ++i) {
      segment.begins.push_back(seek_ + 2 * times[i].begin);
      segment.times.push_back(seek_ + 2 * times[i].next);
    }
    if (!shown_.empty()) segment.positions = positions;
    for (const AlignmentHead& head : shown_) {
      const HeadWeights weights(*recorder_, head);
      for (std::size_t i = row; i < row + count; ++i) {
        const std::span<const float> of_token = weights.row(first + i).first(positions);
        segment.attention.insert(segment.attention.end(), of_token.begin(), of_token.end());
      }
    }
    row += count;
  }
  recorder_.reset();
  end_window();
  return true;
}

void Transcriber::end_window() {
  std::ranges::move(segments_, std::back_inserter(ready_));
  segments_.clear();
  seek_ += candidate_->next_shift();
  begin_window();
}

}  // namespace heed::runtime
