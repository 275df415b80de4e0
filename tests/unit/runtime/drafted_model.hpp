// Models that draft, for tests: by heads, an assistant, EAGLE or a model beside them; and texts that they write.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "models/drafts.hpp"
#include "runtime/drafts/draft_file.hpp"
#include "runtime/scheduler.hpp"
#include "support/load.hpp"
#include "support/next_token.hpp"
#include "unit/runtime/family_model.hpp"

namespace heed::test {

using namespace heed::runtime;

constexpr std::size_t kDraftContext = 96;
inline const std::vector<TokenId> kFew = {5, 6, 7};

/// Leaves only the rows of the few tokens in a table.
inline void leave_few(Tensor& table) {
  for (std::size_t i = 0; i < table.values.size(); ++i)
    if (const auto id = static_cast<TokenId>(i / table.shape[1]); id < kFew.front() || id > kFew.back()) table.values[i] = 0;
}

/// The metadata of a family under the name of another.
inline Values values_as(const std::string& family, const std::string& name) {
  Values values;
  for (const auto& [key, value] : values_of(family))
    values[key.starts_with(family + ".") ? name + key.substr(family.size()) : key] = value;
  values["general.architecture"] = name;
  values[name + ".context_length"] = static_cast<std::int64_t>(kDraftContext);
  values[name + ".feed_forward_length"] = std::int64_t{40};
  return values;
}

/// Heads that propose the few tokens to which `few()` holds the text.
inline void propose_few(Tensors& tensors) {
  Tensors heads;
  for (const auto& [name, tensor] : tensors) {
    const auto at = name.find("nextn.eh_proj");
    if (at == std::string::npos) continue;
    const std::size_t vocabulary = tensors.at("token_embd.weight").shape[0], width = tensor.shape[0];
    std::vector<float> values(vocabulary * width);
    for (const TokenId id : kFew)
      for (std::size_t i = 0; i < width; ++i)
        values[static_cast<std::size_t>(id) * width + i] = static_cast<float>((i * 7 + static_cast<std::size_t>(id) * 5) % 11) - 5;
    heads[name.substr(0, at) + "nextn.shared_head_head.weight"] = {{vocabulary, width}, std::move(values)};
  }
  tensors.merge(heads);
}

inline std::vector<std::byte> model_with_heads(const std::string& architecture, std::int64_t heads) {
  return family_model(architecture, kDraftContext, {{"nextn_predict_layers", heads}, {"full_attention_interval", std::int64_t{3}}},
                      propose_few);
}

/// An assistant for the family gemma4.
inline Values assistant_values() {
  Values values = values_as("gemma4", "gemma4-assistant");
  values["gemma4-assistant.embedding_length"] = std::int64_t{20};
  values["gemma4-assistant.embedding_length_out"] = std::int64_t{32};
  return values;
}

/// EAGLE for a family.
inline Values eagle_values(const std::string& architecture) {
  Values values = values_as("llama", "eagle3");
  values["eagle3.block_count"] = std::int64_t{1};
  values["eagle3.embedding_length"] = std::int64_t{24};
  values["eagle3.target_layers"] = formats::Metadata::Integers{0, 2, 4};
  values["eagle3.norm_before_fc"] = architecture == "llama";
  values["eagle3.norm_before_residual"] = architecture != "llama";
  return values;
}

/// DFlash for a family: a local layer among global ones.
inline Values dflash_values() {
  Values values = values_as("qwen3", "dflash");
  values["dflash.block_count"] = std::int64_t{3};
  values["dflash.embedding_length"] = std::int64_t{24};
  values["dflash.target_layers"] = formats::Metadata::Integers{0, 2, 4};
  values["dflash.block_size"] = std::int64_t{6};
  values["dflash.attention.sliding_window"] = std::int64_t{8};
  values["dflash.attention.sliding_window_pattern"] = formats::Metadata::Integers{0, 1, 0};
  values["tokenizer.ggml.mask_token_id"] = std::int64_t{2};
  return values;
}

/// A file of these values that drafts for `target`; its table of logits leaves only the few tokens.
inline std::vector<std::byte> draft_for(const std::vector<std::byte>& target, const Values& values, const std::string& table) {
  const auto model = load_bytes(target);
  Values more;
  if (const auto mask = values.find("tokenizer.ggml.mask_token_id"); mask != values.end()) more.insert(*mask);
  return file_of(
      models::draft_spec(metadata_of(values), true, model->spec()), values, [&](Tensors& tensors) { leave_few(tensors.at(table)); },
      more);
}

/// A model, and a workspace that drafts: by its own heads, or by the model in `draft`.
struct Drafted {
  std::unique_ptr<Model> model;
  std::unique_ptr<Workspace> workspace;

  explicit Drafted(const std::vector<std::byte>& file, const std::vector<std::byte>& draft = {}, std::size_t threads = 1,
                   KvType cache = KvType::f32) {
    LoadOptions options;
    options.threads = threads;
    options.kv_cache = cache;
    options.draft_heads = draft.empty() ? OwnHeads::required : OwnHeads::off;
    model = load_bytes(file, options);
    workspace = std::make_unique<Workspace>(*model);
    LoadOptions beside;
    beside.threads = threads;
    beside.kv_cache = cache;
    beside.drafts_for = model.get();
    workspace->use(make_drafter(*workspace, draft.empty() ? nullptr : load_bytes(draft, beside, 1 << 20, &kDraftFile)));
  }
};

struct Written {
  std::vector<TokenId> tokens;
  std::string text;
  std::vector<float> logprobs;
  std::vector<std::size_t> places;  // of the tokens in their drafts
  FinishReason reason{};
  Timings timings;

  bool operator==(const Written& other) const {
    return tokens == other.tokens && text == other.text && logprobs == other.logprobs && reason == other.reason;
  }
};

inline Written write(Sequence& sequence, const std::vector<TokenId>& prompt, const GenerateOptions& options) {
  Generation generation(sequence, prompt, options);
  Written written;
  while (const auto token = next_token(generation)) {
    written.text += token->text;
    written.logprobs.push_back(token->logprob);
    written.places.push_back(token->draft);
    for (const auto& other : token->alternatives) written.logprobs.push_back(other.logprob);
  }
  written.tokens.assign(generation.generated().begin(), generation.generated().end());
  written.reason = *generation.finish_reason();
  written.timings = generation.timings();
  const auto read = sequence.tokens(), text = generation.text();
  REQUIRE(read.size() <= text.size());
  CHECK(std::equal(read.begin(), read.end(), text.begin()));
  return written;
}

/// Tokens and timings say the same of drafts.
inline void check_places(const Written& written) {
  std::vector<DraftPlace> places;
  std::size_t drafted = 0, right = 0, last = 0;
  for (const auto& place : written.timings.draft_places) {
    if (place.drafted == 0) break;
    CHECK(place.right <= place.drafted);
    CHECK((places.empty() || place.drafted <= places.back().drafted));
    drafted += place.drafted;
    right += place.right;
    places.push_back({place.drafted, 0});
  }
  CHECK(drafted == written.timings.drafts().drafted);
  CHECK(right == written.timings.drafts().right);
  REQUIRE(written.places.size() == written.tokens.size());
  for (const std::size_t place : written.places) {
    REQUIRE(place <= places.size());
    CHECK((place <= 1 || place == last + 1));
    if (place > 0) ++places[place - 1].right;
    last = place;
  }
  for (std::size_t i = 0; i < places.size(); ++i) CHECK(places[i].right == written.timings.draft_places[i].right);
}

inline std::vector<TokenId> some_prompt(std::size_t i) {
  std::vector<TokenId> prompt;
  for (std::size_t t = 0; t < 3 + i % 40; ++t) prompt.push_back(static_cast<TokenId>(3 + t * (i + 1) % 11));
  return prompt;
}

/// `few`: held to the few tokens.
inline GenerateOptions some_options(std::size_t i, bool few = true) {
  GenerateOptions options;
  options.max_tokens = 1 + i * 3 % 40;
  options.stop_at_end = i % 2 == 0;
  options.top_logprobs = i % 3;
  options.sampling.seed = i;
  options.sampling.temperature = static_cast<float>(i % 4) * 0.5f;
  options.sampling.top_k = 0;
  options.sampling.top_p = 1;
  options.sampling.min_p = 0;
  for (const TokenId id : kFew)
    if (few && i % 8 != 3) options.sampling.logit_bias.emplace_back(id, 60.0f);
  if (i % 5 == 1) options.sampling.presence_penalty = 0.3f;
  if (i % 6 == 1) options.stop = {"e", " t"};
  if (i % 7 == 1) options.context_shift = 5;
  options.drafts = 1 + i % 8;
  return options;
}

}  // namespace heed::test
