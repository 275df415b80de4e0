// Converts C++ exceptions to JavaScript ones: otherwise, JavaScript would receive an opaque WebAssembly.Exception.
#pragma once

#include <emscripten/val.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace heed::bindings {

/// An exception for JavaScript: a code, one sentence, and the option at fault, spelled as in JavaScript.
struct Failure {
  std::string code, message, option = {};
};

inline std::string in_camel_case(const std::string& name) {
  std::string camel;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (name[i] == '_' && i + 1 < name.size() && name[i + 1] >= 'a' && name[i + 1] <= 'z')
      camel += static_cast<char>(name[++i] - 'a' + 'A');
    else camel += name[i];
  return camel;
}

inline Failure failure_of(const Error& error) {
  std::string message = error.message();
  const std::string& where = error.where();
  const bool option = error.code() != ErrorCode::invalid_file && error.code() != ErrorCode::unsupported;
  if (!option || where.empty()) return {std::string(to_string(error.code())), message};
  message.replace(0, where.size(), in_camel_case(where));
  return {std::string(to_string(error.code())), message, in_camel_case(where)};
}

/// The failure of the exception that is being handled.
inline Failure failure() {
  try {
    throw;
  } catch (const Error& error) {
    return failure_of(error);
  } catch (const std::bad_alloc&) {
    return {std::string(to_string(ErrorCode::out_of_memory)), "the browser could not allocate more memory"};
  } catch (const std::length_error& error) {
    return {std::string(to_string(ErrorCode::out_of_memory)), error.what()};
  } catch (const std::exception& error) {
    return {"internal", error.what()};
  }
}

/// The failure of the last call that threw. Global, because a variable in each call would make the module kilobytes larger.
inline Failure last_failure;

[[gnu::noinline]] inline void note_failure() { last_failure = failure(); }

/// Must be called outside the handler of the C++ exception, which would otherwise never be freed.
[[noreturn, gnu::noinline]] inline void throw_to_javascript() {
  auto error = emscripten::val::global("Error").new_(last_failure.message);
  error.set("code", last_failure.code);
  error.set("option", last_failure.option);
  error.throw_();
}

/// Wraps a member function of `Self` as a free function for Embind, which throws a JavaScript Error with a
/// `code`.
template <auto member>
struct Guarded;

template <class Self, class Result, class... Arguments, Result (Self::*member)(Arguments...)>
struct Guarded<member> {
  static Result call(Self& self, Arguments... arguments) {
    try {
      return (self.*member)(std::move(arguments)...);
    } catch (...) {
      note_failure();
    }
    throw_to_javascript();
  }
};

}  // namespace heed::bindings
