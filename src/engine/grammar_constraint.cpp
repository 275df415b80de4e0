#include "engine/grammar_constraint.hpp"

#include <utility>

#include "base/error.hpp"
#include "grammar/refusal.hpp"

namespace heed::engine {
namespace {

/// The maximum number of forced bytes to ask for: more than one pass can speculate on.
constexpr std::size_t kMostForced = 256;

/// Runs `action`, and converts a Refusal to an Error.
template <class Action>
auto converting_refusals(Action action) {
  try {
    return action();
  } catch (const grammar::Refusal& refusal) {
    throw Error(ErrorCode::unsupported, refusal.message, "constraint");
  }
}

}  // namespace

GrammarConstraint::GrammarConstraint(std::shared_ptr<grammar::Masks> masks) : text_(std::move(masks)) {}

sampling::TokenMask GrammarConstraint::mask() {
  return converting_refusals([&] { return text_.mask(); });
}

void GrammarConstraint::accept(tokenizer::TokenId id) {
  if (!converting_refusals([&] { return text_.accept(id); }))
    throw Error(ErrorCode::invalid_argument, "does not allow token " + std::to_string(id), "constraint");
}

bool GrammarConstraint::finished() {
  return converting_refusals([&] { return text_.finished(); });
}

std::string GrammarConstraint::forced() {
  return converting_refusals([&] { return text_.forced(kMostForced); });
}

}  // namespace heed::engine
