// One generation in passes of its own, token by token.
#pragma once

#include <optional>

#include "runtime/scheduler.hpp"

namespace heed::test {

/// Runs passes until there is a token, and returns it; absent after the end. If a pass is interrupted, the generation ends with
/// FinishReason::abort.
inline std::optional<runtime::GeneratedToken> next_token(runtime::Generation& generation) {
  for (runtime::Generation* const alone = &generation;;) {
    if (auto token = generation.pop_token()) return token;
    if (generation.ended()) return std::nullopt;
    if (!runtime::run_together(generation.sequence().workspace(), {&alone, 1})) generation.abort();
  }
}

}  // namespace heed::test
