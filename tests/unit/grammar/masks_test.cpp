// Compares masks with brute force: each token of a vocabulary, byte by byte.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/constraint.hpp"
#include "grammar/gbnf/gbnf.hpp"
#include "grammar/masks/trie_walk.hpp"
#include "grammar/schema/schema.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using namespace heed::grammar;
using test::TokenKind;
using test::VocabularyBuilder;

namespace {

constexpr const char* kJsonGrammar =
    "root ::= value\n"
    "value ::= object | array | string | number | \"true\" | \"false\" | \"null\"\n"
    "object ::= \"{\" ws (string \":\" ws value (\",\" ws string \":\" ws value)*)? \"}\"\n"
    "array ::= \"[\" ws (value (\",\" ws value)*)? \"]\"\n"
    "string ::= \"\\\"\" ([^\"\\\\\\x00-\\x1f] | \"\\\\\" ([\"\\\\/bfnrt] | \"u\" [0-9a-fA-F]{4}))* \"\\\"\"\n"
    "number ::= \"-\"? (\"0\" | [1-9] [0-9]*) (\".\" [0-9]+)? ([eE] [-+]? [0-9]+)?\n"
    "ws ::= [ \\t\\n]{0,6}\n";

const std::vector<std::string> kGrammars = {
    kJsonGrammar,
    "root ::= .{0,40}",
    "root ::= [^b]* \"b\" root | \".\"",
    "root ::= \"\\\"\" .{3,9} \"\\\"\" (\",\" root)?",
    "root ::= ([a-z]+ | root \" \" root)",
    "root ::= (\"ab\" | \"a\" | \"b\" | \"é\"){2,30} \"1\"?",
    "root ::= tag\ntag ::= \"<\" [a-z]+ \">\" (text | tag)* \"</\" [a-z]+ \">\"\ntext ::= [^<>]+",
    "root ::= e\ne ::= e [-+] t | t\nt ::= [0-9]+ | \"(\" e \")\"",
    "root ::= [\\u00e0-\\u00ff]+ [\\u4e00-\\u9fff]{1,4}",
    "root ::= \"only this\" | \"only that\"",
};

/// The parts of test texts.
constexpr const char* kLetters[] = {"a", "b", "ab", "\"", ",",  ":",   "{", "}", "[", "]",
                                    " ", "0", "1",  "é",  "漢", "\\n", "<", ">", "-", "."};

std::string random_text(std::mt19937& random, std::size_t letters) {
  std::string text;
  for (std::size_t i = 0; i < letters; ++i) text += kLetters[random() % std::size(kLetters)];
  return text;
}

/// Vocabularies of several kinds, each with tokens that end inside a character, duplicates, and tokens without text.
std::unique_ptr<tokenizer::Tokenizer> make_vocabulary(const std::string& model, unsigned seed) {
  std::mt19937 random(seed);
  const bool byte_level = model == "gpt2";
  VocabularyBuilder builder = byte_level ? test::byte_level_vocabulary() : test::sentencepiece_vocabulary();
  std::set<std::string> added;
  const auto add = [&](const std::string& bytes) {
    std::string text;
    if (byte_level) {
      for (const char byte : bytes) utf8::append(text, tokenizer::kCharacterOfByte[static_cast<unsigned char>(byte)]);
    } else {
      text = bytes;
      for (std::size_t at = 0; (at = text.find(' ', at)) != std::string::npos; at += 3) text.replace(at, 1, "▁");
    }
    if (bytes.size() > (byte_level ? 1 : 0) && added.insert(text).second) builder.add(text, TokenKind::normal, -1);
  };
  for (int i = 0; i < 1500; ++i) {
    std::string text = random_text(random, 1 + random() % 6);
    if (byte_level && random() % 4 == 0) text.resize(1 + random() % text.size());  // may end inside a character
    if (random() % 3 == 0) text = "\"" + text;
    add(text);
  }
  for (std::size_t spaces = 1; spaces < 20; ++spaces) add(std::string(spaces, ' '));
  for (const std::string key : {"", "a", "b", "ab"}) {  // members, and a duplicate
    for (const char* value : {"0,", " 1,", "\"\",", "{},", "[],", "\"", "{\""}) {
      add(key + "\":" + value);
      for (const char* next : {"a", "b", "ab\":", "a\":0"}) add(key + "\":" + value + "\"" + next);
    }
  }
  builder.add("<|tool|>", TokenKind::control);
  builder.add("<user>", TokenKind::user_defined);
  builder.add("[unused1]", TokenKind::unused);
  builder.set("eos_token_id", std::int64_t{byte_level ? static_cast<std::int64_t>(builder.add("<|end|>", TokenKind::control)) : 2});
  if (!byte_level) builder.set("unknown_token_id", std::int64_t{0});
  return tokenizer::make_tokenizer(builder.metadata(model));
}

TokenSet brute_force(Language& language, State state, const tokenizer::Tokenizer& vocabulary) {
  TokenSet set(vocabulary.size());
  for (TokenId id = 0; static_cast<std::size_t>(id) < vocabulary.size(); ++id) {
    if (vocabulary.ends_generation(id)) {
      if (language.accepts(state)) set.insert(id);
      continue;
    }
    const std::string bytes = vocabulary.is_text(id) ? vocabulary.token_bytes(id) : "";
    State reached = bytes.empty() ? State::kDead : state;
    for (const char byte : bytes) {
      if (reached == State::kDead) break;
      reached = language.step(reached, static_cast<unsigned char>(byte));
    }
    if (reached != State::kDead) set.insert(id);
  }
  return set;
}

std::vector<TokenId> members(std::span<const std::uint64_t> words) {
  std::vector<TokenId> tokens;
  for (std::size_t i = 0; i < 64 * words.size(); ++i)
    if (words[i / 64] >> i % 64 & 1) tokens.push_back(static_cast<TokenId>(i));
  return tokens;
}

/// The first tokens that are in only one of two masks.
std::string difference(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b, const tokenizer::Tokenizer& vocabulary) {
  std::string text;
  for (std::size_t i = 0; i < vocabulary.size() && text.size() < 200; ++i) {
    const bool first = a[i / 64] >> i % 64 & 1, second = b[i / 64] >> i % 64 & 1;
    if (first != second)
      text += (first ? " +" : " -") + std::to_string(i) + "'" + vocabulary.token_bytes(static_cast<TokenId>(i), true) + "'";
  }
  return text;
}

void check_trie(TokenTexts texts) {
  const TokenTrie trie(std::move(texts));
  std::vector<bool> found(trie.vocabulary_size());
  std::string before;
  std::vector<TokenTrie::Node> nodes;
  walk(trie, trie.all(), std::string(), [&](const TokenTrie::Node& node, const std::string& above, std::string& path) {
    path.push_back(static_cast<char>(node.byte));
    CHECK(path.size() == node.depth + 1U);
    CHECK(path.starts_with(above));
    CHECK(before < path);
    before = path;
    CHECK((nodes.empty() || nodes.back() < node));
    nodes.push_back(node);
    trie.tokens(node, [&](TokenId token) {
      CHECK(trie.texts().text(token) == path);
      CHECK_FALSE(found[static_cast<std::size_t>(token)]);
      found[static_cast<std::size_t>(token)] = true;
    });
    return true;
  });
  for (const TokenTrie::Node& node : nodes) {  // the nodes below a node follow it and have its prefix
    const auto begins_alike = [&](std::uint32_t entry) {
      return trie.text(entry).starts_with(trie.text(node.entry).substr(0, node.depth + 1U));
    };
    std::uint32_t end = node.entry;
    while (end < trie.size() && begins_alike(end)) ++end;
    CHECK(trie.end(node) == end);
  }
  for (TokenId id = 0; static_cast<std::size_t>(id) < trie.vocabulary_size(); ++id) {
    const bool written = trie.texts().is_written(id) && !trie.texts().text(id).empty();
    CHECK(found[static_cast<std::size_t>(id)] == written);
  }
}

std::shared_ptr<const TokenTable> token_table(const tokenizer::Tokenizer& vocabulary) {
  return std::make_shared<TokenTable>(token_texts(vocabulary));
}

}  // namespace

TEST_CASE("a trie has each text token once, in the order of bytes", "[grammar]") {
  for (const char* model : {"gpt2", "llama", "t5", "gemma4"}) check_trie(token_texts(*make_vocabulary(model, 1)));
}

TEST_CASE("a trie distinguishes long texts and texts with zeros, and has twins", "[grammar]") {
  std::mt19937 random(11);
  for (int i = 0; i < 20; ++i) {
    TokenTexts texts(300);
    for (int token = 0; token < 300; ++token) {
      std::string text(random() % 3 == 0 ? random() % 14 : 8 + random() % 4, random() % 4 == 0 ? '\0' : 'a');
      if (!text.empty()) text[random() % text.size()] = static_cast<char>(random() % 3);
      texts.add(random() % 20 == 0 ? TokenUse::other : TokenUse::text, text);
    }
    check_trie(std::move(texts));
  }
}

TEST_CASE("masks agree with brute force", "[grammar]") {
  for (const char* model : {"gpt2", "llama", "t5", "gemma4"}) {
    const auto vocabulary = make_vocabulary(model, 2);
    const auto table = token_table(*vocabulary);
    std::mt19937 random(3);
    for (const std::string& grammar : kGrammars) {
      INFO(model << ": " << grammar);
      const auto masks = std::make_shared<Masks>(make_gbnf_language(grammar), table);
      const auto apart = make_gbnf_language(grammar);  // shares no caches with the tested language
      for (int text = 0; text < 4; ++text) {
        Constraint constraint(masks);
        State state = apart->start();
        for (int length = 0; length < 12 && state != State::kDead; ++length) {
          const TokenSet expected = brute_force(*apart, state, *vocabulary);
          const auto mask = constraint.mask();
          INFO("after " << length << " tokens:" << difference(mask, expected.words(), *vocabulary));
          REQUIRE(std::ranges::equal(mask, expected.words()));
          const std::vector<TokenId> allowed = members(mask);
          REQUIRE_FALSE(allowed.empty());
          const TokenId token = allowed[random() % allowed.size()];
          REQUIRE(constraint.accept(token));
          if (vocabulary->ends_generation(token)) break;
          for (const char byte : vocabulary->token_bytes(token)) state = apart->step(state, static_cast<unsigned char>(byte));
        }
      }
    }
  }
}

TEST_CASE("masks of schemas agree with brute force", "[grammar]") {
  const std::vector<std::string> schemas = {
      "{}",
      R"({"type": "object", "properties": {"a": {"type": "integer"}, "ab": {}}, "required": ["ab"]})",
      R"({"type": "object", "patternProperties": {"^[ab]$": {"type": "integer"}}, "additionalProperties": false})",
      R"({"type": "string", "pattern": "ab"})",
      R"({"type": "string", "pattern": "^[^b]+$"})",
      R"({"type": "string", "pattern": "^.{0,3}\\S*$"})",
      R"({"type": "string", "pattern": "^(\\S+\\s+){0,2}\\S+$", "maxLength": 9})",
      R"({"type": "string", "pattern": "^\\P{Ll}*[0-9a-f]{3}"})",
      R"({"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": ["integer", "object"]}, "maxProperties": 2})",
      R"({"type": "object", "propertyNames": {"maxLength": 2}, "minProperties": 2})",
      R"({"anyOf": [{"properties": {"a": {"const": 0}}, "required": ["a"]}, {"properties": {"b": {"type": "string"}}}]})",
      R"({"type": "array", "uniqueItems": true, "items": {"type": ["object", "integer"]}})",
      R"({"type": "array", "uniqueItems": true, "items": {"type": "object", "properties": {"a": {}, "ab": {"enum": [0, 1]}}}})",
      R"({"type": "array", "uniqueItems": true, "items": {"properties": {"a": {"uniqueItems": true}}}})",
      R"({"type": "array", "uniqueItems": true, "items": {"oneOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object"}})",
      R"({"type": "array", "uniqueItems": true, "items": {"type": "string"}})",
      R"({"type": "array", "uniqueItems": true, "items": {"enum": ["a", {"a": 0}, [0], 1]}})",
      R"({"type": "array", "uniqueItems": true, "minItems": 3, "prefixItems": [{}, {}, {"enum": [0, {"a": 0}]}]})",
  };
  const auto vocabulary = make_vocabulary("gpt2", 2);
  const auto table = token_table(*vocabulary);
  std::mt19937 random(3);
  for (const std::string& schema : schemas) {
    const auto masks = std::make_shared<Masks>(make_schema_language(schema, {}).language, table);
    const auto apart = make_schema_language(schema, {}).language;
    for (const std::string_view begun : {"", "\"", "\"漢", "\"a漢 ", "{", "{\"", "{\"b\":0,\"", "{\"a\":0, \"ab\":{\"", "[{\"a",
                                         "[0, ", "[{\"a\":0},", "[{\"a\":0}, {\"a\":0", "[{\"a\":[0,{}]},{\"a\":[{}",
                                         "[{\"a\":0},{\"a\":0,\"b\":1},{\"b\":1,\"a\":0", "[\"a\",\"", "[\"a\",\"b\",\"a"}) {
      INFO(schema << " after " << std::string(begun));
      Constraint constraint(masks);
      State state = apart->start();
      const auto take = [&](TokenId token) {
        for (const char byte : vocabulary->token_bytes(token)) state = apart->step(state, static_cast<unsigned char>(byte));
        return constraint.accept(token);
      };
      const bool viable = std::ranges::all_of(begun, [&](char byte) { return take(static_cast<unsigned char>(byte)); });
      for (int length = 0; viable && length < 6; ++length) {
        const TokenSet expected = brute_force(*apart, state, *vocabulary);
        const auto mask = constraint.mask();
        INFO("and " << length << " tokens:" << difference(mask, expected.words(), *vocabulary));
        REQUIRE(std::ranges::equal(mask, expected.words()));
        const std::vector<TokenId> allowed = members(mask);
        const TokenId token = allowed[random() % allowed.size()];
        if (vocabulary->ends_generation(token)) break;
        REQUIRE(take(token));
      }
    }
  }
}

TEST_CASE("a constraint accepts the tokens of its mask, and can be rolled back", "[grammar]") {
  const auto vocabulary = make_vocabulary("gpt2", 4);
  const auto table = token_table(*vocabulary);
  std::mt19937 random(5);
  for (const std::string& grammar : kGrammars) {
    INFO(grammar);
    Constraint constraint(std::make_shared<Masks>(make_gbnf_language(grammar), table));
    std::vector<std::vector<std::uint64_t>> before;  // masks, by the number of tokens
    for (int i = 0; i < 60; ++i) {
      const auto mask = constraint.mask();
      if (before.size() == constraint.size()) before.emplace_back(mask.begin(), mask.end());
      REQUIRE(std::ranges::equal(mask, before[constraint.size()]));
      const std::vector<TokenId> allowed = members(before.back());
      const auto forbidden = static_cast<TokenId>(random() % vocabulary->size());
      if (!std::ranges::binary_search(allowed, forbidden)) {
        const Constraint copy = constraint;
        CHECK_FALSE(constraint.accept(forbidden));
        CHECK(constraint.size() == copy.size());
      }
      if (random() % 3 == 0 || constraint.finished()) {
        const std::size_t count = random() % 4;
        constraint.rollback(count);
        before.resize(constraint.size() + 1);
      } else {
        CHECK(constraint.accept(allowed[random() % allowed.size()]));
      }
    }
    constraint.rollback(1000);
    CHECK(constraint.size() == 0);
    CHECK(std::ranges::equal(constraint.mask(), before[0]));
  }
}

TEST_CASE("copies of a constraint are independent", "[grammar]") {
  const auto vocabulary = make_vocabulary("gpt2", 6);
  Constraint one(std::make_shared<Masks>(make_gbnf_language("root ::= \"a\" (\"b\" | \"1\") \"0\""), token_table(*vocabulary)));
  REQUIRE(one.accept('a'));
  Constraint other = one;
  CHECK(one.accept('b'));
  CHECK(other.accept('1'));
  CHECK(one.accept('0'));
  CHECK(one.finished());
  CHECK_FALSE(other.finished());
  other.rollback(1);
  CHECK(other.accept('b'));
}

TEST_CASE("an end token is allowed only where the text may end", "[grammar]") {
  const auto vocabulary = make_vocabulary("llama", 7);
  const TokenId end = *vocabulary->eos();
  Constraint constraint(std::make_shared<Masks>(make_gbnf_language("root ::= \"a\" \"b\"?"), token_table(*vocabulary)));
  CHECK_FALSE(constraint.accept(end));
  CHECK_FALSE(constraint.accept(-1));
  CHECK_FALSE(constraint.accept(static_cast<TokenId>(vocabulary->size())));
  CHECK_FALSE(constraint.accept(test::kBos));
  REQUIRE(constraint.accept(test::byte_token('a')));
  CHECK_FALSE(constraint.finished());
  Constraint longer = constraint;
  REQUIRE(constraint.accept(end));
  CHECK(constraint.finished());
  CHECK(members(constraint.mask()).empty());
  CHECK_FALSE(constraint.accept(end));
  constraint.rollback(1);
  CHECK_FALSE(constraint.finished());
  REQUIRE(longer.accept(test::byte_token('b')));
  CHECK(longer.finished());
  CHECK(members(longer.mask()) == std::vector<TokenId>{end});
}

TEST_CASE("forced bytes are found", "[grammar]") {
  const auto vocabulary = make_vocabulary("gpt2", 8);
  const auto table = token_table(*vocabulary);
  const auto forced = [&](const char* grammar, std::string_view text, std::size_t limit = 100) {
    Constraint constraint(std::make_shared<Masks>(make_gbnf_language(grammar), table));
    for (const char byte : text) REQUIRE(constraint.accept(static_cast<unsigned char>(byte)));
    return constraint.forced(limit);
  };
  CHECK(forced("root ::= \"only this\" | \"only that\"", "") == "only th");
  CHECK(forced("root ::= \"only this\" | \"only that\"", "only tha") == "t");
  CHECK(forced("root ::= \"only this\"", "only this") == "");
  CHECK(forced("root ::= \"a\" \"bc\"?", "") == "a");  // the text may end there
  CHECK(forced("root ::= \"a\" root | \"b\"", "a") == "");
  CHECK(forced("root ::= \"x\"{50}", "", 7) == "xxxxxxx");
}

TEST_CASE("strings of limited length allow tokens up to the limit", "[grammar]") {
  const auto vocabulary = make_vocabulary("gpt2", 9);
  const auto table = token_table(*vocabulary);
  for (const int max : {1, 2, 3, 5, 8, 13, 17, 18, 19, 20, 21, 40, 100000}) {
    for (const int min : {0, 1, 4}) {
      if (min > max) continue;
      const std::string grammar = "root ::= \"\\\"\" .{" + std::to_string(min) + "," + std::to_string(max) +
                                  "} \"\\\"\" [,}] root?";
      INFO(grammar);
      const auto apart = make_gbnf_language(grammar);
      Constraint constraint(std::make_shared<Masks>(make_gbnf_language(grammar), table));
      State state = apart->start();
      for (const char* text : {"\"", "a", "\xC3", "\xA9", "b"}) {
        const TokenSet expected = brute_force(*apart, state, *vocabulary);
        INFO("before " << text << ":" << difference(constraint.mask(), expected.words(), *vocabulary));
        REQUIRE(std::ranges::equal(constraint.mask(), expected.words()));
        state = apart->step(state, static_cast<unsigned char>(*text));
        if (state == State::kDead) break;
        REQUIRE(constraint.accept(static_cast<unsigned char>(*text)));
      }
    }
  }
}

TEST_CASE("patterns of limited length allow tokens after which they can still end within the limit", "[grammar]") {
  const auto vocabulary = make_vocabulary("gpt2", 10);
  const auto table = token_table(*vocabulary);
  const std::vector<std::string> patterns = {R"(^(?:\\S+\\s+){0,9}\\S+$)", R"(^(?:ab|a[0-9]{2}b)*$)", R"(b)",
                                             R"(^a?b*(?:01|\"é)?$)",       R"(^[^b]+(?:b[^b]+)*$)",   R"(^.{0,3}[^,]{2,60}$)"};
  for (const std::string& pattern : patterns) {
    for (const int max : {0, 1, 2, 3, 5, 9, 19, 20, 21, 22, 26, 60}) {
      for (const int min : {0, 1, 4}) {
        const std::string schema = R"({"type": "string", "pattern": ")" + pattern + R"(", "minLength": )" + std::to_string(min) +
                                   R"(, "maxLength": )" + std::to_string(max) + "}";
        INFO(schema);
        std::unique_ptr<Language> language, apart;
        try {
          language = make_schema_language(schema, {}).language;
          apart = make_schema_language(schema, {}).language;
        } catch (const Refusal& refusal) {
          REQUIRE(refusal.code == "unsatisfiable");
          continue;
        }
        Constraint constraint(std::make_shared<Masks>(std::move(language), table));
        State state = apart->start();
        for (const char byte : std::string("\"ab 01\xC3\xA9")) {
          state = apart->step(state, static_cast<unsigned char>(byte));
          if (state == State::kDead) break;
          REQUIRE(constraint.accept(static_cast<unsigned char>(byte)));
          const TokenSet expected = brute_force(*apart, state, *vocabulary);
          INFO("behind " << byte << ":" << difference(constraint.mask(), expected.words(), *vocabulary));
          REQUIRE(std::ranges::equal(constraint.mask(), expected.words()));
        }
      }
    }
  }
}

TEST_CASE("patterns and formats need no search in each state", "[grammar]") {
  const auto vocabulary = make_vocabulary("gpt2", 12);
  const auto table = token_table(*vocabulary);
  const auto most_steps = [&](const std::string& schema, std::string_view text) {
    const auto masks = std::make_shared<Masks>(make_schema_language(schema, {}).language, table);
    Constraint constraint(masks);
    std::uint64_t most = 0;
    for (const char byte : text) {
      REQUIRE(constraint.accept(static_cast<unsigned char>(byte)));
      constraint.mask();
      most = std::max(most, Budget::kSteps - masks->language().budget().left());
    }
    return most;
  };
  CHECK(most_steps(R"({"type": "string", "pattern": "^(?:\\S+\\s+){0,49}\\S+$", "maxLength": 500})", "\"a b0 , 1") < 5'000);
  CHECK(most_steps(R"({"type": "string", "format": "date-time"})", "\"2020-01-01T12:30") < 5'000);
}
