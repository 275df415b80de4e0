// Any regular expression: a language or a refusal; and any text: answers do not depend on earlier questions, every prefix leads to
// a match, and nothing follows a complete prefix.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "grammar/refusal.hpp"
#include "grammar/regular/regex.hpp"

using namespace heed::grammar;

namespace {

// Few: expressions that take more are refused in the same way, and a run takes a tenth of the time.
constexpr std::uint64_t kSteps = 4'000;
constexpr std::size_t kOtherTexts = 8;

void require(bool held) {
  if (!held) std::abort();
}

/// Whether the text is in the language; each state on the way is alive, or nothing for good.
bool read(RegularPool& pool, Regular state, std::string_view text) {
  for (const char byte : text) {
    const bool dead = state == Regular::kNothing;
    state = pool.derive(state, static_cast<std::uint8_t>(byte));
    require(!dead || state == Regular::kNothing);
    require(pool.is_nothing(state) == (state == Regular::kNothing));
  }
  return pool.accepts_empty(state);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Spelling spelling = static_cast<Spelling>(data[0] % 3);
  const Anchoring anchoring = static_cast<Anchoring>(data[0] / 3 % 2);
  const std::string_view rest(reinterpret_cast<const char*>(data + 2), size - 2);
  const std::size_t cut = rest.empty() ? 0 : data[1] % (rest.size() + 1);
  const std::string_view pattern = rest.substr(0, cut);
  const std::string_view text = rest.substr(cut);
  try {
    Budget budget(kSteps);
    RegularPool pool(budget);
    const Regular language = parse_regex(pool, pattern, spelling, anchoring);
    require(pool.is_nothing(language) == (language == Regular::kNothing));
    const bool whole = read(pool, language, text);
    // Other questions first, in a pool of their own.
    Budget other_budget(2 * kSteps);
    RegularPool other(other_budget);
    const Regular again = parse_regex(other, pattern, spelling, anchoring);
    for (std::size_t i = kOtherTexts; i > 0; --i) read(other, again, text.substr(i * text.size() / (kOtherTexts + 1)));
    require(read(other, again, text) == whole);
  } catch (const Refusal& refusal) {
    require(!refusal.code.empty() && !refusal.message.empty());
  }
  return 0;
}
