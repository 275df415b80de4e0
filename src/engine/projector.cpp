#include "engine/projector.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <string>
#include <utility>

#include "audio/resample.hpp"
#include "base/error.hpp"
#include "runtime/pictures/projector_file.hpp"

namespace heed::engine {

Projector::Projector(Engine& engine, std::unique_ptr<runtime::Model> file)
    : engine_(engine), file_(std::move(file)), towers_(nullptr, nullptr) {
  if (file_->sound_reader()) towers_.hears = &sounds_.emplace(*file_);
  if (file_->reader() || !file_->sound_reader()) towers_.sees = &tiles_.emplace(*file_);
  runtime::check_reads(engine.model(), towers_);
  const nn::StackSpec& stack = engine.model().spec().decoder->stack;
  if (sounds_) sounds_->fill_rows((1 + stack.deep_rows) * stack.width);
  engine.take_bytes(file_->info().memory_bytes, "projector");
}

std::unique_ptr<runtime::Loader> Projector::loader(const Engine& engine) {
  runtime::LoadOptions options;
  options.memory_limit = engine.bytes_left();
  options.target = engine.model().info().target;
  return std::make_unique<runtime::Loader>(std::move(options), &runtime::kProjectorFile, engine.model().shared_pool());
}

void Projector::take_bytes(std::span<const runtime::PromptPiece> prompt) {
  std::uint64_t tile = tile_bytes_, sound = sound_bytes_;
  for (const runtime::PromptPiece& piece : prompt) {
    if (piece.sound) sound = std::max(sound, towers_.hearing().bytes(piece.sound->count));
    if (!piece.picture) continue;
    const runtime::TileRun& run = towers_.seeing();
    const images::Layout layout = runtime::layout_within(piece.picture->size, piece.most_tokens, engine_.model().tokenizer(), run);
    for (const images::Size size : layout.tiles()) tile = std::max(tile, run.bytes(size));
  }
  engine_.take_bytes(tile - tile_bytes_, "image");
  tile_bytes_ = tile;
  engine_.take_bytes(sound - sound_bytes_, "audio");
  sound_bytes_ = sound;
}

runtime::PictureText Projector::read(std::span<const runtime::PromptPiece> prompt, bool add_special) {
  take_bytes(prompt);
  return runtime::read_text(prompt, engine_.model().tokenizer(), towers_, engine_.pictures(), add_special);
}

runtime::PictureTextReader Projector::begin_read(std::span<const runtime::PromptPiece> prompt, bool add_special) {
  take_bytes(prompt);
  return {prompt, engine_.model().tokenizer(), towers_, engine_.pictures(), add_special};
}

std::vector<tokenizer::TokenId> Projector::plan(std::span<const runtime::PromptPiece> prompt, bool add_special) const {
  return runtime::plan_text(prompt, engine_.model().tokenizer(), towers_, add_special);
}

std::size_t Projector::tokens(images::Size picture, std::size_t most_tokens) const {
  const tokenizer::Tokenizer& tokenizer = engine_.model().tokenizer();
  const runtime::TileRun& run = towers_.seeing();
  return runtime::count_tokens(runtime::layout_within(picture, most_tokens, tokenizer, run), tokenizer, run);
}

std::size_t Projector::sound_tokens(std::size_t samples) const {
  return runtime::count_tokens(samples, engine_.model().tokenizer(), towers_.hearing());
}

std::size_t Projector::sound_rows(std::size_t samples) const {
  const std::vector<std::size_t> rows = towers_.hearing().rows(samples);
  return std::accumulate(rows.begin(), rows.end(), std::size_t{0});
}

std::vector<float> Projector::hear(const audio::Sound& sound) const try {
  const runtime::SoundRun& run = towers_.hearing();
  audio::check_sound(sound);
  const std::size_t samples = audio::resampled(sound.samples.size(), sound.rate, audio::kRate);
  const std::size_t tokens = runtime::count_tokens(samples, engine_.model().tokenizer(), run);
  if (const std::size_t context = engine_.model().info().context_length; tokens > context)
    throw Error(ErrorCode::context_overflow,
                "becomes " + std::to_string(tokens) + " tokens, which do not fit in a context of " + std::to_string(context),
                "audio");
  return audio::resample(sound.samples, sound.rate, audio::kRate, engine_.model().pool());
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory, "not enough memory for a sound of " + std::to_string(sound.samples.size()) + " samples",
              "audio");
}

std::vector<PictureToken> Projector::picture_tokens(images::Size picture, std::size_t most_tokens) const {
  const runtime::TileRun& run = towers_.seeing();
  const images::Layout layout = runtime::layout_within(picture, most_tokens, engine_.model().tokenizer(), run);
  const auto tiles = layout.tiles();
  const auto areas = layout.areas(picture);
  std::vector<PictureToken> tokens;
  for (std::size_t i = 0; i < tiles.size(); ++i)
    for (const images::Rectangle& area : run.areas(tiles[i], areas[i], picture)) tokens.push_back({i, area});
  return tokens;
}

}  // namespace heed::engine
