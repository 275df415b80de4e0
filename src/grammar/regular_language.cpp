#include "grammar/regular_language.hpp"

#include <span>
#include <utility>

#include "grammar/refusal.hpp"
#include "grammar/regular/regex.hpp"

namespace heed::grammar {
namespace {

static_assert(static_cast<std::uint32_t>(State::kDead) == static_cast<std::uint32_t>(Regular::kNothing));

/// A state is the derivative by the text so far, and has the same number as its expression.
class RegularLanguage final : public Language {
 public:
  RegularLanguage(std::string_view expression, std::shared_ptr<Workspace> workspace)
      : workspace_(std::move(workspace)), start_(parse_regex(pool_, expression, Spelling::raw, Anchoring::whole)) {
    if (pool_.is_nothing(start_)) throw Refusal{"unsatisfiable", std::string(expression), "0", "the expression matches no text"};
  }

  State start() override { return state(start_); }
  State step(State from, std::uint8_t byte) override { return state(pool_.derive(regular(from), byte)); }
  bool accepts(State at) override { return pool_.accepts_empty(regular(at)); }
  std::span<const Lexeme> lexemes(State at) override {
    lexeme_ = {regular(at), state(Regular::kEmptyText)};
    return {&lexeme_, 1};
  }
  RegularPool& pool() override { return pool_; }
  Budget& budget() override { return workspace_->budget; }

 private:
  static State state(Regular expression) noexcept { return static_cast<State>(expression); }
  static Regular regular(State at) noexcept { return static_cast<Regular>(at); }

  std::shared_ptr<Workspace> workspace_;
  RegularPool& pool_ = workspace_->pool;
  Regular start_;
  Lexeme lexeme_{};
};

}  // namespace

std::unique_ptr<Language> make_regular_language(std::string_view expression, std::shared_ptr<Workspace> workspace) {
  return std::make_unique<RegularLanguage>(expression, std::move(workspace));
}

}  // namespace heed::grammar
