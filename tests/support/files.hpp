// Reading test data, and finding it: in the checkout, and beside it in ../shared.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "support/source_folder.hpp"

namespace heed::test {

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) FAIL("cannot open " << path.string());
  return std::string(std::istreambuf_iterator<char>(file), {});
}

inline std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// Little-endian 32-bit floats.
inline std::vector<float> read_floats(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  if (text.size() % sizeof(float) != 0) FAIL(path.string() << " does not hold whole floats");
  std::vector<float> values(text.size() / sizeof(float));
  std::memcpy(values.data(), text.data(), text.size());
  return values;
}

/// The path of a file in tests/golden/data, which every clone has.
inline std::filesystem::path golden_data(std::string_view name) { return source_folder() / "tests" / "golden" / "data" / name; }

/// The path of a file in ../shared. Where that folder is absent, the running test is skipped, and reported
/// and counted as skipped; a file that is missing from it is a failure.
inline std::filesystem::path shared_file(std::string_view name) {
  const auto folder = source_folder().parent_path() / "shared";
  if (!std::filesystem::exists(folder)) SKIP("needs " << folder.string() << ", which is not here");
  const auto path = folder / name;
  if (!std::filesystem::exists(path)) FAIL(path.string() << " is missing");
  return path;
}

}  // namespace heed::test
