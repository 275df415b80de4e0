// The exception type of the engine. Loading and argument checks throw it; forward passes are noexcept. The bindings convert it to a
// JavaScript HeedError with the same code.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace heed {

enum class ErrorCode : std::uint8_t {
  invalid_file,      // truncated, corrupt or hostile model file
  unsupported,       // valid, but requires a feature that Heed lacks, which the message names
  invalid_argument,  // a caller's value is unknown or out of range
  out_of_memory,     // the message gives the required and the available memory
  context_overflow,  // a prompt longer than the context; the message gives both lengths
  io,                // a file could not be opened, read or written
};

/// The stable name of a code, used by scripts and the JavaScript API: "invalid-file", "out-of-memory", ...
constexpr std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::invalid_file: return "invalid-file";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::invalid_argument: return "invalid-argument";
    case ErrorCode::out_of_memory: return "out-of-memory";
    case ErrorCode::context_overflow: return "context-overflow";
    case ErrorCode::io: return "io";
  }
  return "unknown";
}

class Error final : public std::exception {
 public:
  /// message: one sentence in plain English; where: the key, tensor, option or file, or empty.
  Error(ErrorCode code, std::string message, std::string where = {})
      : code_(code), message_(std::move(message)), where_(std::move(where)) {
    if (!where_.empty()) message_ = where_ + ": " + message_;
  }

  ErrorCode code() const noexcept { return code_; }
  /// The message for users: "where: message".
  const std::string& message() const noexcept { return message_; }
  const std::string& where() const noexcept { return where_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorCode code_;
  std::string message_;
  std::string where_;
};

/// The Error for std::bad_alloc.
inline Error no_memory() { return Error(ErrorCode::out_of_memory, "no more memory could be allocated"); }

}  // namespace heed
