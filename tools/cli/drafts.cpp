// heed drafts, heed draft-loop: what heads and small models propose, and a greedy text with these drafts, for comparison with others.
#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "runtime/drafts/draft_file.hpp"
#include "runtime/drafts/drafting.hpp"
#include "runtime/sequence.hpp"

namespace heed::cli {
namespace {

using runtime::TokenId;

/// A model with what drafts for it.
struct Drafted {
  std::unique_ptr<runtime::Model> model;
  std::unique_ptr<runtime::Workspace> workspace;
};

struct DraftOptions {
  ModelOptions model;
  std::string draft;
  std::vector<TokenId> tokens;

  /// Keys and values are in f32, as in other engines.
  DraftOptions() { model.loading.kv_cache = KvType::f32; }
  void add_to(CLI::App& command) {
    model.add_to(command);
    command.add_option("--draft", draft, "The file that drafts; by default the model's own heads")->option_text("FILE");
    command.add_option("--tokens", tokens, "Token ids of the text")->required()->delimiter(',')->option_text("ID,...");
  }
  Drafted open() const {
    runtime::LoadOptions options = model.load_options();
    options.draft_heads = draft.empty() ? runtime::OwnHeads::required : runtime::OwnHeads::off;
    Drafted opened;
    opened.model = runtime::load_file(model.path, options);
    opened.workspace = std::make_unique<runtime::Workspace>(*opened.model);
    std::shared_ptr<runtime::Model> file;
    if (!draft.empty()) {
      runtime::LoadOptions beside = model.load_options();
      beside.drafts_for = opened.model.get();
      file = runtime::load_file(draft, beside, &runtime::kDraftFile);
    }
    opened.workspace->use(runtime::make_drafter(*opened.workspace, std::move(file)));
    return opened;
  }
};

struct Drafts {
  DraftOptions options;
  std::size_t steps = 4, from = 0, to = std::numeric_limits<std::size_t>::max();
  std::string out, force;

  void operator()() const;
};

/// Position by position: the draft after the text so far, then its next token is read.
void Drafts::operator()() const {
  const Drafted opened = options.open();
  runtime::Drafter& drafter = *opened.workspace->drafter();
  const std::vector<TokenId>& tokens = options.tokens;
  const Json forced = force.empty() ? Json::array() : Json::parse(force);
  std::vector<float> first, further;
  runtime::Sequence sequence(*opened.workspace);
  for (std::size_t p = 0; p < tokens.size(); ++p) {
    const bool asked = p >= from && p < to;
    const std::size_t count = asked ? std::min(steps, drafter.most()) : 1;
    if (drafter.begin(sequence, std::span(tokens).first(p + 1), count) == runtime::DraftStart::ready) {
      Json ids = Json::array();
      TokenId last = tokens[p];
      for (std::size_t i = 0; i < count; ++i) {
        const std::span<const float> logits = drafter.next(last);
        if (i == 0 && !drafter.at_once()) first.insert(first.end(), logits.begin(), logits.end());
        if (asked) further.insert(further.end(), logits.begin(), logits.end());
        last = runtime::best_of_ten(logits).id;
        if (asked && p - from < forced.size()) last = forced.at(p - from).at(i).get<TokenId>();
        ids.push_back(last);
      }
      if (asked) print(ids.dump() + '\n');
    }
    sequence.forward(std::span(tokens).subspan(p, 1), {});
  }
  OutputFile file(out);
  for (const std::vector<float>* part : {&first, &further}) {
    const auto bytes = std::as_bytes(std::span(*part));
    file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  file.close();
}

struct DraftLoop {
  DraftOptions options;
  std::size_t most = 3, tokens = 32;
  double least = 0;

  void operator()() const;
};

void DraftLoop::operator()() const {
  const Drafted opened = options.open();
  runtime::Drafter& drafter = *opened.workspace->drafter();
  const std::size_t vocabulary = opened.model->info().vocabulary;
  runtime::Sequence sequence(*opened.workspace);
  std::vector<TokenId> text = options.tokens;
  std::vector<float> logits(vocabulary);
  for (std::size_t at = 0; at < text.size();) {
    const auto next = std::span(text).subspan(at, sequence.next_pass(std::span(text).subspan(at)));
    at += next.size();
    sequence.forward(next, at == text.size() ? std::span<float>(logits) : std::span<float>());
  }
  text.push_back(runtime::best_of_ten(logits).id);
  Json rounds = Json::array(), generated = Json::array({text.back()});
  for (;;) {
    const std::size_t left = tokens - std::min(tokens, generated.size());
    const std::size_t wanted = left == 0 ? 0 : std::min({most, drafter.most(), left - 1, sequence.reserve_guesses(most)});
    std::vector<TokenId> read = {text.back()};
    if (wanted > 0 && drafter.begin(sequence, text, wanted) == runtime::DraftStart::ready)
      while (read.size() <= wanted) {
        const runtime::BestToken best = runtime::best_of_ten(drafter.next(read.back()));
        if (best.probability < least) break;
        read.push_back(best.id);
      }
    if (left == 0) {
      rounds.push_back({{"draft", Json::array()}, {"accepted", 0}});
      break;
    }
    logits.resize(read.size() * vocabulary);
    const runtime::ForwardInput input{&sequence, read, read.size(), nullptr, read.size() - 1};
    runtime::forward(*opened.workspace, {&input, 1}, logits);
    std::size_t right = 0;
    for (std::size_t row = 0; row < read.size(); ++row) {
      text.push_back(runtime::best_of_ten(std::span(logits).subspan(row * vocabulary, vocabulary)).id);
      generated.push_back(text.back());
      if (row + 1 == read.size() || text.back() != read[row + 1]) break;
      ++right;
    }
    sequence.truncate(text.size() - 1);
    Json draft = Json::array();
    for (const TokenId id : std::span(read).subspan(1)) draft.push_back(id);
    rounds.push_back({{"draft", draft}, {"accepted", right}});
  }
  print(Json{{"generated", generated}, {"rounds", rounds}}.dump() + '\n');
}

}  // namespace

void add_drafts(CLI::App& program) {
  auto* command = program.add_subcommand("drafts", "Writes the logits of drafts after each position, and prints their tokens");
  auto drafts = std::make_shared<Drafts>();
  drafts->options.add_to(*command);
  command->add_option("--steps", drafts->steps, "Tokens of a draft")->option_text("N [4]");
  command->add_option("--from", drafts->from, "First position of whole drafts")->option_text("N [0]");
  command->add_option("--to", drafts->to, "Position after the last of them")->option_text("N");
  command->add_option("--force", drafts->force, "Tokens to go on from instead of the drafted ones, by position, as JSON")
      ->option_text("IDS");
  command
      ->add_option("--out", drafts->out,
                   "File to write: first steps of all positions, unless a draft is made at once; then all steps")
      ->required()
      ->option_text("FILE");
  command->callback([drafts] { (*drafts)(); });

  auto* looped = program.add_subcommand("draft-loop", "Continues a text greedily with drafts, and prints these as JSON");
  auto loop = std::make_shared<DraftLoop>();
  loop->options.add_to(*looped);
  looped->add_option("--n-max", loop->most, "The most tokens of a draft")->option_text("N [3]");
  looped->add_option("--p-min", loop->least, "Ends a draft before a token less probable than this")->option_text("N [0]");
  looped->add_option("--max-tokens", loop->tokens, "Tokens to write")->option_text("N [32]");
  looped->callback([loop] { (*loop)(); });
}

}  // namespace heed::cli
