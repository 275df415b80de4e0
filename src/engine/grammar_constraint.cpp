#include "engine/grammar_constraint.hpp"

#include <utility>

#include "base/error.hpp"
#include "grammar/refusal.hpp"

namespace heed::engine {
namespace {

/// More than a pass takes guesses for.
constexpr std::size_t kMostForced = 256;

/// Runs `action`; a refusal becomes the engine's error.
template <class Action>
auto told(Action action) {
  try {
    return action();
  } catch (const grammar::Refusal& refusal) {
    throw Error(ErrorCode::unsupported, refusal.message, "constraint");
  }
}

}  // namespace

GrammarConstraint::GrammarConstraint(std::shared_ptr<grammar::Masks> masks) : text_(std::move(masks)) {}

sampling::TokenMask GrammarConstraint::mask() {
  return told([&] { return text_.mask(); });
}

void GrammarConstraint::accept(tokenizer::TokenId id) {
  if (!told([&] { return text_.accept(id); }))
    throw Error(ErrorCode::invalid_argument, "does not allow token " + std::to_string(id), "constraint");
}

bool GrammarConstraint::finished() {
  return told([&] { return text_.finished(); });
}

std::string GrammarConstraint::forced() {
  return told([&] { return text_.forced(kMostForced); });
}

}  // namespace heed::engine
