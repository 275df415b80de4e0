// What goes into a generation and what comes out of it, step by step.
#pragma once

#include <optional>
#include <vector>

#include "base/error.hpp"
#include "runtime/generate.hpp"

namespace heed::engine {

using runtime::TokenId;

/// Numbers that an engine gives out: from 1 on, each once.
enum class GenerationId : int {};
enum class SessionId : int {};

struct Request {
  std::vector<TokenId> prompt;  // follows the session's tokens
  runtime::GenerateOptions options = {};
  std::optional<SessionId> session = {};  // the one to continue; absent: none
  bool whole = false;  // the prompt is the session's text from its beginning, and takes the place of what it holds
};

/// A generation reached its end; its tokens were events before.
struct Ended {
  runtime::FinishReason reason;
  std::optional<TokenId> end_token;  // the end-of-generation token that it ended at; no part of the text
  runtime::Timings timings;
};

/// One of these three; after the last two, the generation has no more events.
struct Event {
  GenerationId id;
  std::optional<runtime::GeneratedToken> token = {};  // with the text that may be shown with it
  std::optional<Ended> ended = {};
  std::optional<Error> error = {};  // why it failed
};

}  // namespace heed::engine
