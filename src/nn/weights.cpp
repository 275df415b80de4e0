#include "nn/weights.hpp"

#include <cstring>

#include "base/error.hpp"
#include "tensor/half.hpp"

namespace heed::nn {
namespace {

float element(DType dtype, const std::byte* stored, std::size_t i) noexcept {
  if (dtype == DType::f32) {
    float value;
    std::memcpy(&value, stored + i * sizeof value, sizeof value);
    return value;
  }
  std::uint16_t half;
  std::memcpy(&half, stored + i * sizeof half, sizeof half);
  return dtype == DType::f16 ? f16_to_f32(half) : bf16_to_f32(half);
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

}  // namespace

Weights::Weights(const formats::TensorFile& file, const kernels::Kernels& kernels)
    : file_(&file), kernels_(&kernels), destinations_(file.tensors.size()) {}

/// The index of a tensor that must have this shape; rows = 0 means a vector.
std::size_t Weights::require(const std::string& name, std::size_t rows, std::size_t columns) const {
  const formats::TensorInfo* tensor = file_->find(name);
  if (!tensor) throw Error(ErrorCode::invalid_file, "the file has no such tensor, and the architecture needs it", name);
  const auto shape = rows == 0 ? std::vector{columns} : std::vector{rows, columns};
  if (tensor->shape != shape)
    throw Error(ErrorCode::invalid_file,
                "has shape " + shape_text(tensor->shape) + ", expected " + shape_text(shape), name);
  return static_cast<std::size_t>(tensor - file_->tensors.data());
}

Linear Weights::linear(const std::string& name, std::size_t rows, std::size_t columns, bool biased, RowOrder order,
                       RowRange range) {
  const std::size_t stored_rows = range.of == 0 ? rows : range.of;
  const std::size_t index = require(name + ".weight", stored_rows, columns);
  const DType dtype = file_->tensors[index].dtype;

  Linear linear;
  const std::size_t panels = (rows + kernels_->panel_rows - 1) / kernels_->panel_rows;
  const std::size_t panel_bytes = kernels_->panel_bytes(dtype, columns);
  linear.storage = Buffer<std::byte>(panels * panel_bytes);
  linear.matrix = {dtype, rows, columns, panel_bytes, linear.storage.data()};
  destinations_[index].push_back({range.first, rows, order, linear.matrix, nullptr});
  if (biased || contains(name + ".bias")) linear.bias = vector(name + ".bias", rows, order, range);
  return linear;
}

Buffer<float> Weights::vector(const std::string& name, std::size_t size, RowOrder order, RowRange range) {
  const std::size_t index = require(name, 0, range.of == 0 ? size : range.of);
  if (kernels::takes_int8(file_->tensors[index].dtype))
    throw Error(ErrorCode::unsupported, "a vector must be F32, F16 or BF16", name);
  Buffer<float> values(size);
  destinations_[index].push_back({range.first, size, order, {}, values.data()});
  return values;
}

Buffer<float> Weights::optional_vector(const std::string& name, std::size_t size) {
  return contains(name) ? vector(name, size) : Buffer<float>();
}

void Weights::check_all_taken() const {
  for (std::size_t i = 0; i < destinations_.size(); ++i)
    if (destinations_[i].empty())
      throw Error(ErrorCode::unsupported, "the architecture has no place for this tensor", file_->tensors[i].name);
}

void Weights::write_row(std::size_t index, std::size_t row, const std::byte* stored) const noexcept {
  const formats::TensorInfo& tensor = file_->tensors[index];
  for (const Destination& to : destinations_[index]) {
    if (to.vector) {
      for (std::size_t i = 0; i < to.rows; ++i)
        to.vector[to.order(i)] = element(tensor.dtype, stored, to.first + i);
    } else if (row >= to.first && row < to.first + to.rows) {
      kernels_->pack_row(to.matrix, to.order(row - to.first), stored);
    }
  }
}

}  // namespace heed::nn
