#include "grammar/schema/uri.hpp"

#include <algorithm>
#include <cstddef>

namespace heed::grammar {
namespace {

struct Uri {
  std::string_view scheme;     // with ":"
  std::string_view authority;  // with "//"
  std::string_view path;
  std::string_view query;  // with "?"
};

// `text` must not have a fragment.
Uri parse_uri(std::string_view text) {
  Uri uri;
  const std::size_t colon = text.find_first_of(":/?");
  if (colon != std::string_view::npos && colon > 0 && text[colon] == ':') {
    uri.scheme = text.substr(0, colon + 1);
    text.remove_prefix(colon + 1);
  }
  if (text.starts_with("//")) {
    const std::size_t end = std::min(text.find_first_of("/?", 2), text.size());
    uri.authority = text.substr(0, end);
    text.remove_prefix(end);
  }
  const std::size_t query = std::min(text.find('?'), text.size());
  uri.path = text.substr(0, query);
  uri.query = text.substr(query);
  return uri;
}

std::string without_dot_segments(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    if (path.starts_with("../")) {
      path.remove_prefix(3);
    } else if (path.starts_with("./") || path.starts_with("/./")) {
      path.remove_prefix(2);
    } else if (path == "/.") {
      path = "/";
    } else if (path.starts_with("/../") || path == "/..") {
      path = path == "/.." ? std::string_view("/") : path.substr(3);
      const std::size_t slash = out.rfind('/');
      out.resize(slash == std::string::npos ? 0 : slash);
    } else if (path == "." || path == "..") {
      path = {};
    } else {
      const std::size_t end = std::min(path.find('/', 1), path.size());
      out += path.substr(0, end);
      path.remove_prefix(end);
    }
  }
  return out;
}

}  // namespace

std::pair<std::string_view, std::string_view> split_fragment(std::string_view uri) {
  const std::size_t hash = uri.find('#');
  if (hash == std::string_view::npos) return {uri, {}};
  return {uri.substr(0, hash), uri.substr(hash + 1)};
}

std::string resolve_uri(std::string_view base_text, std::string_view reference) {
  const std::size_t hash = std::min(reference.find('#'), reference.size());
  const std::string_view fragment = reference.substr(hash);
  const Uri base = parse_uri(split_fragment(base_text).first), other = parse_uri(reference.substr(0, hash));
  std::string_view scheme = base.scheme, authority = base.authority, query = other.query;
  std::string path;
  if (!other.scheme.empty()) {
    scheme = other.scheme, authority = other.authority;
    path = without_dot_segments(other.path);
  } else if (!other.authority.empty()) {
    authority = other.authority;
    path = without_dot_segments(other.path);
  } else if (other.path.empty()) {
    path = base.path;
    if (query.empty()) query = base.query;
  } else if (other.path.starts_with('/')) {
    path = without_dot_segments(other.path);
  } else if (!base.authority.empty() && base.path.empty()) {
    path = without_dot_segments("/" + std::string(other.path));
  } else {
    path = without_dot_segments(std::string(base.path.substr(0, base.path.rfind('/') + 1)) + std::string(other.path));
  }
  std::string out;
  out.append(scheme).append(authority).append(path).append(query).append(fragment);
  return out;
}

std::string percent_decoded(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? digit(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : digit(text[i + 2]);
    if (low < 0) {
      out += text[i];
    } else {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

}  // namespace heed::grammar
