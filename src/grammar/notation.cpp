#include "grammar/notation.hpp"

#include <utility>

#include "grammar/gbnf/gbnf.hpp"
#include "grammar/regular_language.hpp"

namespace heed::grammar {

SchemaLanguage make_language(Notation notation, std::string_view text, const SchemaOptions& options,
                             std::shared_ptr<Workspace> workspace) {
  switch (notation) {
    case Notation::regex: return {make_regular_language(text, std::move(workspace)), {}};
    case Notation::gbnf: return {make_gbnf_language(text, std::move(workspace)), {}};
    case Notation::schema: break;
  }
  return make_schema_language(text, options, std::move(workspace));
}

}  // namespace heed::grammar
