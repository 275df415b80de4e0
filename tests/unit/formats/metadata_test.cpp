#include "formats/metadata.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "support/errors.hpp"

using namespace heed;
using formats::Metadata;
using test::check_throws;

namespace {

Metadata sample_metadata() {
  Metadata metadata;
  metadata.set("count", std::int64_t{7});
  metadata.set("negative", std::int64_t{-1});
  metadata.set("large", std::int64_t{1} << 32);
  metadata.set("number", 0.5);
  metadata.set("infinite", std::numeric_limits<double>::infinity());
  metadata.set("too_large", 1e39);
  metadata.set("flag", true);
  metadata.set("text", std::string("hello"));
  metadata.set("strings", Metadata::Strings{"a"});
  return metadata;
}

}  // namespace

TEST_CASE("metadata is read by type, with fallbacks for absent keys", "[formats]") {
  const auto metadata = sample_metadata();
  CHECK(metadata.count("count") == 7);
  CHECK(metadata.count("absent", 9) == 9);
  CHECK(metadata.number("number") == 0.5f);
  CHECK(metadata.number("count") == 7.0f);
  CHECK(metadata.number("absent", 2.5f) == 2.5f);
  CHECK(metadata.flag("flag", false));
  CHECK(metadata.flag("absent", true));
  CHECK(metadata.text("text") == "hello");
  CHECK(metadata.text("absent", "fallback") == "fallback");
  CHECK(metadata.find<Metadata::Strings>("absent") == nullptr);
  CHECK(metadata.require<Metadata::Strings>("strings").size() == 1);
}

TEST_CASE("wrong metadata is an error that names its key, also where there is a fallback", "[formats]") {
  const auto metadata = sample_metadata();
  constexpr auto invalid = ErrorCode::invalid_file;
  check_throws(invalid, "absent: the metadata is missing", [&] { metadata.count("absent"); });
  check_throws(invalid, "absent: the metadata is missing", [&] { metadata.number("absent"); });
  check_throws(invalid, "absent: the metadata is missing", [&] { metadata.text("absent"); });
  check_throws(invalid, "number: the metadata has an unexpected type", [&] { metadata.count("number", 1); });
  check_throws(invalid, "text: the metadata has an unexpected type", [&] { metadata.number("text", 1); });
  check_throws(invalid, "flag: the metadata has an unexpected type", [&] { metadata.number("flag", 1); });
  check_throws(invalid, "count: the metadata has an unexpected type", [&] { metadata.flag("count", false); });
  check_throws(invalid, "strings: the metadata has an unexpected type", [&] { metadata.text("strings", ""); });
  check_throws(invalid, "negative: the value -1 is out of range", [&] { metadata.count("negative", 1); });
  check_throws(invalid, "large: the value 4294967296 is out of range", [&] { metadata.count("large"); });
  check_throws(invalid, "infinite: the value is not a finite number", [&] { metadata.number("infinite"); });
  check_throws(invalid, "too_large: the value is not a finite number", [&] { metadata.number("too_large"); });
}

TEST_CASE("a key is set once", "[formats]") {
  auto metadata = sample_metadata();
  check_throws(ErrorCode::invalid_file, "count: the metadata appears twice", [&] { metadata.set("count", std::int64_t{8}); });
  CHECK(metadata.count("count") == 7);
}
