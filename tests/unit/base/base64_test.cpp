#include "base/base64.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

using namespace heed;

TEST_CASE("base64 of the examples in RFC 4648", "[base][base64]") {
  const std::pair<std::string, std::string> examples[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
      {"\xFB\xFF\xFE", "+//+"},
  };
  for (const auto& [bytes, text] : examples) {
    CHECK(base64::encode(bytes) == text);
    CHECK(base64::decode(text) == bytes);
  }
}

TEST_CASE("base64 gives back all bytes", "[base][base64]") {
  std::string bytes;
  for (int byte = 255; byte >= 0; --byte) {
    bytes.push_back(static_cast<char>(byte));
    REQUIRE(base64::decode(base64::encode(bytes)) == bytes);
  }
}

TEST_CASE("base64 rejects text that it cannot have written", "[base][base64]") {
  for (const char* text : {"Zg=", "Zg", "Z===", "=", "====", "Zm9v\n", "Zm 9v", "Zm-_", "Zg==Zg==", "Zh==", "Zm9="}) {
    CHECK(base64::decode(text) == std::nullopt);
  }
}
