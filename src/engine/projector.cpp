#include "engine/projector.hpp"

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

runtime::PictureText Projector::read(std::span<const runtime::PromptPiece> prompt, bool add_special) {
  return runtime::read_text(prompt, engine_.model().tokenizer(), run_, engine_.pictures(), add_special);
}

runtime::PictureTextReader Projector::begin_read(std::span<const runtime::PromptPiece> prompt, bool add_special) {
  return {prompt, engine_.model().tokenizer(), run_, engine_.pictures(), add_special};
}

std::vector<tokenizer::TokenId> Projector::plan(std::span<const runtime::PromptPiece> prompt, bool add_special) const {
  return runtime::plan_text(prompt, engine_.model().tokenizer(), run_, add_special);
}

std::size_t Projector::tokens(images::Size picture) const {
  const images::Picture without_pixels{picture, {}};
  const runtime::PromptPiece piece{.picture = &without_pixels};
  std::size_t count = 0;
  for (const runtime::PromptChunk& chunk : runtime::read_prompt({&piece, 1}, engine_.model().tokenizer(), run_, false))
    count += chunk.positions(false);
  return count;
}

}  // namespace heed::engine
