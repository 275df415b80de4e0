#include "base/extra.hpp"

namespace heed {

void require_extra() {
  [[maybe_unused]] static volatile bool required;  // so that the function is not empty, and no call of it left out
  required = true;
}

}  // namespace heed
