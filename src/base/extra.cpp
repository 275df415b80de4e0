#include "base/extra.hpp"

namespace heed {

void require_extra() {
  [[maybe_unused]] static volatile bool required;  // so that the function has an effect, and no compiler removes its calls
  required = true;
}

}  // namespace heed
