#include "grammar/gbnf/parser.hpp"

#include <cstddef>
#include <limits>
#include <map>
#include <utility>

#include "base/utf8.hpp"
#include "grammar/refusal.hpp"
#include "grammar/regular/code_points.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar::gbnf {
namespace {

constexpr int kDeepest = 256;  // nested parentheses
constexpr char32_t kEnd = 0xFFFFFFFF;

bool is_name_character(char32_t c) noexcept {
  return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c >= U'0' && c <= U'9') || c == U'-' || c == U'_';
}

bool is_digit(char32_t c) noexcept { return c >= U'0' && c <= U'9'; }

int hex_digit(char32_t c) noexcept {
  if (is_digit(c)) return static_cast<int>(c - U'0');
  if (c >= U'a' && c <= U'f') return static_cast<int>(c - U'a') + 10;
  if (c >= U'A' && c <= U'F') return static_cast<int>(c - U'A') + 10;
  return -1;
}

struct Place {
  std::size_t offset = 0;
  std::uint32_t line = 1, column = 1;
};

class GrammarParser {
 public:
  GrammarParser(std::string_view text, RegularPool& pool, Budget& budget) : text_(text), pool_(pool), budget_(budget) {}

  Syntax run() {
    for (skip_space(true); peek() != kEnd; skip_space(true)) rule();
    for (const auto& [name, at] : first_calls_) {
      if (!defined_[ids_.find(name)->second]) refuse(at, name, "the rule is not defined");
    }
    const auto root = ids_.find("root");
    if (root == ids_.end() || !defined_[root->second]) refuse({}, "root", "the start rule is missing");
    syntax_.root = root->second;
    return std::move(syntax_);
  }

 private:
  [[noreturn]] static void refuse(Place at, std::string_view rule, const std::string& message, const char* code = "invalid") {
    const std::string path = std::to_string(at.line) + ':' + std::to_string(at.column);
    throw Refusal{code, std::string(rule), path, path + ": rule \"" + std::string(rule) + "\": " + message};
  }
  [[noreturn]] void refuse(Place at, const std::string& message) const { refuse(at, rule_, message); }

  /// The next code point, or kEnd.
  char32_t peek() {
    if (at_.offset == text_.size()) return kEnd;
    const utf8::Decoded decoded = utf8::decode(text_.substr(at_.offset));
    if (decoded.sequence != utf8::Sequence::whole) refuse(at_, "the grammar is not valid UTF-8");
    next_ = decoded.length;
    return decoded.code_point;
  }
  char32_t take() {
    const char32_t c = peek();
    if (c == kEnd) return c;
    budget_.spend();
    at_.offset += next_;
    ++at_.column;
    if (c == U'\n') ++at_.line, at_.column = 1;
    return c;
  }
  bool take_if(char32_t wanted) { return peek() == wanted && (take(), true); }

  /// Skips white space and comments; newlines only if `lines`.
  void skip_space(bool lines) {
    for (;;) {
      const char32_t c = peek();
      if (c == U'#') {
        while (peek() != kEnd && peek() != U'\n') take();
      } else if (c == U' ' || c == U'\t' || c == U'\r' || (lines && c == U'\n')) {
        take();
      } else {
        return;
      }
    }
  }

  std::string_view name() {
    const std::size_t begin = at_.offset;
    while (is_name_character(peek())) take();
    return text_.substr(begin, at_.offset - begin);
  }

  RuleId id_of(std::string_view name) {
    const auto [found, fresh] = ids_.try_emplace(std::string(name), static_cast<RuleId>(syntax_.rules.size()));
    if (fresh) {
      syntax_.rules.push_back(0);
      syntax_.rule_names.emplace_back(name);
      defined_.push_back(false);
    }
    return found->second;
  }

  Expression add(Node node) {
    syntax_.nodes.push_back(std::move(node));
    return static_cast<Expression>(syntax_.nodes.size() - 1);
  }
  Expression terminal(Regular regular) { return add({.regular = regular}); }

  void rule() {
    const Place begin = at_;
    rule_ = name();
    if (rule_.empty()) refuse(begin, "expected the name of a rule");
    skip_space(false);
    for (const char32_t c : {U':', U':', U'='}) {
      if (!take_if(c)) refuse(at_, "expected ::=");
    }
    const RuleId id = id_of(rule_);
    if (defined_[id]) refuse(begin, "there are two rules of this name");
    defined_[id] = true;
    skip_space(true);
    const Expression body = alternatives(0);
    syntax_.rules[id] = body;
    if (peek() != kEnd && !take_if(U'\n')) refuse(at_, "expected an element or the end of the line");
  }

  Expression alternatives(int depth) {
    if (depth > kDeepest) refuse(at_, rule_, "parentheses are nested too deep", "too-large");
    Node node{.kind = Node::Kind::alternatives};
    node.parts.push_back(sequence(depth));
    while (take_if(U'|')) {
      skip_space(true);
      node.parts.push_back(sequence(depth));
    }
    return node.parts.size() == 1 ? node.parts[0] : add(std::move(node));
  }

  Expression sequence(int depth) {
    Node node{.kind = Node::Kind::sequence};
    for (;;) {
      const Place begin = at_;
      const char32_t c = peek();
      if (c == U'"') {
        node.parts.push_back(literal());
      } else if (c == U'[') {
        node.parts.push_back(character_class());
      } else if (c == U'.') {
        take();
        node.parts.push_back(terminal(pool_.characters(CodePoints::all(), Spelling::raw)));
      } else if (c == U'(') {
        take();
        skip_space(true);
        node.parts.push_back(alternatives(depth + 1));
        if (!take_if(U')'))
          refuse(at_, "expected ) for the parenthesis at " + std::to_string(begin.line) + ':' + std::to_string(begin.column));
      } else if (c == U'*' || c == U'+' || c == U'?' || c == U'{') {
        if (node.parts.empty()) refuse(at_, "there is nothing to repeat");
        node.parts.back() = repeat(node.parts.back(), take());
      } else if (is_name_character(c)) {
        const std::string_view called = name();
        first_calls_.try_emplace(std::string(called), begin);
        node.parts.push_back(add({.kind = Node::Kind::call, .rule = id_of(called)}));
      } else {
        return node.parts.size() == 1 ? node.parts[0] : add(std::move(node));
      }
      skip_space(depth > 0);
    }
  }

  Expression literal() {
    const Place begin = at_;
    take();
    std::string bytes;
    while (!take_if(U'"')) {
      if (peek() == kEnd || peek() == U'\n') refuse(begin, "the literal is not finished");
      utf8::append(bytes, character());
    }
    return terminal(pool_.literal(bytes));
  }

  Expression character_class() {
    const Place begin = at_;
    take();
    const bool negated = take_if(U'^');
    std::vector<CodePoints::Range> ranges;
    while (!take_if(U']')) {
      if (peek() == kEnd || peek() == U'\n') refuse(begin, "the character class is not finished");
      const Place at = at_;
      const char32_t first = character();
      char32_t last = first;
      if (peek() == U'-' && text_.substr(at_.offset + 1, 1) != "]") {
        take();
        if (peek() == kEnd || peek() == U'\n') refuse(begin, "the character class is not finished");
        last = character();
      }
      if (last < first) refuse(at, "the range ends before it begins");
      ranges.push_back({first, last});
    }
    const CodePoints set(std::move(ranges));
    return terminal(pool_.characters(negated ? ~set : set, Spelling::raw));
  }

  /// One character of a literal or a class, possibly escaped.
  char32_t character() {
    const Place begin = at_;
    const char32_t c = take();
    if (c != U'\\') return c;
    switch (const char32_t escape = take()) {
      case U'n': return U'\n';
      case U'r': return U'\r';
      case U't': return U'\t';
      case U'\\':
      case U'"':
      case U'[':
      case U']': return escape;
      case U'x': return hex(begin, 2);
      case U'u': return hex(begin, 4);
      case U'U': return hex(begin, 8);
      default: refuse(begin, "no such escape");
    }
  }

  char32_t hex(Place begin, int digits) {
    char32_t value = 0;
    for (int i = 0; i < digits; ++i) {
      const int digit = hex_digit(peek());
      if (digit < 0) refuse(begin, "the escape needs " + std::to_string(digits) + " hexadecimal digits");
      take();
      value = value << 4 | static_cast<char32_t>(digit);
    }
    if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) refuse(begin, "the escape is not a character");
    return value;
  }

  /// Parses the rest of a repeat. `operation`: its first character, already consumed.
  Expression repeat(Expression repeated, char32_t operation) {
    Node node{.kind = Node::Kind::repeat, .parts = {repeated}};
    if (operation == U'+') node.min = 1;
    if (operation == U'?') node.max = 1;
    if (operation == U'{') {
      const Place begin = at_;
      skip_space(true);
      const std::optional<std::uint32_t> min = number();
      skip_space(true);
      if (take_if(U',')) {
        skip_space(true);
        node.max = number();
        skip_space(true);
        if (!min && !node.max) refuse(begin, "the repeat has no numbers");
      } else {
        node.max = min;
        if (!min) refuse(begin, "the repeat has no numbers");
      }
      if (!take_if(U'}')) refuse(at_, "expected }");
      node.min = min.value_or(0);
      if (node.max && *node.max < node.min) refuse(begin, "the repeat's upper limit is below its lower one");
    }
    return add(std::move(node));
  }

  std::optional<std::uint32_t> number() {
    if (!is_digit(peek())) return std::nullopt;
    const Place begin = at_;
    std::uint64_t value = 0;
    while (is_digit(peek())) {
      value = value * 10 + (take() - U'0');
      if (value >= std::numeric_limits<std::uint32_t>::max()) refuse(begin, rule_, "the repeat's limit is too large", "too-large");
    }
    return static_cast<std::uint32_t>(value);
  }

  std::string_view text_;
  RegularPool& pool_;
  Budget& budget_;
  Place at_;
  std::size_t next_ = 0;   // bytes of the code point that peek() returned
  std::string_view rule_;  // the current rule's name
  Syntax syntax_;
  std::vector<bool> defined_;  // by RuleId
  std::map<std::string, RuleId, std::less<>> ids_;
  std::map<std::string, Place, std::less<>> first_calls_;  // by rule
};

}  // namespace

Syntax parse(std::string_view text, RegularPool& pool, Budget& budget) { return GrammarParser(text, pool, budget).run(); }

}  // namespace heed::grammar::gbnf
