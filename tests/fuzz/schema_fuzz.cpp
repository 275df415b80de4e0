// Any text as a JSON Schema, after a byte of options and before a text: a language or a refusal, never a crash; accepted texts are
// JSON, every live state has a next byte or accepts, and reading the same text twice leads to the same state.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "grammar/refusal.hpp"
#include "grammar/schema/schema.hpp"
#include "grammar/workspace.hpp"

using namespace heed::grammar;

namespace {

// Few: schemas that take more are refused in the same way, and a run takes a fraction of the time.
constexpr std::uint64_t kSteps = 50'000;

void require(bool holds) {
  if (!holds) std::abort();
}

SchemaOptions options_of(std::uint8_t bits) {
  SchemaOptions options;
  options.whitespace.kind = static_cast<Whitespace::Kind>(bits % 3);
  options.whitespace.indent = bits % 4;
  options.order = (bits & 4) != 0 ? KeyOrder::any : KeyOrder::schema;
  options.any_escapes = (bits & 8) != 0;
  options.closed = (bits & 16) != 0 ? Closed::yes : (bits & 32) != 0 ? Closed::no : Closed::listed;
  options.formats = static_cast<Formats>(bits / 32 % 3);
  return options;
}

void read_text(Language& language, std::string_view text) {
  State state = language.start();
  for (std::size_t i = 0; i < text.size() && i < 200; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    const State next = language.step(state, byte);
    require(next == language.step(state, byte));
    if (next == State::kDead) {
      bool goes_on = language.accepts(state);
      for (int other = 0; other < 256 && !goes_on; ++other)
        goes_on = language.step(state, static_cast<std::uint8_t>(other)) != State::kDead;
      require(goes_on);
      return;
    }
    language.lexemes(next);
    state = next;
  }
  if (text.size() >= 200 || !language.accepts(state)) return;
  Budget budget;
  read_json(text, budget);  // throws a Refusal with code "invalid" if it is not JSON
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t end = input.find('\0');
  SchemaLanguage made;
  try {
    made = make_schema_language(input.substr(0, end), options_of(data[0]), std::make_shared<Workspace>(Budget(kSteps)));
  } catch (const Refusal& refusal) {
    require(!refusal.code.empty() && !refusal.message.empty());
    return 0;
  }
  try {
    made.language->budget().refill();
    read_text(*made.language, end == std::string_view::npos ? "{}" : input.substr(end + 1));
  } catch (const Refusal& refusal) {
    require(refusal.code == "too-large");
  }
  return 0;
}
