#include "runtime/tensors.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

#include "base/error.hpp"
#include "runtime/model.hpp"

namespace heed::runtime {
namespace {

[[noreturn]] void refuse(const Model& model, const std::string& name) {
  std::string known;
  const auto add = [&](const std::string& other) {
    if (!other.starts_with("blk.") || other.starts_with("blk.0.")) known += (known.empty() ? "" : ", ") + other;
  };
  for (const nn::StoredMatrix& matrix : model.matrices()) add(matrix.name);
  for (const nn::StoredVector& vector : model.vectors()) add(vector.name);
  throw Error(ErrorCode::invalid_argument,
              name + " is no tensor that can be read; those of the model and of its first block are " + known, "weights");
}

template <class Stored>
const Stored* find(std::span<const Stored> all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &Stored::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::size_t> tensor_shape(const Model& model, const std::string& name) {
  if (const auto* matrix = find(model.matrices(), name)) return matrix->shape;
  if (const auto* vector = find(model.vectors(), name)) return vector->shape;
  refuse(model, name);
}

std::vector<float> tensor_rows(const Model& model, const std::string& name, std::size_t first, std::size_t rows) {
  const std::vector<std::size_t> shape = tensor_shape(model, name);
  const nn::StoredMatrix* const matrix = find(model.matrices(), name);
  const std::size_t all = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  const std::size_t columns = matrix ? matrix->columns : shape.back(), count = all / columns;
  if (first > count || rows > count - first)
    throw Error(ErrorCode::invalid_argument,
                "rows " + std::to_string(first) + " to " + std::to_string(first + rows) + " are beyond the " +
                    std::to_string(count) + " of " + name,
                "weights");
  std::vector<float> values(rows * columns);
  if (matrix) {
    for (std::size_t row = first; row < first + rows; ++row)
      for (std::size_t i = 0; i < matrix->parts.size(); ++i) {
        const nn::StoredMatrix::Part& part = matrix->parts[i];
        const std::size_t index = part.range.index(row, part.rows);
        if (index < part.rows)
          model.kernels().unpack_row(matrix->packed[i], part.order(index), values.data() + (row - first) * columns);
      }
    return values;
  }
  for (const nn::StoredVector::Part& part : find(model.vectors(), name)->parts)
    for (std::size_t i = std::max(first * columns, part.first); i < std::min((first + rows) * columns, part.first + part.size); ++i)
      values[i - first * columns] = part.values[part.order(i - part.first)];
  return values;
}

}  // namespace heed::runtime
