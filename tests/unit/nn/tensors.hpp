// F32 tensors in memory, for tests of blocks and decoders without a file.
#pragma once

#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "formats/tensor_file.hpp"
#include "nn/weights.hpp"

namespace heed::test {

/// Row-major; shape outermost first.
struct Tensor {
  std::vector<std::size_t> shape;
  std::vector<float> values;
};
using Tensors = std::map<std::string, Tensor>;

/// A directory of these tensors, one after the other.
inline formats::TensorFile directory(const Tensors& tensors) {
  std::vector<formats::TensorInfo> infos;
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    infos.push_back({name, DType::f32, tensor.shape, offset, tensor.values.size() * sizeof(float)});
    offset += infos.back().bytes;
  }
  return formats::TensorFile("test", {}, std::move(infos), 0);
}

/// Puts every row in its place.
inline void fill(const nn::Weights& weights, const formats::TensorFile& file, const Tensors& tensors) {
  for (std::size_t i = 0; i < file.tensors.size(); ++i) {
    const Tensor& tensor = tensors.at(file.tensors[i].name);
    const std::size_t columns = weights.columns(i);  // as who took it sees it
    for (std::size_t row = 0; columns != 0 && row < tensor.values.size() / columns; ++row)
      weights.write_row(i, row, reinterpret_cast<const std::byte*>(tensor.values.data() + row * columns));
  }
}

}  // namespace heed::test
