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
#include "engine/engine.hpp"

namespace heed::cli {
namespace {

struct Logits {
  ModelOptions model;
  ChangeOptions change;
  std::vector<tokenizer::TokenId> tokens;
  std::string out;
  std::vector<tokenizer::TokenId> decoder_tokens;
  std::optional<std::size_t> context;
  std::size_t batch = runtime::kMaxBatch;

  void operator()() const;
};

void Logits::operator()() const {
  engine::Engine engine(model.path, model.load_options(context.value_or(std::max(tokens.size(), decoder_tokens.size()))));
  const runtime::ModelInfo& info = engine.model().info();
  const bool encodes = info.embeds && info.generates;
  if (encodes == decoder_tokens.empty())
    throw Error(ErrorCode::invalid_argument,
                encodes ? "are needed: the model has an encoder and a decoder" : "are for models with an encoder and a decoder",
                "--decoder-tokens");
  engine::DecoderRun run = engine.read();
  run.change(change.changes(engine), tokens);
  if (encodes) run.encode(tokens);
  OutputFile file(out);
  for (std::span left(encodes ? decoder_tokens : tokens); !left.empty();) {
    const auto next = left.first(std::min(batch, left.size()));
    const auto bytes = std::as_bytes(*run.forward(next, next.size()));
    file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    left = left.subspan(next.size());
  }
  file.close();
}

}  // namespace

void add_logits(CLI::App& program) {
  auto* command = program.add_subcommand("logits", "Writes the logits of every position: T x V, f32, little-endian");
  auto logits = std::make_shared<Logits>();
  logits->model.kv = KvType::f32;
  logits->model.add_to(*command);
  command->add_option("--tokens", logits->tokens, "Token ids, separated by commas; none are added")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("ID,...");
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
