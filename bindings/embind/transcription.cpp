#include "transcription.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "options.generated.hpp"

namespace heed::bindings {
namespace {

val copied_counts(const std::vector<std::size_t>& values) {
  const std::vector<std::int32_t> counts(values.begin(), values.end());
  return copy(std::span(counts));
}

val describe(const runtime::TranscribedSegment& segment, const tokenizer::Tokenizer& tokenizer) {
  std::vector<std::size_t> lengths;
  if (!segment.times.empty() || segment.positions > 0)
    for (const tokenizer::TokenId id : segment.tokens)
      if (!tokenizer.is_special(id)) lengths.push_back(tokenizer.token_bytes(id).size());
  Object object;
  object.set("start", segment.start);
  object.set("end", segment.end);
  object.set("seek", segment.seek);
  object.set("text", copy(std::span(reinterpret_cast<const std::uint8_t*>(segment.text.data()), segment.text.size())));
  object.set("tokens", copy(std::span(segment.tokens)));
  object.set("begins", copied_counts(segment.begins));
  object.set("times", copied_counts(segment.times));
  object.set("lengths", copied_counts(lengths));
  object.set("positions", segment.positions);
  object.set("attention", copy(std::span(segment.attention)));
  object.set("logprob", segment.mean_logprob);
  object.set("noSpeech", segment.no_speech);
  object.set("temperature", segment.temperature);
  return object;
}

}  // namespace

audio::Sound sound_of(const val& sound, std::size_t rate) {
  if (rate != 0) return {rate, emscripten::convertJSArrayToNumberVector<float>(sound)};
  const auto bytes = emscripten::convertJSArrayToNumberVector<std::uint8_t>(sound);
  return audio::read_wav(std::as_bytes(std::span(bytes)));
}

Transcription::Transcription(engine::Engine& engine, const val& sound, std::size_t rate, const val& options)
    : tokenizer_(engine.model().tokenizer()),
      transcription_(engine.transcribe(sound_of(sound, rate), transcribe_options(options))) {}

val Transcription::step() {
  const auto segments = transcription_->step();
  if (!segments) return val::null();
  val all = val::array();
  for (const runtime::TranscribedSegment& segment : *segments) all.call<void>("push", describe(segment, tokenizer_));
  return all;
}

}  // namespace heed::bindings
