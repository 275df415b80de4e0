#include "runtime/changes/control_vector.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "formats/gguf.hpp"
#include "runtime/model.hpp"

namespace heed::runtime {
namespace {

/// The N of a tensor named direction.N.
std::size_t layer_of(const formats::TensorInfo& tensor) {
  constexpr std::string_view kPrefix = "direction.";
  const std::string_view name = tensor.name;
  std::size_t layer = 0;
  const char* const end = name.data() + name.size();
  const auto [read, error] = std::from_chars(name.data() + std::min(kPrefix.size(), name.size()), end, layer);
  if (!name.starts_with(kPrefix) || error != std::errc() || read != end)
    throw Error(ErrorCode::invalid_file, "is not the direction of a layer", tensor.name);
  if (layer == 0) throw Error(ErrorCode::invalid_file, "layer 0 cannot be steered", tensor.name);
  return layer;
}

/// The values of a direction's tensor, which must be an F32 vector of this width.
std::vector<float> direction_of(const formats::TensorInfo& tensor, std::span<const std::byte> file, std::size_t width) {
  if (tensor.shape.size() != 1 || tensor.dtype != DType::f32)
    throw Error(ErrorCode::invalid_file, "must be a vector of F32", tensor.name);
  if (tensor.columns() != width)
    throw Error(ErrorCode::invalid_argument,
                "has " + std::to_string(tensor.columns()) + " numbers, but the model's states have " + std::to_string(width),
                tensor.name);
  std::vector<float> direction(width);
  std::memcpy(direction.data(), file.data() + tensor.offset, width * sizeof(float));
  if (!std::ranges::all_of(direction, [](float x) { return std::isfinite(x); }))
    throw Error(ErrorCode::invalid_file, "has values that are not finite", tensor.name);
  return direction;
}

}  // namespace

std::vector<Edit> read_control_vector(const Model& model, std::span<const std::byte> file, float scale,
                                      std::optional<std::pair<std::size_t, std::size_t>> layers) {
  const ModelInfo& info = model.info();
  if (!std::isfinite(scale)) throw Error(ErrorCode::invalid_argument, "must be finite", "scale");
  const formats::TensorFile header = formats::read_gguf_header(file);
  header.require_bytes(file.size());
  if (header.tensors.empty()) throw Error(ErrorCode::invalid_file, "has no directions");
  std::vector<Edit> edits;
  for (const formats::TensorInfo& tensor : header.tensors) {
    const std::size_t layer = layer_of(tensor);
    std::vector<float> direction = direction_of(tensor, file, info.width);
    if (layer >= info.layers || (layers && (layer < layers->first || layer > layers->second))) continue;
    edits.push_back({.layer = static_cast<std::int32_t>(layer), .vector = std::move(direction), .factor = scale});
  }
  return edits;
}

}  // namespace heed::runtime
