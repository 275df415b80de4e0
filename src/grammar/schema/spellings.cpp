#include "grammar/schema/spellings.hpp"

#include "grammar/refusal.hpp"
#include "grammar/regular/characters.hpp"
#include "grammar/regular/numbers.hpp"
#include "grammar/schema/number_spellings.hpp"

namespace heed::grammar {

Spellings::Spellings(RegularPool& pool, bool any_escapes) : pool_(pool) {
  const auto word = [&](std::string_view text) { return Scalars{pool.literal(text), pool.literal(text), true}; };
  null_ = word("null");
  true_ = word("true");
  false_ = word("false");

  const auto digits = [&](std::uint32_t min) { return pool.repeat(pool.bytes(ByteSet::range('0', '9')), min, std::nullopt); };
  const Regular sign = pool.optional(pool.literal("-")), point = pool.literal(".");
  const Regular integer = pool.concat(
      {sign, pool.any_of({pool.literal("0"), pool.concat({pool.bytes(ByteSet::range('1', '9')), digits(0)})})});
  const Regular plain = pool.concat({integer, pool.optional(pool.concat({point, digits(1)}))});
  const Regular exponent = pool.concat({pool.any_of({pool.literal("e"), pool.literal("E")}),
                                        pool.optional(pool.any_of({pool.literal("+"), pool.literal("-")})), digits(1)});
  integers_ = {pool.concat({integer, pool.optional(pool.concat({point, pool.repeat(pool.literal("0"), 1, std::nullopt)}))}),
               integer};
  numbers_ = {plain, pool.concat({plain, pool.optional(exponent)}), true};

  const auto strings_of = [&](Spelling spelling) { return quoted(pool.repeat(any_character(pool, spelling), 0, std::nullopt)); };
  strings_.values = strings_of(Spelling::json_canonical);
  strings_.texts = any_escapes ? strings_of(Spelling::json_any) : strings_.values;
  strings_.whole = true;
  all_ = either(std::vector{null_, true_, false_, numbers_, strings_});
}

Regular Spellings::quoted(Regular characters) { return pool_.concat({pool_.literal("\""), characters, pool_.literal("\"")}); }

Scalars Spellings::strings(std::uint32_t min, std::optional<std::uint32_t> max) {
  const auto strings_of = [&](Spelling spelling) { return quoted(pool_.repeat(any_character(pool_, spelling), min, max)); };
  const Regular values = strings_of(Spelling::json_canonical);
  return {values, strings_.texts == strings_.values ? values : strings_of(Spelling::json_any), true};
}

Scalars Spellings::strings(Regular characters) {
  const Regular texts = quoted(characters);
  return {texts, texts};
}

Scalars Spellings::part_of_strings(Regular accepted, Regular characters) {
  approximate_ = true;
  return {quoted(characters), quoted(accepted)};
}

bool Spellings::empty(Scalars scalars) {
  if (!pool_.is_nothing(scalars.texts)) return false;
  if (approximate_ && !pool_.is_nothing(pool_.all_of({scalars.values, strings_.values})))
    throw Refusal{"unsupported", "format", "", "it cannot be decided whether a text of the format remains"};
  return true;
}

Scalars Spellings::value(const Json& value) {
  switch (value.kind) {
    case Json::Kind::null: return null_;
    case Json::Kind::boolean: return boolean(value.truth);
    case Json::Kind::string: {
      const Regular text = canonical_string(value.text);
      return {text, text};
    }
    case Json::Kind::number: {
      const Decimal decimal(value.text);
      std::vector<Regular> texts{pool_.literal(canonical_number(decimal)), pool_.literal(value.text)};
      if (const auto plain = plain_number(decimal)) {  // a flat literal: limits would nest an expression per digit
        texts.push_back(pool_.literal(*plain));
        const bool whole = plain->find('.') == std::string::npos;
        const Regular zeros = pool_.repeat(pool_.literal("0"), whole ? 1 : 0, std::nullopt);
        return {pool_.concat({decimal.zero() ? pool_.optional(pool_.literal("-")) : Regular::kEmptyText, pool_.literal(*plain),
                              whole ? pool_.optional(pool_.concat({pool_.literal("."), zeros})) : zeros}),
                pool_.any_of(texts)};
      }
      NumberLimits limits;
      limits.lower = limits.upper = NumberLimits::Limit{decimal};
      return {number(pool_, limits), pool_.any_of(texts)};
    }
    default: return none();
  }
}

Scalars Spellings::both(Scalars left, Scalars right) {
  if (left == right || right == all_) return left;
  if (left == all_) return right;
  const Regular values = pool_.all_of({left.values, right.values});
  const bool plain = left.values == left.texts && right.values == right.texts;
  return {values, plain ? values : pool_.all_of({left.texts, right.texts}), left.whole && right.whole};
}

Scalars Spellings::either(std::span<const Scalars> sets) {
  std::vector<Regular> values, texts;
  bool whole = true;
  for (const Scalars& set : sets) {
    values.push_back(set.values);
    texts.push_back(set.texts);
    whole &= set.whole;
  }
  const Regular either = pool_.any_of(values);
  return {either, values == texts ? either : pool_.any_of(texts), whole};
}

Regular Spellings::certain(Scalars scalars) {
  if (!approximate_) return scalars.values;
  return pool_.any_of({pool_.all_of({scalars.values, pool_.complement(strings_.values)}),
                       pool_.all_of({scalars.texts, strings_.values})});
}

Scalars Spellings::except(Scalars excluded) {
  const Regular plain = pool_.all_of({all_.values, pool_.complement(excluded.values)});
  const auto untouched = [&](Scalars type) { return pool_.is_nothing(pool_.all_of({type.values, excluded.values})); };
  Regular texts = plain;
  if (untouched(numbers_)) texts = pool_.any_of({texts, numbers_.texts});
  if (untouched(strings_)) texts = pool_.any_of({texts, strings_.texts});
  return {pool_.all_of({all_.values, pool_.complement(certain(excluded))}), texts};
}

Scalars Spellings::complement(Scalars scalars) {
  if (scalars == all_) return none();
  if (scalars == none()) return all_;
  if (!scalars.whole) return except(scalars);
  const auto without = [&](Regular all, Regular some) { return pool_.all_of({all, pool_.complement(some)}); };
  const Regular values = without(all_.values, scalars.values);
  return {values, all_.texts == all_.values && scalars.texts == scalars.values ? values : without(all_.texts, scalars.texts), true};
}

Scalars Spellings::one_of(const std::vector<Scalars>& sets) {
  Scalars once = none(), twice = none();
  for (const Scalars& set : sets) {
    const Scalars again = both(once, set);
    if (!pool_.is_nothing(again.values)) twice = either(twice, again);
    once = either(once, set);
  }
  return twice == none() ? once : both(once, complement(twice));
}

Regular Spellings::canonical_string(std::string_view characters) {
  return quoted(text(pool_, characters, Spelling::json_canonical));
}

bool Spellings::matches(Regular regular, std::string_view text) {
  for (const char byte : text) {
    if (regular == Regular::kNothing) return false;
    regular = pool_.derive(regular, static_cast<std::uint8_t>(byte));
  }
  return pool_.accepts_empty(regular);
}

}  // namespace heed::grammar
