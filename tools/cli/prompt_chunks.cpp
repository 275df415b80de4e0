#include "cli/prompt_chunks.hpp"

#include "cli/header.hpp"
#include "cli/output.hpp"

namespace heed::cli {

void print_chunks(const std::string& text_model, std::span<const runtime::PromptPiece> prompt, const runtime::Towers& towers) {
  const formats::TensorFile header = read_header(text_model);
  const auto tokenizer = tokenizer::make_tokenizer(header.metadata);
  const std::string sections = header.metadata.text("general.architecture") + ".rope.dimension_sections";
  const bool axes = header.metadata.contains(sections);
  Json chunks = Json::array();
  std::size_t position = 0;
  for (const runtime::PromptChunk& chunk : runtime::read_prompt(prompt, *tokenizer, towers)) {
    if (chunk.has_rows()) {
      Json rows{{chunk.is_tile() ? "image" : "audio", chunk.grid.rows}};
      for (std::size_t i = 0; axes && i < chunk.grid.rows; ++i) {
        const nn::Coordinates at = chunk.grid.coordinates(i, position);
        rows["positions"].push_back({at[nn::Axis::time], at[nn::Axis::row], at[nn::Axis::column]});
      }
      chunks.push_back(rows);
    } else {
      chunks.push_back(chunk.tokens);
    }
    position += chunk.positions(axes);
  }
  print(Json{{"chunks", chunks}, {"n_past", position}}.dump() + '\n');
}

}  // namespace heed::cli
