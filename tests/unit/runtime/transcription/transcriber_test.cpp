// Transcriptions of a small random model: their rules, interruptions, and what is refused.
#include "runtime/transcription/transcriber.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <optional>
#include <span>

#include "engine/transcription.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/tiny_model.hpp"
#include "support/whisper_writer.hpp"

using namespace heed;
using runtime::TranscribedSegment;
using runtime::TranscribeOptions;

namespace {

audio::Sound chirp(double seconds, std::size_t rate = 16000) {
  audio::Sound sound{rate, std::vector<float>(static_cast<std::size_t>(seconds * static_cast<double>(rate)))};
  for (std::size_t i = 0; i < sound.samples.size(); ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(rate);
    sound.samples[i] = static_cast<float>(0.5 * std::sin(2000 * t + 900 * t * t));
  }
  return sound;
}

std::vector<std::byte> model_file(std::uint32_t vocabulary = 51864) {
  test::WhisperWriter writer;
  writer.vocabulary = vocabulary;
  return writer.finish();
}

struct Heard {
  std::vector<TranscribedSegment> segments;
  std::vector<runtime::TranscribedWindow> windows;
  std::string language;
};

/// `interrupt`: interrupts each pass once before it runs.
Heard transcribe(const runtime::Model& model, audio::Sound sound, TranscribeOptions options = {}, bool interrupt = false) {
  runtime::Workspace workspace(model);
  engine::Transcription transcription(workspace, std::move(sound), std::move(options));
  Heard result;
  while (!transcription.state().done()) {
    if (interrupt) {
      workspace.interrupt() = true;
      CHECK_FALSE(transcription.step());
    }
    const auto segments = transcription.step();
    REQUIRE(segments);
    result.segments.insert(result.segments.end(), segments->begin(), segments->end());
  }
  CHECK(transcription.state().progress() == 1);
  result.windows.assign(transcription.state().windows().begin(), transcription.state().windows().end());
  result.language = transcription.state().language();
  return result;
}

bool operator==(const Heard& a, const Heard& b) {
  const auto same = [](const TranscribedSegment& x, const TranscribedSegment& y) {
    return x.start == y.start && x.end == y.end && x.text == y.text && x.tokens == y.tokens && x.times == y.times &&
           x.begins == y.begins;
  };
  return std::ranges::equal(a.segments, b.segments, same) &&
         std::ranges::equal(a.windows, b.windows,
                            [](const auto& x, const auto& y) { return x.ids == y.ids && x.prompt == y.prompt; });
}

}  // namespace

TEST_CASE("a transcription does not depend on threads, interruptions or how the model is read", "[transcription]") {
  const std::vector<std::byte> file = model_file();
  runtime::LoadOptions of_three;
  of_three.threads = 3;
  const auto one = test::load_bytes(file);
  const auto three = test::load_bytes(file, of_three, 1000);
  const TranscribeOptions options{.temperatures = {0, 0.6f}, .seed = 3, .words = true};
  const Heard result = transcribe(*one, chirp(2.5), options);
  REQUIRE_FALSE(result.windows.empty());
  CHECK_FALSE(result.windows[0].ids.empty());
  CHECK(result.language == "en");
  CHECK(transcribe(*three, chirp(2.5), options) == result);
  CHECK(transcribe(*one, chirp(2.5), options, true) == result);
}

TEST_CASE("tokens of text have times if asked for, inside the window", "[transcription]") {
  test::WhisperWriter writer;
  while (writer.words.size() < 50256) writer.words.push_back(" w" + std::to_string(writer.words.size()));
  const auto model = test::load_bytes(writer.finish());
  const Heard result = transcribe(*model, chirp(3), {.timestamps = false, .temperatures = {0}, .words = true});
  REQUIRE_FALSE(result.segments.empty());
  for (const TranscribedSegment& segment : result.segments) {
    const auto texts = std::ranges::count_if(segment.tokens, [](tokenizer::TokenId id) { return id < 50256; });
    CHECK(segment.times.size() == static_cast<std::size_t>(texts));
    CHECK(std::ranges::is_sorted(segment.times));
    for (const std::size_t time : segment.times) CHECK(time <= 3000);
  }
}

TEST_CASE("a multilingual model tells the language, or is told it", "[transcription]") {
  const auto model = test::load_bytes(model_file(51865));
  const Heard result = transcribe(*model, chirp(1), {.language = "auto", .temperatures = {0}});
  CHECK(result.language.size() >= 2);
  const tokenizer::WhisperTokens special(51865);
  CHECK(result.windows[0].prompt == std::vector{special.start, *special.language(result.language), special.transcribe});
  const Heard told = transcribe(*model, chirp(1),
                                {.language = "de", .task = runtime::Task::translate, .timestamps = false, .temperatures = {0}});
  CHECK(told.language == "de");
  CHECK(told.windows[0].prompt == std::vector{special.start, *special.language("de"), special.translate, special.no_timestamps});
}

TEST_CASE("a prompt comes before the start", "[transcription]") {
  const auto model = test::load_bytes(model_file());
  const Heard result = transcribe(*model, chirp(1), {.prompt = " the fox", .temperatures = {0}});
  const tokenizer::WhisperTokens special(51864);
  CHECK(result.windows[0].prompt == std::vector{special.previous, 255, 256, special.start});
  std::string words;
  for (int i = 0; i < 300; ++i) words += " the";
  const Heard full = transcribe(*model, chirp(1), {.prompt = words, .temperatures = {0}});
  CHECK(full.windows[0].prompt.size() == 1 + 223 + 1);  // the last of the words
}

TEST_CASE("hardly any sound has no text", "[transcription]") {
  const auto model = test::load_bytes(model_file());
  CHECK(transcribe(*model, chirp(0.1)).windows.empty());
  CHECK(transcribe(*model, chirp(1), {.offset = 95}).windows.empty());
  CHECK(transcribe(*model, chirp(1), {.duration = 9}).windows.empty());
}

TEST_CASE("a sound of another rate is converted", "[transcription]") {
  const auto model = test::load_bytes(model_file());
  CHECK_FALSE(transcribe(*model, chirp(1, 44100), {.temperatures = {0}}).windows.empty());
}

TEST_CASE("what cannot be transcribed is refused", "[transcription]") {
  const auto model = test::load_bytes(model_file()), many = test::load_bytes(model_file(51865));
  const auto text = test::load_bytes(test::tiny_llama());
  const auto refuse = [](const runtime::Model& by, ErrorCode code, const std::string& part, TranscribeOptions options,
                         audio::Sound sound = chirp(1)) {
    runtime::Workspace workspace(by);
    test::check_throws(code, part, [&] { engine::Transcription(workspace, std::move(sound), std::move(options)); });
  };
  constexpr auto kInvalid = ErrorCode::invalid_argument, kUnsupported = ErrorCode::unsupported;
  refuse(*text, kUnsupported, "does not transcribe", {});
  refuse(*model, kUnsupported, "English only", {.language = "de"});
  refuse(*model, kUnsupported, "does not translate", {.task = runtime::Task::translate});
  refuse(*many, kInvalid, "'xx'", {.language = "xx"});
  refuse(*model, kInvalid, "temperature", {.temperatures = {-1}});
  refuse(*model, kInvalid, "temperature", {.temperatures = {}});
  refuse(*model, kInvalid, "audio_positions", {.audio_positions = 21});
  refuse(*model, kInvalid, "has no head", {.words = true, .heads = {{9, 0}}});
  refuse(*model, kInvalid, "no samples", {}, {16000, {}});
  refuse(*model, kInvalid, "sample 0", {}, {16000, {std::nanf("")}});
  runtime::LoadOptions shorter;
  shorter.context_length = 100;
  refuse(*test::load_bytes(model_file(), shorter), kInvalid, "448", {});
}

TEST_CASE("a model that transcribes does not generate", "[transcription]") {
  const auto model = test::load_bytes(model_file());
  CHECK(model->info().transcribes);
  CHECK_FALSE(model->info().generates);
  CHECK_FALSE(model->info().embeds);
  CHECK(model->info().architecture == "whisper");
  CHECK(model->info().encoder_layers == 1);
}

TEST_CASE("segments have the attention of heads to the sound as each token was predicted", "[transcription]") {
  test::WhisperWriter writer;
  writer.layers = 2;
  while (writer.words.size() < 50256) writer.words.push_back(" w" + std::to_string(writer.words.size()));
  const auto model = test::load_bytes(writer.finish());
  const auto heard = [&](std::optional<runtime::AttentionSelection> attention, bool words) {
    TranscribeOptions options{.timestamps = false, .temperatures = {0}, .words = words};
    options.attention = std::move(attention);
    return transcribe(*model, chirp(3), options).segments.at(0);
  };
  const TranscribedSegment all = heard(runtime::AttentionSelection{}, true),
                           one = heard(runtime::AttentionSelection{{1}, {0}}, false);
  const std::size_t tokens = all.times.size();
  REQUIRE(tokens > 0);
  CHECK(all.times == heard({}, true).times);
  CHECK(all.positions == writer.positions);
  REQUIRE(all.attention.size() == 2 * writer.heads * tokens * all.positions);
  const std::size_t each = tokens * all.positions;
  const auto expected = std::span(all.attention).subspan(writer.heads * each, each);  // the first head of the second layer
  CHECK(std::ranges::equal(one.attention, expected));
  for (std::size_t t = 0; t < tokens; ++t) {
    float sum = 0;
    for (const float weight : expected.subspan(t * all.positions, all.positions)) sum += weight;
    CHECK(std::abs(sum - 1) < 1e-4f);
    CHECK(all.begins[t] <= all.times[t]);
  }
  test::check_throws(ErrorCode::invalid_argument, "layers: 2 is out of range",
                     [&] { heard(runtime::AttentionSelection{{2}, {0}}, true); });
}
