// A real model's greedy text, byte for byte.
#include <catch2/catch_test_macros.hpp>

#include "kernels/dispatch.hpp"
#include "runtime/generate.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/next_token.hpp"
#include "support/reader.hpp"

using namespace heed;

TEST_CASE("stories260K writes the story that it always writes", "[golden][shared]") {
  const auto file = test::read_bytes(test::shared_file("models/stories260K.gguf"));
  const std::string story = test::read_text(test::shared_file("models/stories260K.txt"));
  constexpr std::string_view kPrompt = "Once upon a time";
  for (const kernels::Kernels* target : kernels::available()) {
    for (const std::size_t threads : {1, 2}) {
      runtime::LoadOptions load;
      load.target = target->name;
      load.threads = threads;
      const auto model = test::load_bytes(file, load);
      test::Reader reader(*model);
      runtime::GenerateOptions options;
      options.max_tokens = 196;
      options.sampling.temperature = 0;
      runtime::Generation generation(reader.sequence(), model->tokenizer().encode(kPrompt), options);
      std::string text(kPrompt);
      while (const auto token = test::next_token(generation)) text += token->text;
      INFO(target->name << ", " << threads << " threads");
      CHECK(generation.generated().size() == 196);
      CHECK(text.substr(0, story.size()) == story);
    }
  }
}
