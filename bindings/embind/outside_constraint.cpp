#include "outside_constraint.hpp"

#include <span>
#include <utility>

#include "base/error.hpp"
#include "convert.hpp"

namespace heed::bindings {

OutsideConstraint::OutsideConstraint(val text, std::size_t vocabulary) : text_(std::move(text)), mask_((vocabulary + 63) / 64) {}

OutsideConstraint::~OutsideConstraint() { text_.call<void>("end"); }

val OutsideConstraint::told(val result) const {
  if (result.isNull()) throw Error(ErrorCode::unsupported, text_["failure"].as<std::string>(), "constraint");
  return result;
}

sampling::TokenMask OutsideConstraint::mask() {
  const val words = told(text_.call<val>("mask"));
  view(std::span(reinterpret_cast<std::uint32_t*>(mask_.data()), 2 * mask_.size())).call<void>("set", words);
  return mask_;
}

void OutsideConstraint::accept(tokenizer::TokenId id) { told(text_.call<val>("accept", id)); }
bool OutsideConstraint::finished() { return told(text_.call<val>("finished")).as<bool>(); }
std::string OutsideConstraint::forced() { return told(text_.call<val>("forced")).as<std::string>(); }

val to_javascript(const grammar::TokenTexts& texts) {
  const std::size_t size = texts.size();
  const val all = val::global("Uint8Array").new_(static_cast<double>(5 * size + texts.bytes.size()));
  const auto put = [&all](const void* bytes, std::size_t count, std::size_t at) {
    all.call<void>("set", view(std::span(static_cast<const std::uint8_t*>(bytes), count)), static_cast<double>(at));
  };
  put(texts.ends.data(), 4 * size, 0);
  put(texts.uses.data(), size, 4 * size);
  put(texts.bytes.data(), texts.bytes.size(), 5 * size);
  return all;
}

}  // namespace heed::bindings
