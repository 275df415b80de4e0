#include "engine/projector.hpp"

#include <string>
#include <utility>

#include "base/error.hpp"
#include "nn/decoder.hpp"

namespace heed::engine {

Projector::Projector(Engine& engine, std::unique_ptr<runtime::Model> file)
    : engine_(engine), file_(std::move(file)), run_(*file_) {
  const runtime::Model& model = engine.model();
  if (!model.decoder()) throw Error(ErrorCode::unsupported, "has no decoder to read images", model.info().architecture);
  const nn::StackSpec& stack = model.decoder()->spec().stack;
  if (const std::size_t wanted = (1 + stack.deep_rows) * stack.width; run_.row_width() != wanted)
    throw Error(ErrorCode::invalid_file,
                "makes rows of " + std::to_string(run_.row_width()) + " numbers, but the model reads " + std::to_string(wanted),
                "clip.vision.projection_dim");
}

runtime::PictureText Projector::read(std::span<const runtime::PromptPiece> prompt, bool add_special) {
  return runtime::read_text(prompt, engine_.model().tokenizer(), run_, engine_.pictures(), add_special);
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
