#include "engine/projector.hpp"

#include <algorithm>
#include <utility>

#include "runtime/pictures/projector_file.hpp"

namespace heed::engine {

Projector::Projector(Engine& engine, std::unique_ptr<runtime::Model> file) : engine_(engine), file_(std::move(file)), run_(*file_) {
  runtime::check_reads(engine.model(), run_);
  engine.take_bytes(file_->info().memory_bytes, "projector");
}

std::unique_ptr<runtime::Loader> Projector::loader(const Engine& engine) {
  runtime::LoadOptions options;
  options.memory_limit = engine.bytes_left();
  options.target = engine.model().info().target;
  return std::make_unique<runtime::Loader>(std::move(options), &runtime::kProjectorFile, engine.model().shared_pool());
}

void Projector::take_bytes(std::span<const runtime::PromptPiece> prompt) {
  std::uint64_t most = run_bytes_;
  for (const runtime::PromptPiece& piece : prompt) {
    if (!piece.picture) continue;
    const images::Layout layout = runtime::layout_within(piece.picture->size, piece.most_tokens, engine_.model().tokenizer(), run_);
    for (const images::Size tile : layout.tiles()) most = std::max(most, run_.bytes(tile));
  }
  engine_.take_bytes(most - run_bytes_, "image");
  run_bytes_ = most;
}

runtime::PictureText Projector::read(std::span<const runtime::PromptPiece> prompt, bool add_special) {
  take_bytes(prompt);
  return runtime::read_text(prompt, engine_.model().tokenizer(), run_, engine_.pictures(), add_special);
}

runtime::PictureTextReader Projector::begin_read(std::span<const runtime::PromptPiece> prompt, bool add_special) {
  take_bytes(prompt);
  return {prompt, engine_.model().tokenizer(), run_, engine_.pictures(), add_special};
}

std::vector<tokenizer::TokenId> Projector::plan(std::span<const runtime::PromptPiece> prompt, bool add_special) const {
  return runtime::plan_text(prompt, engine_.model().tokenizer(), run_, add_special);
}

std::size_t Projector::tokens(images::Size picture, std::size_t most_tokens) const {
  const tokenizer::Tokenizer& tokenizer = engine_.model().tokenizer();
  return runtime::count_tokens(runtime::layout_within(picture, most_tokens, tokenizer, run_), tokenizer, run_);
}

std::vector<PictureToken> Projector::picture_tokens(images::Size picture, std::size_t most_tokens) const {
  const images::Layout layout = runtime::layout_within(picture, most_tokens, engine_.model().tokenizer(), run_);
  const auto tiles = layout.tiles();
  const auto areas = layout.areas(picture);
  std::vector<PictureToken> tokens;
  for (std::size_t i = 0; i < tiles.size(); ++i)
    for (const images::Rectangle& area : run_.areas(tiles[i], areas[i], picture)) tokens.push_back({i, area});
  return tokens;
}

}  // namespace heed::engine
