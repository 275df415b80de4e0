// Formats as regular expressions, where possible. Sources: RFC 3339 (dates, times, durations), RFC 5321 (email), RFC 1123
// (hostname), RFC 2673 and 4291 (IP addresses), RFC 3986 and 3987 (URIs, IRIs), RFC 6570 and its erratum 6937 (URI templates), RFC
// 6901 and draft-bhutton-relative-json-pointer-00 (JSON pointers).
#include "grammar/regular/formats.hpp"

#include <memory>
#include <string>

#include "grammar/regular/characters.hpp"
#include "grammar/regular/leap_second.hpp"
#include "grammar/regular/regex.hpp"

namespace heed::grammar {
namespace {

std::string group(const std::string& alternatives) { return "(?:" + alternatives + ")"; }
std::string optional(const std::string& pattern) { return group(pattern) + "?"; }
std::string any_number(const std::string& pattern) { return group(pattern) + "*"; }
/// Repeats `pattern`: exactly `most` times if `least` is "", at most `most` times if `least` is "0,".
std::string times(std::string pattern, const char* least, int most) {
  return pattern.append("{").append(least).append(std::to_string(most)).append("}");
}

constexpr const char* kEncoded = "%[0-9A-Fa-f]{2}";
/// The ranges ucschar and iprivate of RFC 3987.
constexpr const char* kBeyondAscii =
    R"(\u{A0}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFEF}\u{10000}-\u{1FFFD}\u{20000}-\u{2FFFD}\u{30000}-\u{3FFFD}\u{40000}-\u{4FFFD})"
    R"(\u{50000}-\u{5FFFD}\u{60000}-\u{6FFFD}\u{70000}-\u{7FFFD}\u{80000}-\u{8FFFD}\u{90000}-\u{9FFFD}\u{A0000}-\u{AFFFD})"
    R"(\u{B0000}-\u{BFFFD}\u{C0000}-\u{CFFFD}\u{D0000}-\u{DFFFD}\u{E1000}-\u{EFFFD})";
constexpr const char* kPrivate = R"(\u{E000}-\u{F8FF}\u{F0000}-\u{FFFFD}\u{100000}-\u{10FFFD})";

std::string ipv4() {
  const std::string byte = R"((?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d))";
  return byte + R"((?:\.)" + byte + "){3}";
}

std::string ipv6() {
  const std::string group_of_16 = "[0-9A-Fa-f]{1,4}";
  const std::string before = group(group_of_16 + ":");
  const std::string last_32 = group(before + group_of_16 + "|" + ipv4());
  std::string forms = before + "{6}" + last_32;
  for (int groups_before = 0; groups_before <= 7; ++groups_before) {  // the most groups before ::
    forms += "|";
    if (groups_before > 0) forms.append(optional(times(before, "0,", groups_before - 1).append(group_of_16)));
    forms += "::";
    if (groups_before < 6) forms.append(times(before, "", 5 - groups_before)).append(last_32);
    if (groups_before == 6) forms += group_of_16;
  }
  return forms;
}

/// URIs or, if international, IRIs.
class UriTexts {
 public:
  explicit UriTexts(bool international) : more_(international ? kBeyondAscii : ""), more_in_query_(international ? kPrivate : "") {}

  std::string absolute() const {
    return "[A-Za-z][A-Za-z0-9+.-]*:" + group(in_authority() + "|" + path_absolute() + "|" + path_rootless() + "|") + end();
  }
  std::string reference() const {
    const std::string path_without_scheme = one_of("@") + "+" + path_after_authority();
    return absolute() + "|" + group(in_authority() + "|" + path_absolute() + "|" + path_without_scheme + "|") + end();
  }

 private:
  /// unreserved / sub-delims / one of `others` / pct-encoded.
  std::string one_of(const std::string& others) const {
    return group("[" + more_ + R"(A-Za-z0-9._~!$&'()*+,;=)" + others + "-]|" + kEncoded);
  }
  std::string path_after_authority() const { return any_number("/" + one_of(":@") + "*"); }
  std::string path_rootless() const { return one_of(":@") + "+" + path_after_authority(); }
  std::string path_absolute() const { return "/" + optional(path_rootless()); }

  std::string in_authority() const {
    const std::string address = R"(\[)" + group(ipv6() + R"(|v[0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+)") + R"(\])";
    const std::string host = group(address + "|" + one_of("") + "*");
    return "//" + optional(one_of(":") + "*@") + host + R"((?::\d*)?)" + path_after_authority();
  }

  std::string end() const {
    const std::string fragment = any_number(one_of(":@") + "|[/?]");
    const std::string query = any_number(one_of(":@") + "|[" + more_in_query_ + "/?]");
    return optional("\\?" + query) + optional("#" + fragment);
  }

  std::string more_, more_in_query_;
};

class FormatTexts {
 public:
  FormatTexts(RegularPool& pool, Spelling spelling) : pool_(pool), spelling_(spelling) {}

  Regular pattern(const std::string& pattern) { return parse_regex(pool_, pattern, spelling_, Anchoring::whole); }

  Regular date() {
    const std::string february_29 = group(R"(\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)") + "-02-29";
    return pattern(
        R"(\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))"
        "|" +
        february_29);
  }

  Regular time() {
    const Regular usual = pattern(R"((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))");
    return pool_.any_of(usual, pool_.automaton(std::make_unique<LeapSecond>()));
  }

  Regular date_time() { return pool_.concat({date(), pattern("[Tt]"), time()}); }

  static std::string duration() {
    const std::string time = R"(T(?:\d+S|\d+M(?:\d+S)?|\d+H(?:\d+M(?:\d+S)?)?))";
    const std::string date = R"((?:\d+D|\d+M(?:\d+D)?|\d+Y(?:\d+M(?:\d+D)?)?))";
    return "P" + group(R"(\d+W|)" + date + optional(time) + "|" + time);
  }

  /// `texts` omits labels with "--" in the third place: only Punycode decides which of them are valid A-labels.
  Format hostname() {
    const Regular label = pattern("[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?");
    const Regular any = any_character(pool_, spelling_);
    const Regular reserved = pool_.concat({any, any, pattern("--"), pool_.repeat(any, 0, {})});
    const auto names_of = [&](Regular one) {
      const Regular labels = pool_.concat(one, pool_.repeat(pool_.concat(pattern("\\."), one), 0, {}));
      return pool_.all_of(labels, pool_.repeat(any, 1, 253));
    };
    return {names_of(pool_.all_of(label, pool_.complement(reserved))), names_of(label)};
  }

  /// `international`: allows characters beyond ASCII in the local part. In the domain they would need IDNA.
  static std::string email(bool international) {
    const std::string more = international ? R"(\u{80}-\u{10FFFF})" : "";
    const std::string atom = "[" + more + R"(A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)";
    const std::string quoted = "\"(?:[" + more + R"( !#-\[\]-~]|\\[ -~])*")";
    const std::string label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
    const std::string domain = label + any_number("\\." + label);
    return group(atom + any_number("\\." + atom) + "|" + quoted) + "@" +
           group(domain + R"(|\[)" + group(ipv4() + "|IPv6:" + group(ipv6())) + R"(\])");
  }

  static std::string uri_template() {
    const std::string literal = std::string("[") + kBeyondAscii + kPrivate + R"(!#$&-;=?-\[\]_a-z~]|)" + kEncoded;
    const std::string character = group(std::string("\\w|") + kEncoded);
    const std::string variable = character + any_number("\\.?" + character) + R"((?::[1-9]\d{0,3}|\*)?)";
    return any_number(literal + R"(|\{[+#./;?&=,!@|]?)" + variable + any_number("," + variable) + R"(\})");
  }

  /// A subset of the valid expressions: omits nested groups and most character classes.
  static std::string regex() {
    const std::string escape = R"(\\[dDwWsStnvfr^$\\.*+?()[\]{}|\/])";
    const std::string item = R"((?:[^\\\]\[^-]|a-z|A-Z|0-9|)" + escape + ")";
    const std::string atom = R"((?:[^\^$\\.*+?()[\]{}|]|\.|)" + escape + R"(|\[\^?)" + item + R"(+\]))";
    const std::string quantifier = R"((?:(?:[*+?]|\{\d{1,4},?\})\??)?)";
    const auto alternatives = [&](const std::string& one) {
      const std::string sequence = any_number(R"([\^$]|)" + group(one) + quantifier);
      return sequence + any_number("\\|" + sequence);
    };
    return alternatives(atom + R"(|\((?:\?:)?)" + alternatives(atom) + R"(\))");
  }

 private:
  RegularPool& pool_;
  Spelling spelling_;
};

}  // namespace

std::optional<Format> format(RegularPool& pool, std::string_view name, Spelling spelling) {
  FormatTexts formats(pool, spelling);
  const auto exactly = [](Regular texts) { return Format{texts, texts}; };
  const auto pattern = [&](const std::string& text) { return exactly(formats.pattern(text)); };
  if (name == "date") return exactly(formats.date());
  if (name == "time") return exactly(formats.time());
  if (name == "date-time") return exactly(formats.date_time());
  if (name == "duration") return pattern(FormatTexts::duration());
  if (name == "email") return pattern(FormatTexts::email(false));
  if (name == "idn-email") return Format{formats.pattern(FormatTexts::email(true)), formats.pattern(R"([^]+@[^]+)")};
  if (name == "hostname") return formats.hostname();
  if (name == "idn-hostname") return Format{formats.hostname().texts, formats.pattern(R"([A-Za-z0-9.\u{80}-\u{10FFFF}-]{1,253})")};
  if (name == "ipv4") return pattern(ipv4());
  if (name == "ipv6") return pattern(ipv6());
  if (name == "uuid") return pattern("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");
  if (name == "uri" || name == "iri") return pattern(UriTexts(name == "iri").absolute());
  if (name == "uri-reference" || name == "iri-reference") return pattern(UriTexts(name == "iri-reference").reference());
  if (name == "uri-template") return pattern(FormatTexts::uri_template());
  const std::string pointer = "(?:/(?:[^/~]|~[01])*)*", number = "(?:0|[1-9]\\d*)", end = group("#|" + pointer);
  if (name == "json-pointer") return pattern(pointer);
  if (name == "relative-json-pointer")
    return Format{formats.pattern(number + end), formats.pattern(number + optional("[+-]" + number) + end)};
  if (name == "regex") return Format{formats.pattern(FormatTexts::regex()), formats.pattern("[^]*")};
  return std::nullopt;
}

}  // namespace heed::grammar
