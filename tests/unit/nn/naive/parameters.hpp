// The tensors of a model, looked up by name and multiplied with.
#pragma once

#include <string>

#include "unit/nn/naive/vector.hpp"
#include "unit/nn/tensors.hpp"

namespace heed::test::naive {

class Parameters {
 public:
  explicit Parameters(const Tensors& tensors) : tensors_(tensors) {}

  bool has(const std::string& name) const { return tensors_.contains(name); }

  /// All values of a vector or a table.
  Vector values(const std::string& name) const {
    const Tensor& tensor = tensors_.at(name);
    return {tensor.values.begin(), tensor.values.end()};
  }
  /// Row i of a table.
  Vector row(const std::string& name, std::size_t i) const {
    const std::size_t columns = tensors_.at(name).shape.back();
    return part(values(name), i * columns, columns);
  }

  /// W x + b, where the file has a b.
  Vector linear(const std::string& name, const Vector& x) const { return multiply(name, 0, 1, x); }
  /// The same with one of `count` matrices that are one tensor.
  Vector linear(const std::string& name, std::size_t index, std::size_t count, const Vector& x) const {
    return multiply(name, index, count, x);
  }
  /// x W, with matrix `index` of `count`, which has as many rows as x has values.
  Vector transposed(const std::string& name, std::size_t index, std::size_t count, const Vector& x) const {
    const Tensor& w = tensors_.at(name + ".weight");
    const std::size_t columns = w.shape.back(), first = index * (w.values.size() / count);
    Vector y(columns);
    for (std::size_t r = 0; r < x.size(); ++r)
      for (std::size_t k = 0; k < columns; ++k) y[k] += x[r] * w.values[first + r * columns + k];
    return y;
  }

 private:
  Vector multiply(const std::string& name, std::size_t index, std::size_t count, const Vector& x) const {
    const std::vector<float>& w = tensors_.at(name + ".weight").values;
    const std::size_t rows = w.size() / x.size() / count, first = index * rows;
    const auto bias = tensors_.find(name + ".bias");
    Vector y(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = 0; k < x.size(); ++k) y[r] += static_cast<double>(w[(first + r) * x.size() + k]) * x[k];
      if (bias != tensors_.end()) y[r] += bias->second.values[first + r];
    }
    return y;
  }

  const Tensors& tensors_;
};

}  // namespace heed::test::naive
