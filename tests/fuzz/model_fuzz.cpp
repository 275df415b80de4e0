// Any bytes as a model file: an Error, or a model that processes and generates text. The seeds are whole models of every family.
#include <cstdlib>

#include "base/error.hpp"
#include "runtime/generate.hpp"
#include "runtime/load.hpp"
#include "support/next_token.hpp"
#include "support/reader.hpp"

using namespace heed;

namespace {

void use(const runtime::Model& model) {
  test::Reader reader(model);
  const auto tokens = model.tokenizer().encode("the end");
  if (model.info().embeds && !tokens.empty()) reader.encode(tokens);
  if (!model.info().generates) return;
  runtime::GenerateOptions options;
  options.max_tokens = 2;
  runtime::Generation generation(reader.sequence(), tokens, options);
  while (test::next_token(generation)) continue;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    runtime::LoadOptions options;
    options.memory_limit = std::uint64_t{64} << 20;
    options.context_length = 64;
    runtime::Loader loader(std::move(options));
    loader.write(std::as_bytes(std::span(data, size)));
    use(*loader.finish());
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
