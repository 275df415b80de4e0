// Sounds to rows, with a tower of every type, and sounds in prompts.
#include "runtime/hearing/sound_run.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "runtime/pictures/picture_text.hpp"
#include "runtime/pictures/placed_tiles.hpp"
#include "support/damage.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "unit/runtime/pictures/marker_vocabulary.hpp"
#include "unit/runtime/pictures/projector_model.hpp"

using namespace heed;
using namespace heed::test;
using namespace heed::runtime;

namespace {

std::vector<float> noise(std::size_t count, std::uint64_t seed) {
  Fuzz fuzz(seed);
  return fuzz.reals(count, 0.5f);
}

std::vector<float> rows_of(const Model& model, const HeardSound& sound) {
  SoundRun run(model);
  const std::vector<std::size_t> counts = run.rows(sound.count);
  const audio::Features features = run.features(sound);
  REQUIRE(features.chunks().size() == counts.size());
  std::vector<float> all;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::vector<float> rows = run(features, i);
    CHECK(rows.size() == counts[i] * run.row_width());
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

PictureText read(Towers towers, Pictures& known, const std::string& prompt,
                 const std::vector<std::shared_ptr<const HeardSound>>& sounds, const std::vector<images::Picture>& pictures = {}) {
  return read_text(split_at_marks(prompt, pictures, sounds), *marker_tokenizer(), towers, known, false);
}

}  // namespace

TEST_CASE("every audio tower makes the same rows on any number of threads", "[runtime][hearing]") {
  const auto sound = heard_sound(noise(9000, 1)), other = heard_sound(noise(9000, 2));
  for (const std::string type : kHearingTypes) {
    INFO(type);
    const auto file = hearing_model(type);
    LoadOptions options;
    options.threads = 3;
    const auto one = load_projector(file), three = load_projector(file, options);
    const std::vector<float> rows = rows_of(*one, *sound);
    CHECK(!rows.empty());
    CHECK(std::ranges::all_of(rows, [](float value) { return std::isfinite(value); }));
    CHECK(rows == rows_of(*three, *sound));
    CHECK(rows != rows_of(*one, *other));
    CHECK(SoundRun(*one).row_width() == 32);
    CHECK(one->info().width == 0);
  }
}

TEST_CASE("convolutions over a long sound are those over all of it", "[runtime][hearing]") {
  // Stems work on a few rows at a time: silence after a sound, far from it, changes only what sees all rows.
  const auto file = hearing_model("gemma4a");
  const auto model = load_projector(file);
  std::vector<float> samples = noise(40000, 3);
  const std::vector<float> shorter = rows_of(*model, *heard_sound(samples));
  samples.resize(60000);
  const std::vector<float> longer = rows_of(*model, *heard_sound(samples));
  // The last rows see the end of the sound; those before see only what came before them.
  const std::size_t same = shorter.size() - 4 * 32;
  CHECK(std::equal(shorter.begin(), shorter.begin() + static_cast<std::ptrdiff_t>(same), longer.begin()));
  CHECK(longer.size() > shorter.size());
}

TEST_CASE("sounds that are too short or no sounds are refused", "[runtime][hearing]") {
  for (const auto& [type, samples] : {std::pair<std::string, std::size_t>{"gemma4a", 1}, {"lfm2a", 319}, {"granite_speech", 159}}) {
    const auto model = load_projector(hearing_model(type));
    const SoundRun run(*model);
    check_throws(ErrorCode::invalid_argument, "audio: is too short: " + std::to_string(samples) + " samples",
                 [&] { run.rows(samples); });
    check_throws(ErrorCode::invalid_argument, "audio: is too short", [&] { run.bytes(samples); });
    CHECK(run.rows(samples + 200).size() == 1);
    CHECK(run.bytes(samples + 200) > 0);
  }
  check_throws(ErrorCode::invalid_argument, "audio", [] { heard_sound({}); });
  check_throws(ErrorCode::invalid_argument, "audio", [] { heard_sound({0, std::numeric_limits<float>::quiet_NaN()}); });
  check_throws(ErrorCode::invalid_argument, "audio", [] { heard_sound({std::numeric_limits<float>::infinity()}); });
  check_throws(ErrorCode::invalid_argument, "audio", [] { planned_sound(0); });
  const auto sees = load_projector(projector_model("gemma3"));
  check_throws(ErrorCode::unsupported, "has no tower that makes sounds readable", [&] { SoundRun run(*sees); });
}

TEST_CASE("a prompt may have several sounds and images, and a sound that was read is not read again", "[runtime][hearing]") {
  const auto ears = load_projector(hearing_model("gemma4ua")), eyes = load_projector(projector_model("gemma3"));
  SoundRun hears(*ears);
  TileRun sees(*eyes);
  const Towers towers(&sees, &hears);
  const auto first = heard_sound(noise(2000, 4)), same_again = heard_sound(noise(2000, 4)), second = heard_sound(noise(900, 5));
  const std::vector<images::Picture> pictures = {{{24, 16}, std::vector<std::uint8_t>(24 * 16 * 3, 99)}};
  Pictures known;
  const PictureText text = read(towers, known, "a <audio> b <image> c <audio> d <audio>", {first, second, same_again}, pictures);
  REQUIRE(text.tiles.size() == 4);
  CHECK(text.tiles[0]->grid.rows == 125);  // of 16 samples
  CHECK(text.tiles[1]->part.sound == nullptr);
  CHECK(text.tiles[2]->grid.rows == 57);
  CHECK(text.tiles[3] == text.tiles[0]);
  const auto pieces = split_at_marks("a <audio> b <image> c <audio> d <audio>", pictures,
                                     std::vector<std::shared_ptr<const HeardSound>>{planned_sound(2000), planned_sound(900),
                                                                                    first});
  const auto plan = plan_text(pieces, *marker_tokenizer(), towers, false);
  REQUIRE(plan.size() == text.tokens.size());
  for (std::size_t i = 0; i < plan.size(); ++i) CHECK((plan[i] == -1) == (text.tokens[i] < 0));
  CHECK(count_tokens(std::size_t{2000}, *marker_tokenizer(), hears) >= 4);

  check_throws(ErrorCode::invalid_argument, "has 1 marks <audio> for 2 sounds",
               [&] { split_at_marks("<audio>", {}, std::vector{first, second}); });
  check_throws(ErrorCode::unsupported, "projector: reads images only", [&] { read(sees, known, "<audio>", {first}); });
  check_throws(ErrorCode::unsupported, "projector: reads sounds only", [&] { read(hears, known, "<image>", {}, pictures); });
  CHECK(split_at_marks("a <audio> b", {}).size() == 1);  // without sounds, it is text
}

TEST_CASE("rows of a sound follow one another on all axes, and may be read in several passes", "[runtime][hearing]") {
  Pictures known;
  const auto rows = known.add(
      {.part = {planned_sound(5), 0}, .grid = {.rows = 5, .in_time = true}, .width = 2, .values = std::vector<float>(10)});
  std::vector<TokenId> text = {1, 2};
  for (TokenId i = 0; i < 5; ++i) text.push_back(rows->first + i);
  text.push_back(3);
  PlacedTiles tiles;
  tiles.read(text, 0, known);
  PassPictures pass;
  pass.resize(text.size());
  tiles.describe(0, text.size(), 0, pass);
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const nn::Axis axis : {nn::Axis::time, nn::Axis::row, nn::Axis::column, nn::Axis::other})
      CHECK(pass.coordinates[i][axis] == i);
    CHECK(pass.tiles[i].begin == pass.tiles[i].end);
    CHECK((pass.rows[i] != nullptr) == (text[i] < 0));
  }
  CHECK(tiles.whole(0, 4) == 4);
  CHECK(tiles.across(4) != nullptr);
  CHECK(tiles.split_at(4) == nullptr);
  PlacedTiles in_parts;
  in_parts.read(std::span(text).first(4), 0, known);
  in_parts.read(std::span(text).subspan(4), 4, known);
  CHECK(in_parts.at(6)->begin == 2);
}

TEST_CASE("damaged audio towers are errors or read sounds", "[runtime][hostile][hearing]") {
  const auto sound = heard_sound(noise(1000, 6));
  DamageOutcomes outcomes;
  for (const std::string type : {"gemma4a", "gemma4ua", "glma", "granite_speech", "lfm2a", "parakeet", "qwen3a", "ultravox"}) {
    const auto file = hearing_model(type);
    use_damaged(file, type, 30, outcomes, [&](const std::vector<std::byte>& copy, std::size_t chunk) {
      LoadOptions options;
      options.memory_limit = std::uint64_t{64} << 20;
      const auto model = load_bytes(copy, options, chunk, &kProjectorFile);
      CHECK(!rows_of(*model, *sound).empty());
    });
  }
  CHECK(outcomes.refused > 100);
  CHECK(outcomes.worked > 5);
}
