// The syntax of ECMA-262, 22.2.1, with the flag u, plus the additions of annex B, which are valid without the flag.
#include "grammar/regular/regex_tree.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/utf8.hpp"
#include "grammar/refusal.hpp"
#include "grammar/regular/nodes.hpp"
#include "grammar/regular/properties.hpp"

namespace heed::grammar {
namespace {

using Kind = RegexTree::Kind;
using Part = RegexTree::Part;

/// Deeper groups could overflow the stack.
constexpr int kDeepestGroup = 200;

CodePoints digits() { return CodePoints::range('0', '9'); }

CodePoints white_space() {
  return CodePoints({{'\t', '\r'},
                     {' ', ' '},
                     {0xA0, 0xA0},
                     {0x1680, 0x1680},
                     {0x2000, 0x200A},
                     {0x2028, 0x2029},
                     {0x202F, 0x202F},
                     {0x205F, 0x205F},
                     {0x3000, 0x3000},
                     {0xFEFF, 0xFEFF}});
}

CodePoints line_ends() { return CodePoints({{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}); }

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int hexadecimal_value(char32_t c) {
  if (is_digit(c)) return static_cast<int>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<int>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<int>(c - 'A') + 10;
  return -1;
}

class RegexParser {
 public:
  RegexParser(std::string_view pattern, Budget& budget) : budget_(budget) {
    while (!pattern.empty()) {
      const utf8::Decoded decoded = utf8::decode(pattern);
      if (decoded.sequence != utf8::Sequence::whole) refuse("invalid", "", text_.size(), "a regular expression is not UTF-8");
      text_.push_back(decoded.code_point);
      pattern.remove_prefix(decoded.length);
    }
    budget_.spend(text_.size());
    count_groups();
  }

  RegexTree parse() {
    tree_.root = alternatives();
    if (!done()) refuse("invalid", ")", at_, "there is no group to close");
    return std::move(tree_);
  }

 private:
  [[noreturn]] void refuse(const char* code, std::string keyword, std::size_t offset, std::string message) const {
    throw Refusal{code, std::move(keyword), std::to_string(offset), std::move(message)};
  }
  /// The pattern between two offsets, in UTF-8.
  std::string written(std::size_t from, std::size_t to) const {
    std::string out;
    for (std::size_t i = from; i < std::min(to, text_.size()); ++i) utf8::append(out, text_[i]);
    return out;
  }

  bool done() const { return at_ == text_.size(); }
  /// kEnd past the end.
  char32_t peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : kEnd; }
  bool take(char32_t c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view characters) {
    for (std::size_t i = 0; i < characters.size(); ++i)
      if (peek(i) != static_cast<char32_t>(characters[i])) return false;
    at_ += characters.size();
    return true;
  }

  /// Sets group_count_ and has_names_ before parsing, because back-references may refer to later groups.
  void count_groups() {
    bool in_class = false;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const char32_t c = text_[i];
      if (c == '\\') ++i;
      else if (c == '[') in_class = true;
      else if (c == ']') in_class = false;
      else if (c == '(' && !in_class) {
        at_ = i + 1;
        const bool named = peek() == '?' && peek(1) == '<' && peek(2) != '=' && peek(2) != '!';
        if (named || peek() != '?') ++group_count_;
        has_names_ |= named;
      }
    }
    at_ = 0;
  }

  std::uint32_t add(Part part) {
    budget_.spend(1 + part.points.ranges().size() / 8);
    for (const std::uint32_t index : part.parts) {
      part.anchored |= tree_.parts[index].anchored;
      part.looks |= tree_.parts[index].looks;
    }
    tree_.parts.push_back(std::move(part));
    return static_cast<std::uint32_t>(tree_.parts.size() - 1);
  }
  std::uint32_t add(Kind kind, std::size_t offset, std::vector<std::uint32_t> parts) {
    Part part;
    part.kind = kind;
    part.offset = static_cast<std::uint32_t>(offset);
    part.parts = std::move(parts);
    part.anchored = kind == Kind::start || kind == Kind::end;
    part.looks = kind >= Kind::boundary;
    return add(std::move(part));
  }
  std::uint32_t add(CodePoints points) {
    Part part;
    part.kind = Kind::character;
    part.points = std::move(points);
    return add(std::move(part));
  }

  std::uint32_t alternatives() {
    const std::size_t offset = at_;
    std::vector<std::uint32_t> parts;
    const std::size_t disjunction = disjunction_count_++;
    do {
      place_.push_back({disjunction, parts.size()});
      parts.push_back(sequence());
      place_.pop_back();
    } while (take('|'));
    return parts.size() == 1 ? parts.front() : add(Kind::alternatives, offset, std::move(parts));
  }

  std::uint32_t sequence() {
    const std::size_t offset = at_;
    std::vector<std::uint32_t> parts;
    while (!done() && peek() != '|' && peek() != ')') parts.push_back(quantified());
    return parts.size() == 1 ? parts.front() : add(Kind::sequence, offset, std::move(parts));
  }

  std::uint32_t quantified() {
    const std::size_t offset = at_;
    const std::uint32_t part = atom();
    const std::size_t quantifier_offset = at_;
    const auto counts = quantifier();
    if (!counts) return part;
    const auto [min, max] = *counts;
    const Kind kind = tree_.parts[part].kind;
    const bool lookahead = kind == Kind::lookahead || kind == Kind::no_lookahead;
    if (!lookahead && (kind == Kind::start || kind == Kind::end || kind == Kind::boundary || kind == Kind::no_boundary) &&
        !grouped_)
      nothing_to_repeat(quantifier_offset);
    if (min > max) refuse("invalid", written(quantifier_offset, at_), quantifier_offset, "a repeat's limits are out of order");
    if (lookahead && min > 0) return part;  // repeating a lookahead changes nothing
    if (lookahead || max == 0) return add(Kind::sequence, offset, {});
    Part repeat;
    repeat.kind = Kind::repeat;
    repeat.offset = static_cast<std::uint32_t>(quantifier_offset);
    repeat.min = min;
    repeat.max = max;
    repeat.parts = {part};
    return add(std::move(repeat));
  }

  [[noreturn]] void nothing_to_repeat(std::size_t offset) const {
    refuse("invalid", written(offset, offset + 1), offset, "there is nothing to repeat");
  }

  struct Counts {
    std::uint32_t min, max;
  };

  /// Consumes a quantifier. nullopt if there is none.
  std::optional<Counts> quantifier() {
    std::optional<Counts> counts;
    if (take('*')) counts = {0, kUnlimited};
    else if (take('+')) counts = {1, kUnlimited};
    else if (take('?')) counts = {0, 1};
    else counts = braces();
    if (counts) take('?');  // lazy quantifiers match the same texts
    return counts;
  }

  std::optional<Counts> braces() {
    const std::size_t begin = at_;
    Counts counts{0, 0};
    if (take('{') && is_digit(peek())) {
      counts.min = counts.max = number(begin);
      if (take(',')) counts.max = is_digit(peek()) ? number(begin) : kUnlimited;
      if (take('}')) return counts;
    }
    at_ = begin;
    return std::nullopt;
  }

  std::uint32_t number(std::size_t offset) {
    std::uint64_t value = 0;
    for (; is_digit(peek()); ++at_) value = std::min<std::uint64_t>(10 * value + (peek() - '0'), kUnlimited);
    if (value == kUnlimited) refuse("too-large", "{", offset, "a repeat's count must be below 4294967295");
    return static_cast<std::uint32_t>(value);
  }

  std::uint32_t atom() {
    const std::size_t offset = at_;
    grouped_ = false;
    const char32_t c = text_[at_++];
    switch (c) {
      case '^': return add(Kind::start, offset, {});
      case '$': return add(Kind::end, offset, {});
      case '.': return add(~line_ends());
      case '[': return add(character_class(offset));
      case '(': return group(offset);
      case '\\': return escape(offset);
      case '*':
      case '+':
      case '?': nothing_to_repeat(offset);
      case '{':
        --at_;
        if (braces()) nothing_to_repeat(offset);
        ++at_;
        break;
      default: break;
    }
    return add(CodePoints::of(c));
  }

  std::uint32_t group(std::size_t offset) {
    if (++depth_ > kDeepestGroup)
      refuse("too-large", "(", offset, "groups are nested more than " + std::to_string(kDeepestGroup) + " deep");
    std::optional<Kind> look;
    if (take('?')) {
      if (take('=')) look = Kind::lookahead;
      else if (take('!')) look = Kind::no_lookahead;
      else if (take("<=") || take("<!")) refuse("unsupported", written(offset, at_), offset, "lookbehinds are not supported");
      else if (take('<')) group_name(offset);
      else if (!take(':')) {
        const bool flags = peek() == '-' || is_letter(peek());
        const std::string keyword = written(offset, at_ + 1);
        if (flags) refuse("unsupported", keyword, offset, "flags are not supported");
        refuse("invalid", keyword, offset, "there is no group of this kind");
      }
    }
    std::uint32_t part = alternatives();
    if (!take(')')) refuse("invalid", "(", offset, "a group is not closed");
    --depth_;
    grouped_ = true;
    if (look) part = add(*look, offset, {part});
    return part;
  }

  /// A name may be repeated only in another alternative.
  void group_name(std::size_t offset) {
    const std::size_t begin = at_;
    while (!done() && peek() != '>') ++at_;
    const std::string name = written(begin, at_);
    const bool known = std::ranges::any_of(names_, [&](const Name& other) {
      return other.name == name && std::ranges::none_of(other.place, [&](const Place& theirs) {
               return std::ranges::any_of(place_, [&](const Place& ours) {
                 return ours.disjunction == theirs.disjunction && ours.alternative != theirs.alternative;
               });
             });
    });
    if (!take('>') || name.empty() || !is_name(begin, at_ - 1)) refuse("invalid", "(?<", offset, "the group's name is not valid");
    if (known) refuse("invalid", "(?<", offset, "two groups are named " + name);
    names_.push_back({name, place_});
  }

  bool is_name(std::size_t begin, std::size_t end) const {
    static const CodePoints starts = *property("L") | *property("Nl") | CodePoints::of('$') | CodePoints::of('_');
    static const CodePoints others = *property("Mn") | *property("Mc") | *property("Nd") | *property("Pc");
    for (std::size_t i = begin; i < end; ++i)
      if (!starts.contains(text_[i]) && (i == begin || !others.contains(text_[i]))) return false;
    return true;
  }

  std::uint32_t escape(std::size_t offset) {
    if (done()) refuse("invalid", "\\", offset, "a \\ escapes nothing");
    const char32_t c = peek();
    if (c == 'b' || c == 'B') {
      ++at_;
      return add(c == 'b' ? Kind::boundary : Kind::no_boundary, offset, {});
    }
    if (c == 'k' && has_names_) refuse("unsupported", "\\k", offset, "back-references are not supported");
    if (c >= '1' && c <= '9') {
      std::size_t end = at_;
      std::uint64_t group = 0;
      for (; end < text_.size() && is_digit(text_[end]); ++end)
        group = std::min<std::uint64_t>(10 * group + (text_[end] - '0'), 1U << 30);
      if (group <= group_count_) refuse("unsupported", written(offset, end), offset, "back-references are not supported");
    }
    if (auto set = set_escape(offset)) return add(std::move(*set));
    return add(CodePoints::of(character_escape(offset, false)));
  }

  /// Escapes that denote sets, such as \d and \p{...}.
  std::optional<CodePoints> set_escape(std::size_t offset) {
    const char32_t c = peek();
    std::optional<CodePoints> set;
    switch (c) {
      case 'd':
      case 'D': set = digits(); break;
      case 'w':
      case 'W': set = word_characters(); break;
      case 's':
      case 'S': set = white_space(); break;
      case 'p':
      case 'P': {
        if (peek(1) != '{') return std::nullopt;
        std::size_t end = at_ + 2;
        while (end < text_.size() && text_[end] != '}') ++end;
        set = property(written(at_ + 2, end));
        const std::string keyword = written(offset, end + 1);
        if (end == text_.size()) refuse("invalid", "\\p{", offset, "the property's name is not closed");
        if (!set) refuse("unsupported", keyword, offset, "of the Unicode properties, only general categories are supported");
        at_ = end;
        break;
      }
      default: return std::nullopt;
    }
    ++at_;
    return c < 'a' ? ~*set : set;
  }

  /// One code point; a surrogate if only half a pair is escaped.
  char32_t character_escape(std::size_t offset, bool in_class) {
    const char32_t c = text_[at_++];
    switch (c) {
      case 't': return '\t';
      case 'n': return '\n';
      case 'v': return '\v';
      case 'f': return '\f';
      case 'r': return '\r';
      case 'c':
        if (is_letter(peek()) || (in_class && (is_digit(peek()) || peek() == '_'))) return text_[at_++] % 32;
        --at_;  // annex B: the \ stands for itself
        return '\\';
      case 'x': return hexadecimal(2).value_or(c);
      case 'u': return unicode_escape(offset).value_or(c);
      default: break;
    }
    if (c >= '0' && c <= '7') {  // annex B: octal, which includes \0
      char32_t value = c - '0';
      for (int digits_left = c <= '3' ? 2 : 1; digits_left > 0 && peek() >= '0' && peek() <= '7'; --digits_left)
        value = 8 * value + (text_[at_++] - '0');
      return value;
    }
    return c;
  }

  std::optional<char32_t> hexadecimal(int count) {
    char32_t value = 0;
    for (int i = 0; i < count; ++i) {
      const int digit = hexadecimal_value(peek(static_cast<std::size_t>(i)));
      if (digit < 0) return std::nullopt;
      value = 16 * value + static_cast<char32_t>(digit);
    }
    at_ += static_cast<std::size_t>(count);
    return value;
  }

  std::optional<char32_t> unicode_escape(std::size_t offset) {
    if (take('{')) {
      char32_t value = 0;
      const std::size_t begin = at_;
      for (int digit = 0; (digit = hexadecimal_value(peek())) >= 0 && value <= kLastCodePoint; ++at_)
        value = 16 * value + static_cast<char32_t>(digit);
      if (at_ == begin || value > kLastCodePoint || !take('}')) refuse("invalid", "\\u{", offset, "the escape is not a code point");
      return value;
    }
    const auto first = hexadecimal(4);
    if (!first || *first < 0xD800 || *first > 0xDBFF) return first;
    const std::size_t after = at_;
    if (take("\\u"))
      if (const auto second = hexadecimal(4); second && *second >= 0xDC00 && *second <= 0xDFFF)
        return 0x10000 + (*first - 0xD800) * 0x400 + (*second - 0xDC00);
    at_ = after;
    return first;
  }

  /// An element of a class; `single` is set if it can be an end of a range.
  struct ClassAtom {
    CodePoints points;
    std::optional<char32_t> single;
  };

  ClassAtom class_atom() {
    const std::size_t offset = at_;
    char32_t c = text_[at_++];
    if (c == '\\') {
      if (done()) refuse("invalid", "\\", offset, "a \\ escapes nothing");
      if (auto set = set_escape(offset)) return {std::move(*set), std::nullopt};
      if (take('b')) c = '\b';
      else c = character_escape(offset, true);
    }
    return {CodePoints::of(c), c};
  }

  CodePoints character_class(std::size_t offset) {
    const bool negated = take('^');
    std::vector<CodePoints::Range> ranges;
    const auto add_points = [&](const CodePoints& points) {
      ranges.insert(ranges.end(), points.ranges().begin(), points.ranges().end());
      budget_.spend(points.ranges().size());
    };
    while (!done() && peek() != ']') {
      const std::size_t begin = at_;
      const ClassAtom first = class_atom();
      if (peek() == '-' && peek(1) != ']' && peek(1) != kEnd) {
        ++at_;
        const ClassAtom last = class_atom();
        if (first.single && last.single) {
          if (*first.single > *last.single) refuse("invalid", written(begin, at_), begin, "a range is out of order");
          ranges.push_back({*first.single, *last.single});
          budget_.spend();
          continue;
        }
        add_points(CodePoints::of('-'));
        add_points(last.points);
      }
      add_points(first.points);
    }
    if (!take(']')) refuse("invalid", "[", offset, "a class is not closed");
    CodePoints points(std::move(ranges));
    return negated ? ~points : points;
  }

  static constexpr char32_t kEnd = 0xFFFF'FFFF;

  /// An alternative of a disjunction.
  struct Place {
    std::size_t disjunction, alternative;
  };
  struct Name {
    std::string name;
    std::vector<Place> place;
  };

  Budget& budget_;
  std::u32string text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool grouped_ = false;  // the last atom was a group
  std::size_t group_count_ = 0;
  bool has_names_ = false;
  std::size_t disjunction_count_ = 0;
  std::vector<Place> place_;
  std::vector<Name> names_;
  RegexTree tree_;
};

}  // namespace

CodePoints word_characters() { return CodePoints({{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}); }

RegexTree parse_regex_tree(std::string_view pattern, Budget& budget) { return RegexParser(pattern, budget).parse(); }

}  // namespace heed::grammar
