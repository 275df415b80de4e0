#include "outside_constraint.hpp"

#include <span>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "convert.hpp"

namespace heed::bindings {

OutsideConstraint::OutsideConstraint(val text, std::size_t vocabulary) : text_(std::move(text)), mask_((vocabulary + 63) / 64) {}

OutsideConstraint::~OutsideConstraint() { text_.call<void>("end"); }

val OutsideConstraint::checked(val result) const {
  if (result.isNull()) throw Error(ErrorCode::unsupported, text_["failure"].as<std::string>(), "constraint");
  return result;
}

sampling::TokenMask OutsideConstraint::mask() {
  const val words = checked(text_.call<val>("mask"));
  view(std::span(reinterpret_cast<std::uint32_t*>(mask_.data()), 2 * mask_.size())).call<void>("set", words);
  return mask_;
}

void OutsideConstraint::accept(tokenizer::TokenId id) { checked(text_.call<val>("accept", id)); }
bool OutsideConstraint::finished() { return checked(text_.call<val>("finished")).as<bool>(); }
std::string OutsideConstraint::forced() { return checked(text_.call<val>("forced")).as<std::string>(); }

val to_javascript(const grammar::TokenTexts& texts) {
  const std::string_view stored = texts.stored();
  return copy(std::span(reinterpret_cast<const std::uint8_t*>(stored.data()), stored.size()));
}

}  // namespace heed::bindings
