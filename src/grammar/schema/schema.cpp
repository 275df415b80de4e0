#include "grammar/schema/schema.hpp"

#include <optional>
#include <utility>

#include "grammar/refusal.hpp"
#include "grammar/schema/exploration.hpp"
#include "grammar/schema/json_language.hpp"

namespace heed::grammar {
namespace {

// Owns everything that the language of a schema needs.
class WholeSchemaLanguage final : public Language {
 public:
  WholeSchemaLanguage(std::string_view schema, const SchemaOptions& options, std::shared_ptr<Workspace> workspace)
      : options_(options),
        workspace_(std::move(workspace)),
        documents_(schema, options.schemas, budget_),
        terms_(budget_),
        keys_(budget_),
        spellings_(pool_, options.any_escapes),
        forms_(budget_, pool_, terms_, keys_, spellings_, options.order),
        keywords_(documents_, forms_, options_) {
    forms_.read_sites_with(keywords_);
    ignored_ = keywords_.check();
    const Closing closing = options_.closed == Closed::listed ? Closing::all : Closing::none;
    const Term root = terms_.site(documents_.root(), closing);
    try {
      if (forms_.inhabited(root) == Truth::no) refuse_empty();
      if (keywords_.combines() || keywords_.approximates()) explore(forms_, root);
    } catch (Refusal& refusal) {
      if (refusal.path.empty()) refusal.path = "#";
      if (refusal.keyword.empty()) refusal.keyword = first_keyword();
      throw;
    }
    texts_.emplace(forms_, root, options.whitespace);
    options_.schemas.clear();
  }

  State start() override { return texts_->start(); }
  State step(State state, std::uint8_t byte) override { return texts_->step(state, byte); }
  bool accepts(State state) override { return texts_->accepts(state); }
  std::span<const Lexeme> lexemes(State state) override { return texts_->lexemes(state); }
  State summary(State state) override { return texts_->summary(state); }
  RegularPool& pool() override { return pool_; }
  Budget& budget() override { return budget_; }

  std::vector<Ignored> take_ignored() { return std::move(ignored_); }

 private:
  std::string first_keyword() const {
    const Json& json = documents_.json(documents_.root());
    return json.is(Json::Kind::boolean) ? "false" : json.members.empty() ? "schema" : json.members[0].key;
  }
  [[noreturn]] void refuse_empty() const {
    throw Refusal{"unsatisfiable", first_keyword(), "#", "no value is valid under the schema"};
  }

  SchemaOptions options_;
  std::shared_ptr<Workspace> workspace_;
  Budget& budget_ = workspace_->budget;
  RegularPool& pool_ = workspace_->pool;
  Documents documents_;
  Terms terms_;
  Keys keys_;
  Spellings spellings_;
  NormalForms forms_;
  Keywords keywords_;
  std::vector<Ignored> ignored_;
  std::optional<JsonLanguage> texts_;
};

}  // namespace

SchemaLanguage make_schema_language(std::string_view schema, const SchemaOptions& options, std::shared_ptr<Workspace> workspace) {
  auto language = std::make_unique<WholeSchemaLanguage>(schema, options, std::move(workspace));
  std::vector<Ignored> ignored = language->take_ignored();
  return {std::move(language), std::move(ignored)};
}

}  // namespace heed::grammar
