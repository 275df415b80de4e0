// Sorts and checks the directory of tensors once; then looks tensors up by name.
#include "formats/tensor_file.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace heed::formats {

std::size_t TensorInfo::rows() const noexcept {
  return std::accumulate(shape.begin(), shape.end() - 1, std::size_t{1}, std::multiplies<>());
}

TensorFile::TensorFile(std::string format_in, Metadata metadata_in, std::vector<TensorInfo> tensors_in, std::uint64_t header_bytes)
    : format(std::move(format_in)),
      metadata(std::move(metadata_in)),
      tensors(std::move(tensors_in)),
      bytes(header_bytes),
      by_name_(tensors.size()) {
  std::ranges::stable_sort(tensors, {}, &TensorInfo::offset);
  for (const auto& tensor : tensors) {
    if (tensor.offset < bytes) throw Error(ErrorCode::invalid_file, "the tensor overlaps another part of the file", tensor.name);
    bytes = tensor.offset + tensor.bytes;
  }

  const auto name = [this](std::uint32_t index) -> const std::string& { return tensors[index].name; };
  std::iota(by_name_.begin(), by_name_.end(), 0u);
  std::ranges::sort(by_name_, {}, name);
  const auto twin = std::ranges::adjacent_find(by_name_, {}, name);
  if (twin != by_name_.end()) throw Error(ErrorCode::invalid_file, "the tensor appears twice", name(*twin));
}

const TensorInfo* TensorFile::find(std::string_view name) const noexcept {
  const auto name_of = [this](std::uint32_t index) -> std::string_view { return tensors[index].name; };
  const auto it = std::ranges::lower_bound(by_name_, name, {}, name_of);
  return it != by_name_.end() && name_of(*it) == name ? &tensors[*it] : nullptr;
}

void TensorFile::require_bytes(std::uint64_t available) const {
  if (available < bytes)
    throw Error(ErrorCode::invalid_file,
                "the file ends after " + std::to_string(available) + " of " + std::to_string(bytes) + " bytes");
}

}  // namespace heed::formats
