// The input and output of generations: requests and events.
#pragma once

#include <optional>
#include <vector>

#include "base/error.hpp"
#include "runtime/generate.hpp"

namespace heed::engine {

using runtime::TokenId;

/// Unique in an engine, from 1 on.
enum class GenerationId : int {};
enum class SessionId : int {};
enum class AdapterId : int {};

struct Request {
  std::vector<TokenId> prompt;  // follows the session's tokens
  runtime::GenerateOptions options = {};
  std::optional<SessionId> session = {};  // the one to continue; absent: none
  bool whole = false;  // the prompt is the session's text from its beginning, and takes the place of what it holds
};

/// The end of a generation, after the events of its tokens.
struct Ended {
  runtime::FinishReason reason;
  std::optional<TokenId> end_token;  // the end-of-generation token that ended it; not part of the text
  runtime::Timings timings;
};

/// Exactly one of the three is present; the last two are the last event of the generation.
struct Event {
  GenerationId id;
  std::optional<runtime::GeneratedToken> token = {};  // with the text that is certain with it
  std::optional<Ended> ended = {};
  std::optional<Error> error = {};  // why it failed
};

}  // namespace heed::engine
