#include "grammar/after_thoughts.hpp"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/refusal.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar {
namespace {

constexpr std::size_t kMostSpace = 16;

bool is_space(std::uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/// Its states, from 1 on, are: how much of the opening marker was read; how much of the closing marker; how much white space after it;
/// and then the states of the language.
class LanguageAfterThoughts final : public Language {
 public:
  LanguageAfterThoughts(std::unique_ptr<Language> language, Thoughts thoughts)
      : language_(std::move(language)), thoughts_(std::move(thoughts)) {
    const std::string_view close = thoughts_.close;
    for (std::size_t at = 1, length = 0; at < close.size(); borders_[++at] = length) {
      while (length > 0 && close[at] != close[length]) length = borders_[length];
      if (close[at] == close[length]) ++length;
    }
  }

  State start() override { return thoughts_.begun ? State{first_inside_} : State{first_open_}; }

  State step(State from, std::uint8_t byte) override {
    const auto at = static_cast<std::uint32_t>(from);
    if (at >= first_text_) return outer(language_->step(inner(from), byte));
    if (at >= first_space_) {
      const State begun = language_->step(language_->start(), byte);
      if (begun != State::kDead || !is_space(byte) || at + 1 == first_text_) return outer(begun);
      return State{at + 1};
    }
    if (at >= first_inside_) return State{first_inside_ + after_inside(at - first_inside_, byte)};
    const std::size_t read = at - first_open_;
    if (byte == static_cast<std::uint8_t>(thoughts_.open[read])) return State{at + 1};  // the last leads inside
    const State without = without_thoughts(read);
    return without == State::kDead ? without : outer(language_->step(without, byte));
  }

  bool accepts(State state) override {
    const auto at = static_cast<std::uint32_t>(state);
    if (at >= first_text_) return language_->accepts(inner(state));
    if (at >= first_space_) return language_->accepts(language_->start());
    if (at >= first_inside_) return false;
    const State without = without_thoughts(at - first_open_);
    return without != State::kDead && language_->accepts(without);
  }

  std::span<const Lexeme> lexemes(State state) override {
    if (static_cast<std::uint32_t>(state) < first_text_) return {};
    const auto of_text = language_->lexemes(inner(state));
    lexemes_.assign(of_text.begin(), of_text.end());
    for (Lexeme& lexeme : lexemes_) lexeme.after = outer(lexeme.after);
    return lexemes_;
  }

  RegularPool& pool() override { return language_->pool(); }
  Budget& budget() override { return language_->budget(); }

 private:
  State outer(State of_text) const {
    if (of_text == State::kDead) return of_text;
    const std::uint32_t state = static_cast<std::uint32_t>(of_text) + first_text_;
    if (state < first_text_) throw Refusal{"too-large", "", "", "there are too many states"};
    return State{state};
  }
  State inner(State state) const noexcept { return State{static_cast<std::uint32_t>(state) - first_text_}; }

  /// How much of the closing marker was read, if `read` of it had been; all of it is the first state of white space.
  std::uint32_t after_inside(std::size_t read, std::uint8_t byte) const {
    const auto matches = [&] { return static_cast<std::uint8_t>(thoughts_.close[read]) == byte; };
    while (read > 0 && !matches()) read = borders_[read];
    return static_cast<std::uint32_t>(read + (matches() ? 1 : 0));
  }

  /// The language's state after the first bytes of the opening marker.
  State without_thoughts(std::size_t read) {
    State state = language_->start();
    for (std::size_t i = 0; i < read && state != State::kDead; ++i)
      state = language_->step(state, static_cast<std::uint8_t>(thoughts_.open[i]));
    return state;
  }

  std::unique_ptr<Language> language_;
  Thoughts thoughts_;
  std::vector<std::size_t> borders_ = std::vector<std::size_t>(thoughts_.close.size() + 1);  // of Knuth, Morris and Pratt
  std::uint32_t first_open_ = 1;
  std::uint32_t first_inside_ = first_open_ + static_cast<std::uint32_t>(thoughts_.open.size());
  std::uint32_t first_space_ = first_inside_ + static_cast<std::uint32_t>(thoughts_.close.size());
  std::uint32_t first_text_ = first_space_ + kMostSpace + 1;
  std::vector<Lexeme> lexemes_;
};

}  // namespace

std::unique_ptr<Language> make_language_after_thoughts(std::unique_ptr<Language> language, Thoughts thoughts) {
  return std::make_unique<LanguageAfterThoughts>(std::move(language), std::move(thoughts));
}

}  // namespace heed::grammar
