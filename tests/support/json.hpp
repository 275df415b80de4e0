// JSON references.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/files.hpp"

namespace heed::test {

inline nlohmann::json read_json(const std::filesystem::path& path) { return nlohmann::json::parse(read_text(path)); }

}  // namespace heed::test
