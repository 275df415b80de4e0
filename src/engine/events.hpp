// The input and output of generations: requests and events.
#pragma once

#include <optional>
#include <vector>

#include "base/error.hpp"
#include "runtime/generate.hpp"

namespace heed::engine {

using runtime::TokenId;

/// The number of a generation, unique in an engine, from 1 on.
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

/// Exactly one of token, ended and error is present; the last two end the generation.
struct Event {
  GenerationId id;
  std::optional<runtime::GeneratedToken> token = {};  // with the text that this token makes final
  std::optional<Ended> ended = {};
  std::optional<Error> error = {};  // why the generation failed
};

}  // namespace heed::engine
