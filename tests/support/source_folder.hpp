// Where the checkout is.
#pragma once

#include <filesystem>

namespace heed::test {

std::filesystem::path source_folder();

}  // namespace heed::test
