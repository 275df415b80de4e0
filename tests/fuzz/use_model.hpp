// A model as a fuzzer uses it: reads a text, saves and restores it, and writes.
#pragma once

#include <cstdlib>

#include "runtime/generate.hpp"
#include "runtime/load.hpp"
#include "runtime/session.hpp"
#include "support/next_token.hpp"
#include "support/reader.hpp"

namespace heed::test {

inline constexpr std::size_t kSmallContext = 16;

inline runtime::LoadOptions small_limits() {
  runtime::LoadOptions options;
  options.memory_limit = std::uint64_t{64} << 20;
  options.context_length = kSmallContext;
  options.parallel = 1;
  return options;
}

/// A saved text is the same once it is restored.
inline void save_and_restore(runtime::Workspace& workspace, std::span<const runtime::TokenId> tokens) {
  runtime::Session session(workspace);
  session.tokens.assign(tokens.begin(), tokens.end());
  session.sequence.forward(tokens, {});
  const std::vector<std::byte> saved = session.save();
  if (runtime::restore_session(workspace, saved).save() != saved) std::abort();
}

inline void use(const runtime::Model& model, std::size_t most_tokens = 2) {
  Reader reader(model);
  const auto tokens = model.tokenizer().encode("the end");
  if (model.info().embeds && !tokens.empty()) reader.encode(tokens);
  if (!model.info().generates) return;
  if (!model.encoder()) save_and_restore(reader.workspace(), tokens);
  runtime::GenerateOptions options;
  options.max_tokens = most_tokens;
  runtime::Generation generation(reader.sequence(), tokens, options);
  while (next_token(generation)) continue;
}

}  // namespace heed::test
