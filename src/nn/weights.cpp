#include "nn/weights.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

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
    : file_(&file), kernels_(&kernels), places_(file.tensors.size()) {}

std::size_t Weights::rows(std::string_view name) const noexcept {
  const formats::TensorInfo* tensor = file_->find(name);
  return tensor ? tensor->rows() : 0;
}

std::size_t Weights::outputs(std::string_view name) const noexcept {
  const formats::TensorInfo* tensor = file_->find(name);
  return tensor && !tensor->shape.empty() ? tensor->shape.front() : 0;
}

/// Whether some first dimensions have the product `rows`, and the others the product `columns`.
bool has_shape(const std::vector<std::size_t>& shape, std::size_t rows, std::size_t columns) {
  std::size_t before = 1, i = 0;
  while (i < shape.size() && before != rows) before *= shape[i++];
  return before == rows &&
         std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(i), shape.end(), std::size_t{1}, std::multiplies<>()) ==
             columns &&
         (rows != 1 || shape.size() == 1 || columns == shape.back() || columns == shape.front());
}

/// The index of a tensor that must have this shape.
std::size_t Weights::require(const std::string& name, std::size_t rows, std::size_t columns) {
  const formats::TensorInfo* tensor = file_->find(name);
  if (!tensor) throw Error(ErrorCode::invalid_file, "the file lacks this tensor, which the architecture needs", name);
  if (!has_shape(tensor->shape, rows, columns))
    throw Error(ErrorCode::invalid_file,
                "has shape " + shape_text(tensor->shape) + ", expected " +
                    shape_text(rows == 1 ? std::vector{columns} : std::vector{rows, columns}),
                name);
  const auto index = static_cast<std::size_t>(tensor - file_->tensors.data());
  places_[index].columns = columns;
  return index;
}

Linear Weights::linear(const std::string& name, std::size_t rows, std::size_t columns, bool biased, RowOrder order,
                       RowRange range) {
  const std::size_t stored = range.of == 0 ? rows : range.of;
  Linear linear = pack(require(name + ".weight", stored, columns), rows, columns, order, range);
  if (const std::string bias = name + ".bias"; range.period == 0 && (biased || contains(bias))) {
    const std::size_t matrices = stored / rows, shared = matrices * rows == stored && this->rows(bias) == matrices;
    linear.bias = floats(shared ? require(bias, matrices, rows) : require(bias, 1, stored), rows, order, range.first);
  }
  linear.scale = scale_of(name, stored, range.first, range.period == 0 ? rows : stored);
  if (reads_clamps_) linear.clamp = clamp_of(name);
  return linear;
}

Linear Weights::matrix(const std::string& name, std::size_t rows, std::size_t columns) {
  return pack(require(name, rows, columns), rows, columns, {}, {});
}

/// The matrix of a tensor, or of a range of its rows.
Linear Weights::pack(std::size_t index, std::size_t rows, std::size_t columns, RowOrder order, RowRange range) {
  const DType dtype = file_->tensors[index].dtype;
  Linear linear;
  const std::size_t panels = (rows + kernels_->panel_rows - 1) / kernels_->panel_rows;
  const std::size_t panel_bytes = kernels_->panel_bytes(dtype, columns);
  linear.storage = Buffer<std::byte>(panels * panel_bytes);
  linear.matrix = {dtype, rows, columns, panel_bytes, linear.storage.data()};
  linear.id = ++matrices_;
  std::vector<MatrixPlace>& places = places_[index].matrices;
  const auto after = [&](const MatrixPlace& place) { return place.part.range.first > range.first; };
  places.insert(std::find_if(places.begin(), places.end(), after), {{linear.id, rows, range, order}, linear.matrix});
  return linear;
}

std::unique_ptr<Clamp> Weights::clamp_of(const std::string& name) {
  auto clamp = std::make_unique<Clamp>();
  clamp->input_min = optional_vector(name + ".input_min", 1);
  clamp->input_max = optional_vector(name + ".input_max", 1);
  clamp->output_min = optional_vector(name + ".output_min", 1);
  clamp->output_max = optional_vector(name + ".output_max", 1);
  const bool none = clamp->input_min.empty() && clamp->input_max.empty() && clamp->output_min.empty() && clamp->output_max.empty();
  return none ? nullptr : std::move(clamp);
}

/// The scale of rows [first, first + rows) of a stored matrix.
Buffer<float> Weights::scale_of(const std::string& name, std::size_t stored_rows, std::size_t first, std::size_t rows) {
  if (const std::string inputs = name + ".input_scale"; contains(inputs)) ignore(inputs);  // for activations in FP4
  const formats::TensorInfo* tensor = file_->find(name + ".scale");
  const std::size_t count = tensor ? tensor->columns() : 0;
  if (count == 0 || stored_rows % count != 0 || stored_rows / count < rows) return {};
  return floats(require(tensor->name, 1, count), 1, {}, first / (stored_rows / count));
}

std::vector<Linear> Weights::linears(const std::string& name, std::size_t count, std::size_t rows, std::size_t columns, bool biased,
                                     RowRange of_each) {
  const std::size_t stored = of_each.of == 0 ? rows : of_each.of;
  std::vector<Linear> all;
  all.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    all.push_back(linear(name, rows, columns, biased, {}, {i * stored + of_each.first, count * stored}));
  return all;
}

LookupTable Weights::lookup_table(const std::string& name, std::size_t rows, std::size_t columns) {
  const std::size_t index = require(name + ".weight", rows, columns);
  LookupTable table(file_->tensors[index].dtype, rows, columns);
  places_[index].rows = table.stored();
  return table;
}

Buffer<float> Weights::floats(std::size_t index, std::size_t size, RowOrder order, std::size_t first) {
  const formats::TensorInfo& tensor = file_->tensors[index];
  if (kernels::takes_int8(tensor.dtype)) throw Error(ErrorCode::unsupported, "a vector must be F32, F16 or BF16", tensor.name);
  Buffer<float> values(size);
  places_[index].vectors.push_back({first, size, order, values.data()});
  return values;
}

Buffer<float> Weights::vector(const std::string& name, std::size_t size, RowOrder order) {
  return floats(require(name, 1, size), size, order, 0);
}

Buffer<float> Weights::table(const std::string& name, std::size_t rows, std::size_t columns, RowOrder order) {
  return floats(require(name, rows, columns), rows * columns, order, 0);
}

Buffer<float> Weights::optional_vector(const std::string& name, std::size_t size, RowOrder order) {
  return contains(name) ? vector(name, size, order) : Buffer<float>();
}

void Weights::mark(std::string_view name, MatrixUse use) {
  if (const formats::TensorInfo* tensor = file_->find(name))
    places_[static_cast<std::size_t>(tensor - file_->tensors.data())].use = use;
}

std::vector<StoredMatrix> Weights::stored_matrices() const {
  std::vector<StoredMatrix> stored;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].matrices.empty()) continue;
    StoredMatrix& matrix = stored.emplace_back();
    matrix.name = file_->tensors[i].name;
    matrix.shape = file_->tensors[i].shape;
    matrix.columns = places_[i].columns;
    matrix.use = places_[i].use;
    for (const MatrixPlace& place : places_[i].matrices) {
      matrix.parts.push_back(place.part);
      matrix.packed.push_back(place.matrix);
    }
  }
  return stored;
}

std::vector<StoredVector> Weights::stored_vectors() const {
  std::vector<StoredVector> stored;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].vectors.empty()) continue;
    StoredVector& vector = stored.emplace_back(StoredVector{file_->tensors[i].name, file_->tensors[i].shape, {}});
    for (const VectorPlace& place : places_[i].vectors)
      vector.parts.push_back({place.first, place.size, place.order, place.values});
  }
  return stored;
}

void Weights::ignore(std::string_view prefix) {
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (file_->tensors[i].name.starts_with(prefix)) {
      places_[i].left = true;
      places_[i].columns = file_->tensors[i].columns();
    }
}

void Weights::check_all_requested() const {
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i].matrices.empty() && places_[i].vectors.empty() && !places_[i].rows && !places_[i].left)
      throw Error(ErrorCode::unsupported, "the architecture does not use this tensor", file_->tensors[i].name);
}

void Weights::write_row(std::size_t index, std::size_t row, const std::byte* stored) const noexcept {
  const formats::TensorInfo& tensor = file_->tensors[index];
  if (std::byte* const rows = places_[index].rows) {
    const std::size_t bytes = row_bytes(tensor.dtype, places_[index].columns);
    std::memcpy(rows + row * bytes, stored, bytes);
  }
  const std::vector<MatrixPlace>& matrices = places_[index].matrices;
  auto next = std::upper_bound(matrices.begin(), matrices.end(), row,
                               [](std::size_t r, const MatrixPlace& place) { return r < place.part.range.first; });
  while (next != matrices.begin()) {
    const MatrixPlace& to = *--next;
    const auto& [id, rows, range, order] = to.part;
    const std::size_t i = range.index(row, rows);
    if (i < rows) kernels_->pack_row(to.matrix, order(i), stored);
    if (i < rows || range.period == 0) break;
  }
  const std::size_t columns = places_[index].columns, begin = row * columns;
  for (const VectorPlace& to : places_[index].vectors)
    for (std::size_t i = std::max(begin, to.first); i < std::min(begin + columns, to.first + to.size); ++i)
      to.values[to.order(i - to.first)] = element(tensor.dtype, stored, i - begin);
}

}  // namespace heed::nn
