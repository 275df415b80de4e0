// Any GBNF grammar, and any tokens under it: a mask allows the tokens that `accept` takes, undone tokens leave no trace, and forced
// text is allowed.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/constraint.hpp"
#include "grammar/gbnf/gbnf.hpp"
#include "grammar/refusal.hpp"
#include "grammar/workspace.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;

namespace {

// Few, for each call: grammars that take more are refused in the same way, and a run takes a fraction of the time.
constexpr std::uint64_t kSteps = 5'000;

std::shared_ptr<const grammar::TokenTable> fuzzed_table() {
  test::VocabularyBuilder builder = test::byte_level_vocabulary();
  for (const auto& [left, right] : {std::pair{"a", "b"}, {"ab", "a"}, {"\"", ","}, {"a", "\""}, {"1", "2"}, {"(", ")"}})
    builder.merge(left, right);
  builder.set("eos_token_id", std::int64_t{builder.add("<|end|>", test::TokenKind::control)});
  const auto tokenizer = tokenizer::make_tokenizer(builder.metadata("gpt2"));
  return std::make_shared<grammar::TokenTable>(grammar::token_texts(*tokenizer));
}

void require(bool held) {
  if (!held) std::abort();
}

bool allows(std::span<const std::uint64_t> mask, std::size_t token) { return (mask[token / 64] >> token % 64 & 1) != 0; }

}  // namespace

/// The bytes before the first zero are the grammar, the bytes after it select operations.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto table = fuzzed_table();
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view grammar = input.substr(0, input.find('\0'));
  try {
    const auto workspace = std::make_shared<grammar::Workspace>(grammar::Budget(kSteps));
    grammar::Constraint constraint(std::make_shared<grammar::Masks>(grammar::make_gbnf_language(grammar, workspace), table));
    std::vector<std::vector<std::uint64_t>> masks;  // by the number of tokens
    for (std::size_t i = grammar.size() + 1; i < size && i < grammar.size() + 40; ++i) {
      const auto mask = constraint.mask();
      if (masks.size() == constraint.size()) masks.emplace_back(mask.begin(), mask.end());
      require(std::ranges::equal(mask, masks[constraint.size()]));
      const std::string forced = constraint.forced(8);
      if (!forced.empty()) require(allows(mask, static_cast<unsigned char>(forced[0])));
      if (data[i] >= 0xF0) {
        constraint.rollback(data[i] & 3);
        masks.resize(constraint.size() + 1);
        continue;
      }
      const std::size_t token = data[i] % table->trie().vocabulary_size();
      require(constraint.accept(static_cast<grammar::TokenId>(token)) == allows(masks.back(), token));
    }
  } catch (const grammar::Refusal&) {  // no grammar, or too much work
  }
  return 0;
}
