// heed logits: the logits of every position, for comparison with other engines.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/add_option.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/text_options.hpp"

namespace heed::cli {
namespace {

struct Logits {
  TextOptions options;
  std::string out;
  std::vector<tokenizer::TokenId> decoder_tokens;
  std::optional<std::size_t> last;  // of the positions

  void operator()() const;
  void write(std::span<const float> logits) const;
  void write(engine::DecoderRun& run, std::span<const tokenizer::TokenId> tokens) const;
};

void Logits::write(engine::DecoderRun& run, std::span<const tokenizer::TokenId> tokens) const {
  const std::size_t skipped = tokens.size() - std::min(last.value_or(tokens.size()), tokens.size());
  OutputFile file(out);
  for (std::size_t at = 0; at < tokens.size();) {
    const std::size_t count = options.next_pass(run, tokens.subspan(at));
    const std::size_t rows = at + count - std::clamp(skipped, at, at + count);
    const auto bytes = std::as_bytes(*run.forward(tokens.subspan(at, count), rows));
    file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    at += count;
  }
  file.close();
}

/// Of a model that reads both sides of a text.
void Logits::write(std::span<const float> logits) const {
  OutputFile file(out);
  const auto bytes = std::as_bytes(logits);
  file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  file.close();
}

void Logits::operator()() const {
  engine::Engine engine = options.open(decoder_tokens.size());
  const runtime::ModelInfo& info = engine.model().info();
  const bool encodes = info.embeds && info.generates;
  if (encodes == decoder_tokens.empty())
    throw Error(ErrorCode::invalid_argument,
                encodes ? "are needed: the model has an encoder and a decoder" : "are for models with an encoder and a decoder",
                "--decoder-tokens");
  const runtime::PictureText text = options.text(engine);
  if (!info.generates) return write(*engine.predict(text.tokens));
  const std::unique_ptr<engine::DecoderRun> run = options.begin(engine, text.tokens);
  if (encodes) run->encode(text.tokens);
  write(*run, encodes ? decoder_tokens : text.tokens);
}

}  // namespace

void add_logits(CLI::App& program) {
  auto* command = program.add_subcommand("logits", "Writes the logits of every position: T x V, f32, little-endian");
  auto logits = std::make_shared<Logits>();
  logits->options.add_to(*command);
  command->add_option("--last", logits->last, "Write only those of the last positions")->option_text("N");
  add_list(*command, "--decoder-tokens", logits->decoder_tokens, "ID,...",
           "Token ids for the decoder if --tokens is for the encoder; the logits are for these");
  command->add_option("--out", logits->out, "File to write")->required()->option_text("FILE");
  command->callback([logits] { (*logits)(); });
}

}  // namespace heed::cli
