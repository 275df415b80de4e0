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
  std::optional<SessionId> session = {};  // the session to continue, if any
  bool whole = false;                     // the prompt replaces the session's text, instead of following it
};

/// The end of a generation: its last event.
struct Ended {
  runtime::FinishReason reason;
  std::optional<TokenId> end_token;  // the end-of-generation token that ended it; not part of the text
  runtime::Timings timings;
};

/// Exactly one of the three is present; the last two are the last event of the generation.
struct Event {
  GenerationId id;
  std::optional<runtime::GeneratedToken> token = {};  // with the text that is final with this token
  std::optional<Ended> ended = {};
  std::optional<Error> error = {};  // the reason of a failure
};

}  // namespace heed::engine
