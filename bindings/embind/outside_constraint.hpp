// A constraint whose language is in another module (bindings/constraints), called through a JavaScript object.
#pragma once

#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grammar/masks/token_texts.hpp"
#include "sampling/constraint.hpp"

namespace heed::bindings {

/// `text` is a ConstrainedText (bindings/js/worker/engine.ts). Its methods return null if they fail, with the reason in its
/// `failure`.
class OutsideConstraint final : public sampling::Constraint {
 public:
  OutsideConstraint(emscripten::val text, std::size_t vocabulary);
  ~OutsideConstraint() override;
  OutsideConstraint(const OutsideConstraint&) = delete;
  OutsideConstraint& operator=(const OutsideConstraint&) = delete;

  sampling::TokenMask mask() override;
  void accept(tokenizer::TokenId id) override;
  bool finished() override;
  std::string forced() override;

 private:
  /// Throws if `result` is null.
  emscripten::val checked(emscripten::val result) const;

  emscripten::val text_;
  std::vector<std::uint64_t> mask_;
};

/// The stored form of the texts, as a Uint8Array.
emscripten::val to_javascript(const grammar::TokenTexts& texts);

}  // namespace heed::bindings
