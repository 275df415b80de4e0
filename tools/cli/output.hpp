// Writes results; a failure to write is always an error.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace heed::cli {

/// The only kind of JSON that the program uses, because each costs seconds to compile.
using Json = nlohmann::ordered_json;

/// Replaces each character of UTF-8 text that a terminal would act on, or that changes the direction of the text, with shown(its
/// code). Keeps line breaks and tabs.
std::string without_controls(std::string_view text, std::string (*shown)(unsigned code));

/// Writes to stdout at once; on a terminal, with U+FFFD for control characters. Throws io.
void print(std::string_view text);

/// Writes to stdout, indented; bytes that are not UTF-8 become U+FFFD. Throws io.
void print_json(const Json& json);

/// A file being written.
class OutputFile {
 public:
  /// Throws io.
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Throws io. Numbers are f32, little-endian.
  void write(std::string_view bytes);
  void write(std::span<const float> values);
  /// Must be called last: only then is everything known to be written. Throws io.
  void close();

 private:
  std::string path_;
  std::FILE* file_;
};

}  // namespace heed::cli
