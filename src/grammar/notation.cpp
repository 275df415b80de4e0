#include "grammar/notation.hpp"

#include "grammar/gbnf/gbnf.hpp"
#include "grammar/regular_language.hpp"

namespace heed::grammar {

SchemaLanguage make_language(Notation notation, std::string_view text, const SchemaOptions& options) {
  switch (notation) {
    case Notation::regex: return {make_regular_language(text), {}};
    case Notation::gbnf: return {make_gbnf_language(text), {}};
    case Notation::schema: break;
  }
  return make_schema_language(text, options);
}

}  // namespace heed::grammar
