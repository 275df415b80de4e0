#include "support/source_folder.hpp"

namespace heed::test {

// In a file of its own: code that contains an absolute path is compiled anew in every clone, the rest comes from the compiler's
// cache.
std::filesystem::path source_folder() { return HEED_SOURCE_DIR; }

}  // namespace heed::test
