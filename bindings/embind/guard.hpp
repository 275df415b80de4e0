// The one place where C++ exceptions become JavaScript ones: without it, JavaScript would get an opaque
// WebAssembly.Exception.
#pragma once

#include <emscripten/val.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace heed::bindings {

[[noreturn]] inline void throw_to_javascript(std::string_view code, const std::string& message) {
  auto error = emscripten::val::global("Error").new_(message);
  error.set("code", std::string(code));
  error.throw_();
}

/// Wraps a member function of `Self` as a free function for Embind, which throws a JavaScript Error with a
/// `code`.
template <auto member>
struct Guarded;

template <class Self, class Result, class... Arguments, Result (Self::*member)(Arguments...)>
struct Guarded<member> {
  static Result call(Self& self, Arguments... arguments) {
    std::string code, message;
    try {
      return (self.*member)(std::move(arguments)...);
    } catch (const Error& error) {
      code = to_string(error.code());
      message = error.message();
    } catch (const std::bad_alloc&) {
      code = to_string(ErrorCode::out_of_memory);
      message = "the browser gives no more memory";
    } catch (const std::exception& error) {
      code = "crashed";
      message = error.what();
    }
    throw_to_javascript(code, message);
  }
};

}  // namespace heed::bindings
