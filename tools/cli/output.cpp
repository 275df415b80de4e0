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

}  // namespace

std::string without_controls(std::string_view text, std::string (*shown)(unsigned code)) {
  std::string clean;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned second = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) {
      clean += shown(byte);
    } else if (byte == 0xc2 && second >= 0x80 && second < 0xa0) {
      clean += shown(second);
      ++i;
    } else {
      clean += text[i];
    }
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

void OutputFile::close() {
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail(path_);
}

}  // namespace heed::cli
