#include "cli/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace heed::cli {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw Error(ErrorCode::io, std::string("cannot be written: ") + std::strerror(errno), path);
}

/// The code and the length in bytes of the text's first character, if it has one or two bytes, or three in U+2000 to U+2FFF, where
/// all controls are. Other bytes stand for themselves.
std::pair<unsigned, std::size_t> character_at(std::string_view text) {
  const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
  const auto follows = [&](std::size_t at) { return (byte(at) & 0xC0) == 0x80; };
  if (byte(0) == 0xC2 && follows(1)) return {byte(1), 2};
  if (byte(0) == 0xE2 && follows(1) && follows(2)) return {0x2000 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
  return {byte(0) < 0x80 ? byte(0) : 0xFFFD, 1};
}

/// Whether a terminal would act on a character: control characters except tabs and line breaks, and those that change the direction
/// of the following text, so that it reads as something else (UAX #9, 2.1 to 2.3). Direction marks, which right-to-left prose uses,
/// only affect their own place and are allowed.
bool is_control(unsigned code) {
  const auto within = [code](unsigned first, unsigned last) { return code >= first && code <= last; };
  return (code < 0x20 && code != '\n' && code != '\t') || within(0x7F, 0x9F) || within(0x2028, 0x202E) || within(0x2066, 0x2069);
}

}  // namespace

std::string without_controls(std::string_view text, std::string (*shown)(unsigned code)) {
  std::string clean;
  for (std::size_t i = 0; i < text.size();) {
    const auto [code, length] = character_at(text.substr(i));
    if (is_control(code)) clean += shown(code);
    else clean += text.substr(i, length);
    i += length;
  }
  return clean;
}

void print(std::string_view text) {
  std::string clean;
  if (isatty(STDOUT_FILENO)) text = clean = without_controls(text, [](unsigned) { return std::string("\ufffd"); });
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) fail("stdout");
}

void print_json(const Json& json) { print(json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'); }

OutputFile::OutputFile(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
  if (!file_) fail(path_);
}

OutputFile::~OutputFile() {
  if (file_) std::fclose(file_);
}

void OutputFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail(path_);
}

void OutputFile::write(std::span<const float> values) {
  const auto bytes = std::as_bytes(values);
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void OutputFile::close() {
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail(path_);
}

}  // namespace heed::cli
