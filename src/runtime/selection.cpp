#include "runtime/selection.hpp"

#include <new>
#include <numeric>
#include <string>

#include "base/error.hpp"

namespace heed::runtime {

std::vector<std::uint32_t> complete(std::vector<std::uint32_t> selection, std::size_t count, const char* what, const char* owner) {
  if (selection.empty()) {
    selection.resize(count);
    std::iota(selection.begin(), selection.end(), 0u);
  }
  for (const std::uint32_t i : selection)
    if (i >= count)
      throw Error(ErrorCode::invalid_argument,
                  std::to_string(i) + " is out of range: " + owner + " has " + std::to_string(count) + " " + what, what);
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

void clear_rows(std::vector<float>& values, std::uint64_t rows, std::uint64_t width, const char* advice, const char* where) {
  try {
    if (width > 0 && rows > values.max_size() / width) throw std::bad_alloc();
    values.assign(static_cast<std::size_t>(rows * width), 0.0f);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory,
                "not enough memory for " + std::to_string(rows) + " x " + std::to_string(width) + " " + advice, where);
  }
}

}  // namespace heed::runtime
