// Any keys and tensors in a file that drafts for a model: an Error, or drafts that leave the model's text as it is. The first byte
// chooses the model and the kind of drafts, the second whether there are keys that these drafts do not read, and the others what is
// changed. Weights are read for some inputs.
#include <cstdlib>

#include "base/error.hpp"
#include "fuzz/changed_file.hpp"
#include "fuzz/chosen.hpp"
#include "fuzz/small_family.hpp"
#include "fuzz/use_model.hpp"
#include "models/drafts.hpp"
#include "runtime/drafts/draft_file.hpp"
#include "support/load.hpp"

using namespace heed;

namespace {

constexpr std::uint64_t kLoaded = 16;  // one of so many: it takes about so many times as long

/// A model, and the metadata of a file that drafts for it.
struct Pair {
  std::string drafts;  // their architecture
  bool has_layers = true;
  std::unique_ptr<runtime::Model> model = {};
  test::Values all = {}, read = {};            // which may matter once others are changed, and what matters before
  std::vector<tokenizer::TokenId> plain = {};  // the text without drafts
};

std::vector<tokenizer::TokenId> write(runtime::Workspace& workspace, bool speculate) {
  runtime::GenerateOptions options;
  options.max_tokens = 8;
  options.stop_at_end = false;
  options.speculate = speculate;
  options.sampling.temperature = 0;
  runtime::Sequence sequence(workspace);
  runtime::Generation generation(sequence, std::vector<tokenizer::TokenId>{5, 6, 7, 5, 6}, options);
  while (test::next_token(generation)) continue;
  return {generation.generated().begin(), generation.generated().end()};
}

nn::ModelSpec spec_of(const Pair& pair, const formats::Metadata& metadata) {
  return models::draft_spec(metadata, pair.has_layers, pair.model->spec());
}

Pair make(const std::string& target, const std::string& family, const std::string& drafts, const test::Values& more,
          bool has_layers) {
  Pair pair{drafts, has_layers};
  test::Values small = test::small_sizes();
  small.insert(test::small_vocabulary().begin(), test::small_vocabulary().end());
  pair.model = test::load_bytes(test::family_model(target, test::kSmallContext, small), test::small_limits());
  for (const auto& [key, value] : test::small_values(family))
    pair.all[key.starts_with(family + ".") ? drafts + key.substr(family.size()) : key] = value;
  pair.all["general.architecture"] = drafts;
  for (const auto& [key, value] : more) pair.all[key.starts_with("tokenizer.") ? key : drafts + "." + key] = value;
  pair.read = test::only_read(pair.all, [&](const test::Values& values) { spec_of(pair, test::metadata_of(values)); });
  runtime::Workspace workspace(*pair.model);
  pair.plain = write(workspace, false);
  return pair;
}

std::vector<Pair> make_pairs() {
  using Integer = std::int64_t;
  const test::Values eagle = {{"block_count", Integer{1}},
                              {"embedding_length", Integer{12}},
                              {"target_layers", formats::Metadata::Integers{0, 2, 4}},
                              {"norm_before_fc", true}};
  const test::Values dflash = {{"block_count", Integer{2}},
                               {"embedding_length", Integer{12}},
                               {"target_layers", formats::Metadata::Integers{0, 2, 4}},
                               {"block_size", Integer{4}},
                               {"attention.sliding_window", Integer{3}},
                               {"attention.sliding_window_pattern", formats::Metadata::Integers{0, 1}},
                               {"tokenizer.ggml.mask_token_id", Integer{2}}};
  const test::Values heads = {{"nextn_predict_layers", Integer{1}}, {"full_attention_interval", Integer{3}}};
  std::vector<Pair> pairs;
  for (const char* target : {"llama", "gemma3", "qwen35"}) pairs.push_back(make(target, "llama", "eagle3", eagle, true));
  for (const char* target : {"llama", "gemma3"}) pairs.push_back(make(target, "qwen3", "dflash", dflash, true));
  pairs.push_back(make("gemma4", "gemma4", "gemma4-assistant",
                       {{"embedding_length", Integer{12}}, {"embedding_length_out", Integer{16}}}, true));
  for (const char* target : {"qwen35", "qwen35moe", "step35"}) pairs.push_back(make(target, target, target, heads, false));
  for (const char* drafts : {"llama", "mamba", "rwkv7"}) pairs.push_back(make("llama", drafts, drafts, {}, true));
  return pairs;
}

void run(const Pair& pair, test::Input input, bool loads) {
  const test::Values& values = input.below(8) == 0 ? pair.all : pair.read;
  const test::KeyChanges changes = test::some_key_changes(pair.drafts, input);
  const nn::ModelSpec spec = spec_of(pair, test::metadata_of(values, changes));
  if (!loads) return;
  const std::vector<std::byte> file = test::changed_file(spec, test::changed(values, changes), input);
  if (file.empty()) return;
  runtime::LoadOptions options = test::small_limits();
  options.drafts_for = pair.model.get();
  runtime::Workspace workspace(*pair.model);
  workspace.use(runtime::make_drafter(workspace, test::load_bytes(file, options, std::size_t{1} << 20, &runtime::kDraftFile)));
  if (write(workspace, true) != pair.plain) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Pair> pairs = make_pairs();
  const std::span bytes(data, size);
  test::Input input(bytes);
  try {
    const Pair& pair = pairs[input.below(pairs.size())];
    run(pair, input, test::is_chosen(bytes, kLoaded));
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
