#include "support/source_folder.hpp"

namespace heed::test {

// Alone in this file: what knows an absolute path is compiled anew in every clone, the rest comes from the compiler's cache.
std::filesystem::path source_folder() { return HEED_SOURCE_DIR; }

}  // namespace heed::test
