#include "grammar/schema/json.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/utf8.hpp"
#include "grammar/refusal.hpp"

namespace heed::grammar {
namespace {

constexpr std::size_t kMaxLevels = 500;

class JsonReader {
 public:
  JsonReader(std::string_view text, Budget& budget) : text_(text), budget_(budget) {}

  Json read() {
    Json value = read_value(0);
    skip_space();
    if (at_ < text_.size()) fail("expected the end");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Refusal{"invalid", "schema", "#", "invalid JSON: " + what + " at byte " + std::to_string(at_)};
  }

  bool take(char byte) {
    if (at_ >= text_.size() || text_[at_] != byte) return false;
    ++at_;
    return true;
  }
  void expect(char byte) {
    if (!take(byte)) fail(std::string("expected '") + byte + "'");
  }
  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
  }
  bool digit_follows() const { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; }

  Json read_value(std::size_t level) {
    budget_.spend();
    skip_space();
    if (at_ >= text_.size()) fail("the text ends");
    Json value;
    switch (text_[at_]) {
      case '{': read_object(value, level + 1); break;
      case '[': read_array(value, level + 1); break;
      case '"':
        value.kind = Json::Kind::string;
        value.text = read_string();
        break;
      case 't':
      case 'f':
        value.kind = Json::Kind::boolean;
        value.truth = text_[at_] == 't';
        if (!take_word(value.truth ? "true" : "false")) fail("no value");
        break;
      case 'n':
        if (!take_word("null")) fail("no value");
        break;
      default: value.kind = Json::Kind::number; value.text = read_number();
    }
    return value;
  }

  void check_level(std::size_t level) const {
    if (level > kMaxLevels)
      throw Refusal{"too-large", "schema", "#", "the JSON text has more than " + std::to_string(kMaxLevels) + " levels"};
  }

  void read_array(Json& value, std::size_t level) {
    check_level(level);
    value.kind = Json::Kind::array;
    expect('[');
    skip_space();
    if (take(']')) return;
    do {
      value.items.push_back(read_value(level));
      skip_space();
    } while (take(','));
    expect(']');
  }

  void read_object(Json& value, std::size_t level) {
    check_level(level);
    value.kind = Json::Kind::object;
    expect('{');
    skip_space();
    if (take('}')) return;
    do {
      skip_space();
      std::string key = read_string();
      skip_space();
      expect(':');
      value.members.push_back({std::move(key), read_value(level)});
      skip_space();
    } while (take(','));
    expect('}');
    check_keys(value);
  }

  void check_keys(const Json& object) {
    std::vector<std::string_view> keys;
    keys.reserve(object.members.size());
    for (const JsonMember& member : object.members) keys.push_back(member.key);
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    if (twice != keys.end()) fail("the key " + std::string(*twice) + " occurs twice in the object that ends");
  }

  std::string read_number() {
    const std::size_t begin = at_;
    take('-');
    if (!take('0')) {
      if (!digit_follows()) fail("no value");
      while (digit_follows()) ++at_;
    }
    if (take('.')) {
      if (!digit_follows()) fail("expected a digit");
      while (digit_follows()) ++at_;
    }
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      if (!digit_follows()) fail("expected a digit");
      while (digit_follows()) ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  char32_t read_hex() {
    char32_t code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = at_ < text_.size() ? text_[at_] : '\0';
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) fail("expected a hexadecimal digit");
      code = code * 16 + static_cast<char32_t>(digit);
    }
    return code;
  }

  char32_t read_escape() {
    if (at_ >= text_.size()) fail("the text ends");
    switch (text_[at_++]) {
      case '"': return U'"';
      case '\\': return U'\\';
      case '/': return U'/';
      case 'b': return U'\b';
      case 'f': return U'\f';
      case 'n': return U'\n';
      case 'r': return U'\r';
      case 't': return U'\t';
      case 'u': break;
      default: fail("unknown escape");
    }
    const char32_t high = read_hex();
    if (high < 0xD800 || high > 0xDFFF) return high;
    if (high > 0xDBFF || !take('\\') || !take('u')) fail("lone surrogate");
    const char32_t low = read_hex();
    if (low < 0xDC00 || low > 0xDFFF) fail("lone surrogate");
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  }

  std::string read_string() {
    expect('"');
    std::string characters;
    for (;;) {
      if (at_ >= text_.size()) fail("the text ends");
      if (take('"')) return characters;
      if (take('\\')) {
        utf8::append(characters, read_escape());
        continue;
      }
      if (static_cast<unsigned char>(text_[at_]) < 0x20) fail("control character");
      const utf8::Decoded decoded = utf8::decode(text_.substr(at_));
      if (decoded.sequence != utf8::Sequence::whole) fail("invalid UTF-8");
      characters.append(text_, at_, decoded.length);
      at_ += decoded.length;
    }
  }

  std::string_view text_;
  Budget& budget_;
  std::size_t at_ = 0;
};

void append_value(std::string& out, const Json& value) {
  switch (value.kind) {
    case Json::Kind::null: out += "null"; break;
    case Json::Kind::boolean: out += value.truth ? "true" : "false"; break;
    case Json::Kind::number: out += value.text; break;
    case Json::Kind::string: append_json_string(out, value.text); break;
    case Json::Kind::array:
      out += '[';
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) out += ',';
        append_value(out, value.items[i]);
      }
      out += ']';
      break;
    case Json::Kind::object:
      out += '{';
      for (std::size_t i = 0; i < value.members.size(); ++i) {
        if (i > 0) out += ',';
        append_json_string(out, value.members[i].key);
        out += ':';
        append_value(out, value.members[i].value);
      }
      out += '}';
  }
}

}  // namespace

Json read_json(std::string_view text, Budget& budget) { return JsonReader(text, budget).read(); }

std::string write_json(const Json& value) {
  std::string out;
  append_value(out, value);
  return out;
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
    const std::size_t i = kEscaped.find(c);
    if (i != std::string_view::npos) {
      out += '\\';
      out += kLetters[i];
    } else if (byte < 0x20) {
      out += "\\u00";
      out += static_cast<char>('0' + byte / 16);
      out += "0123456789abcdef"[byte % 16];
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_pointer(std::string& out, std::string_view key) {
  out += '/';
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
}

}  // namespace heed::grammar
