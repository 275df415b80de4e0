#include "cli/output.hpp"

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

void print(std::string_view text) {
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
