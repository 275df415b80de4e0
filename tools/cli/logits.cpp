// heed logits: the logits of every position, for comparison with other engines.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "cli/change_options.hpp"
#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "cli/picture_options.hpp"
#include "engine/engine.hpp"
#include "nn/decoder.hpp"

namespace heed::cli {
namespace {

struct Logits {
  ModelOptions model;
  ChangeOptions change;
  PictureOptions pictures;
  std::string prompt;
  std::vector<tokenizer::TokenId> tokens;
  std::string out;
  std::vector<tokenizer::TokenId> decoder_tokens;
  std::optional<std::size_t> context;
  std::size_t batch = runtime::kMaxBatch;
  std::optional<std::size_t> last;  // of the positions

  void operator()() const;
  void write(engine::Engine& engine, engine::DecoderRun& run, std::span<const tokenizer::TokenId> text) const;
};

/// Passes have no more tokens than asked for, except where a tile of an image must be read as a whole.
void Logits::write(engine::Engine& engine, engine::DecoderRun& run, std::span<const tokenizer::TokenId> text) const {
  runtime::PlacedTiles tiles;
  tiles.read(text, 0, engine.pictures());
  const bool whole = nn::reads_whole_tiles(engine.model().decoder()->spec().stack);
  const std::size_t skipped = text.size() - std::min(last.value_or(text.size()), text.size());
  OutputFile file(out);
  for (std::size_t at = 0; at < text.size();) {
    std::size_t count = std::min(batch, text.size() - at);
    if (whole) count = tiles.whole(at, count);
    const std::size_t rows = at + count - std::clamp(skipped, at, at + count);
    const auto bytes = std::as_bytes(*run.forward(text.subspan(at, count), rows));
    file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    at += count;
  }
  file.close();
}

void Logits::operator()() const {
  if (tokens.empty() == prompt.empty()) throw CLI::ValidationError("either --tokens or --prompt is required");
  const std::size_t given = std::max(tokens.size(), decoder_tokens.size());
  engine::Engine engine(model.path, model.load_options(context ? context : given > 0 ? std::optional(given) : std::nullopt));
  const runtime::ModelInfo& info = engine.model().info();
  const bool encodes = info.embeds && info.generates;
  if (encodes == decoder_tokens.empty())
    throw Error(ErrorCode::invalid_argument,
                encodes ? "are needed: the model has an encoder and a decoder" : "are for models with an encoder and a decoder",
                "--decoder-tokens");
  runtime::PictureText text{tokens, {}};
  if (!pictures.empty()) text = pictures.read(prompt, engine, model);
  else if (!prompt.empty()) text.tokens = engine.model().tokenizer().encode(prompt, {.parse_special = true});
  engine::DecoderRun run = engine.read();
  run.change(change.changes(engine), text.tokens);
  if (encodes) run.encode(text.tokens);
  write(engine, run, encodes ? decoder_tokens : text.tokens);
}

}  // namespace

void add_logits(CLI::App& program) {
  auto* command = program.add_subcommand("logits", "Writes the logits of every position: T x V, f32, little-endian");
  auto logits = std::make_shared<Logits>();
  logits->model.kv = KvType::f32;
  logits->model.add_to(*command);
  command->add_option("--tokens", logits->tokens, "Token ids, separated by commas; none are added")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("ID,...");
  command->add_option("-p,--prompt", logits->prompt, "A text instead, with control tokens; each image is marked as <image>")
      ->option_text("TEXT");
  command->add_option("--last", logits->last, "Write only those of the last positions")->option_text("N");
  logits->pictures.add_projector_to(*command);
  logits->pictures.add_to(*command);
  command
      ->add_option("--decoder-tokens", logits->decoder_tokens,
                   "Token ids for the decoder if --tokens is for the encoder; the logits are for these")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("ID,...");
  command->add_option("--context", logits->context, "Tokens to make room for; by default only those given")
      ->check(CLI::PositiveNumber)
      ->option_text("N");
  command->add_option("--out", logits->out, "File to write")->required()->option_text("FILE");
  command->add_option("--batch", logits->batch, "Tokens to compute at once; the logits do not depend on it")
      ->check(CLI::Range(std::size_t{1}, runtime::kMaxBatch))
      ->option_text("N [" + std::to_string(logits->batch) + "]");
  logits->change.add_to(*command);
  command->callback([logits] { (*logits)(); });
}

}  // namespace heed::cli
