// Adapts grammar::Constraint to sampling::Constraint.
#pragma once

#include <memory>
#include <string>

#include "grammar/constraint.hpp"
#include "grammar/masks/masks.hpp"
#include "sampling/constraint.hpp"

namespace heed::engine {

/// Restricts one generated text to the language of `masks`, which must be for the model's vocabulary. Throws unsupported if a token
/// takes too much work.
///
///     auto masks = std::make_shared<grammar::Masks>(grammar::make_gbnf_language(text), table);
///     engine.begin({prompt}, std::make_unique<GrammarConstraint>(masks));
class GrammarConstraint final : public sampling::Constraint {
 public:
  explicit GrammarConstraint(std::shared_ptr<grammar::Masks> masks);

  sampling::TokenMask mask() override;
  void accept(tokenizer::TokenId id) override;
  bool finished() override;
  std::string forced() override;

 private:
  grammar::Constraint text_;
};

}  // namespace heed::engine
