// Checks that a call throws the expected Error.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>

#include "base/error.hpp"

namespace heed::test {

/// Runs `action`, which must throw an Error with this code and with `part` in its message.
template <class Action>
void check_throws(ErrorCode code, const std::string& part, Action action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.code() == code);
    CHECK_THAT(error.message(), Catch::Matchers::ContainsSubstring(part));
    return;
  }
  FAIL_CHECK("nothing was thrown; expected: " << part);
}

}  // namespace heed::test
