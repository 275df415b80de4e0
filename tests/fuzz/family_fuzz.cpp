// Any keys and tensors in the file of any family: an Error, or a model that processes and generates text. The first byte chooses the
// family, the second whether weights are read, too, which takes forty times as long, and the others what is changed.
#include <cstdlib>

#include "base/error.hpp"
#include "fuzz/changed_file.hpp"
#include "fuzz/use_model.hpp"
#include "support/load.hpp"

using namespace heed;

namespace {

constexpr const char* kVocabulary = "tokenizer.ggml.tokens";

/// Sizes as those of family_model(); a vocabulary of few tokens, which are copied for each run.
test::Values small_values(const std::string& architecture) {
  test::Values values = test::values_of(architecture);
  for (const auto& [key, value] : {std::pair{"embedding_length", 32}, {"context_length", 64}, {"feed_forward_length", 40}})
    values[architecture + "." + key] = std::int64_t{value};
  test::mix_layers(values, architecture);
  values[kVocabulary] = formats::Metadata::Strings(16, "x");
  return values;
}

void run(test::Input input) {
  static const std::vector<test::Values> families = [] {
    std::vector<test::Values> all;
    for (const std::string architecture : test::kArchitectures) all.push_back(small_values(architecture));
    return all;
  }();
  const std::size_t family = input.below(families.size());
  test::Values values = families[family];
  const bool loads = input.below(64) == 0;
  test::change_keys(values, test::kArchitectures[family], input);
  test::spec_of(values);
  if (!loads) return;
  values[kVocabulary] = formats::Metadata::Strings(320, "x");  // as in the file
  const std::vector<std::byte> file = test::changed_file(test::spec_of(values), values, input);
  if (!file.empty()) test::use(*test::load_bytes(file, test::small_limits()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    run(test::Input({data, size}));
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
