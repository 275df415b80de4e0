#include "runtime/selection.hpp"

#include <numeric>
#include <string>

#include "base/error.hpp"

namespace heed::runtime {

std::vector<std::uint32_t> complete(std::vector<std::uint32_t> selection, std::size_t count, const char* what) {
  if (selection.empty()) {
    selection.resize(count);
    std::iota(selection.begin(), selection.end(), 0u);
  }
  for (const std::uint32_t i : selection)
    if (i >= count)
      throw Error(ErrorCode::invalid_argument, std::to_string(i) + " is out of range: the model has " + std::to_string(count),
                  what);
  return selection;
}

std::vector<std::int32_t> slots(const std::vector<std::uint32_t>& selection, std::size_t count, const char* what) {
  std::vector<std::int32_t> slot(count, -1);
  for (std::size_t i = 0; i < selection.size(); ++i) {
    if (slot[selection[i]] >= 0) throw Error(ErrorCode::invalid_argument, std::to_string(selection[i]) + " is listed twice", what);
    slot[selection[i]] = static_cast<std::int32_t>(i);
  }
  return slot;
}

}  // namespace heed::runtime
