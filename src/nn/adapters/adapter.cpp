#include "nn/adapters/adapter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "nn/lookup_table.hpp"
#include "tensor/half.hpp"

namespace heed::nn {
namespace {

constexpr std::string_view kDown = ".lora_a", kUp = ".lora_b";

using Shape = std::vector<std::size_t>;

std::string text_of(const Shape& shape) {
  std::string text;
  for (const std::size_t n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

void require_shape(const formats::TensorInfo& tensor, const Shape& expected) {
  if (tensor.shape != expected)
    throw Error(ErrorCode::invalid_file, "has shape " + text_of(tensor.shape) + ", but the model needs " + text_of(expected),
                tensor.name);
}

/// The matrix that a tensor of an adapter is for.
const StoredMatrix& target_of(const formats::TensorInfo& tensor, std::span<const StoredMatrix> matrices) {
  const std::string_view name = tensor.name;
  if (!name.ends_with(kDown) && !name.ends_with(kUp))
    throw Error(ErrorCode::unsupported, "is neither lora_a nor lora_b of a matrix", tensor.name);
  const std::string_view target = name.substr(0, name.size() - kDown.size());
  const auto found = std::ranges::find(matrices, target, &StoredMatrix::name);
  if (found == matrices.end()) throw Error(ErrorCode::invalid_argument, "the model has no matrix of this name", tensor.name);
  if (found->use == MatrixUse::other) throw Error(ErrorCode::unsupported, "adapters of this tensor are not supported", tensor.name);
  return *found;
}

/// A float in a narrower type, if no bit is lost.
std::optional<std::uint16_t> as_bf16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return (bits & 0xffffu) == 0 ? std::optional(static_cast<std::uint16_t>(bits >> 16)) : std::nullopt;
}
std::optional<std::uint16_t> as_f16(float x) {
  const std::uint16_t half = f32_to_f16(x);
  return std::bit_cast<std::uint32_t>(f16_to_f32(half)) == std::bit_cast<std::uint32_t>(x) ? std::optional(half) : std::nullopt;
}

/// The values of a factor, row by row, in the narrowest float type that has all of them: products read half the bytes where a file was
/// written from halves, and have the same bits.
class Factor {
 public:
  explicit Factor(const Buffer<float>& values) : values_(values) {
    for (const auto& [dtype, narrowed] : {std::pair{DType::bf16, &as_bf16}, std::pair{DType::f16, &as_f16}}) {
      if (!std::all_of(values.data(), values.data() + values.size(), [&](float x) { return narrowed(x).has_value(); })) continue;
      dtype_ = dtype;
      halves_ = Buffer<std::uint16_t>(values.size());
      std::transform(values.data(), values.data() + values.size(), halves_.data(), [&](float x) { return *narrowed(x); });
      return;
    }
  }

  DType dtype() const noexcept { return dtype_; }
  /// The values from this one on, as pack_row takes them.
  const std::byte* from(std::size_t index) const noexcept {
    return dtype_ == DType::f32 ? reinterpret_cast<const std::byte*>(values_.data() + index)
                                : reinterpret_cast<const std::byte*>(halves_.data() + index);
  }

 private:
  const Buffer<float>& values_;
  Buffer<std::uint16_t> halves_;
  DType dtype_ = DType::f32;
};

}  // namespace

/// Takes the tensors of a file over, as floats where they are quantized: what a product rounds of its input is not to be rounded here.
struct Adapter::Reader {
  Adapter& adapter;
  const formats::TensorFile& file;
  std::span<const std::byte> bytes;
  const kernels::Kernels& kernels;

  const formats::TensorInfo& require(const std::string& name) const {
    if (const formats::TensorInfo* tensor = file.find(name)) return *tensor;
    throw Error(ErrorCode::invalid_file, "is missing: lora_a and lora_b come in pairs", name);
  }

  /// All values of a tensor, row by row. Throws invalid_file for one that is not finite.
  Buffer<float> values(const formats::TensorInfo& tensor) const {
    const std::size_t columns = tensor.columns(), rows = tensor.rows(), row_size = row_bytes(tensor.dtype, columns);
    Buffer<float> all(rows * columns);
    Buffer<std::byte> panel(LookupTable::kPanelBytes);
    LookupTable row(tensor.dtype, 1, columns);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto stored = bytes.subspan(static_cast<std::size_t>(tensor.offset) + i * row_size, row_size);
      std::ranges::copy(stored, row.stored());
      row.read(0, panel.data(), all.data() + i * columns, kernels);
    }
    if (!std::all_of(all.data(), all.data() + all.size(), [](float x) { return std::isfinite(x); }))
      throw Error(ErrorCode::invalid_file, "has values that are not finite", tensor.name);
    return all;
  }

  Linear empty(std::size_t rows, std::size_t columns, DType dtype) const {
    Linear linear;
    const std::size_t panels = (rows + kernels.panel_rows - 1) / kernels.panel_rows;
    const std::size_t panel_bytes = kernels.panel_bytes(dtype, columns);
    linear.storage = Buffer<std::byte>(panels * panel_bytes);
    linear.matrix = {dtype, rows, columns, panel_bytes, linear.storage.data()};
    adapter.bytes_ += linear.storage.size();
    return linear;
  }

  void read(const StoredMatrix& matrix);
  void read_embedding(const StoredMatrix& matrix);
};

/// A pair for a matrix [rows, K], or for matrices [E, rows, K] stacked in one tensor, each with factors of its own.
void Adapter::Reader::read(const StoredMatrix& matrix) {
  const formats::TensorInfo &a = require(matrix.name + std::string(kDown)), &b = require(matrix.name + std::string(kUp));
  const Shape& shape = matrix.shape;
  if (shape.size() < 2 || shape.size() > 3 || shape.back() != matrix.columns)
    throw Error(ErrorCode::unsupported, "adapters of this tensor are not supported", matrix.name);
  const std::size_t rank = b.columns(), count = shape.size() == 3 ? shape[0] : 1, rows = shape[shape.size() - 2];
  const auto stacked = [&](std::size_t first, std::size_t second) {
    return shape.size() == 3 ? Shape{count, first, second} : Shape{first, second};
  };
  require_shape(b, stacked(rows, rank));
  if (a.shape.size() == shape.size())
    if (const std::size_t other = a.shape[shape.size() - 2]; other != rank && a.shape == stacked(other, matrix.columns))
      throw Error(ErrorCode::invalid_file, "has rank " + std::to_string(other) + ", but lora_b has rank " + std::to_string(rank),
                  a.name);
  require_shape(a, stacked(rank, matrix.columns));

  const Buffer<float> values_a = values(a), values_b = values(b);
  const Factor of_a(values_a), of_b(values_b);
  const std::size_t first_down = adapter.downs_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Linear& down = adapter.downs_.emplace_back(empty(rank, matrix.columns, of_a.dtype()));
    for (std::size_t row = 0; row < rank; ++row) kernels.pack_row(down.matrix, row, of_a.from((i * rank + row) * matrix.columns));
  }
  for (const StoredMatrix::Part& part : matrix.parts) {
    LowRank factors{first_down + part.range.first / rows, empty(part.rows, rank, of_b.dtype())};
    const std::size_t end = part.range.period == 0 ? part.range.first + part.rows : count * rows;
    for (std::size_t row = part.range.first; row < end; ++row)
      if (const std::size_t at = part.range.index(row, part.rows); at < part.rows)
        kernels.pack_row(factors.up.matrix, part.order(at), of_b.from(row * rank));
    if (adapter.by_id_.size() <= part.id) adapter.by_id_.resize(part.id + 1, -1);
    adapter.by_id_[part.id] = static_cast<std::int32_t>(adapter.factors_.size());
    adapter.factors_.push_back(std::move(factors));
    adapter.scratch_ = std::max(adapter.scratch_, rank + part.rows);
  }
}

/// lora_a is stored the other way round here: a row for each token.
void Adapter::Reader::read_embedding(const StoredMatrix& matrix) {
  const formats::TensorInfo &a = require(matrix.name + std::string(kDown)), &b = require(matrix.name + std::string(kUp));
  const std::size_t rank = b.columns(), vocabulary = matrix.shape[0], width = matrix.columns;
  require_shape(b, {width, rank});
  require_shape(a, {vocabulary, rank});
  const Buffer<float> values_b = values(b);
  const Factor of_b(values_b);
  LowRankEmbedding& embedding = adapter.embedding_.emplace(LowRankEmbedding{rank, values(a), empty(width, rank, of_b.dtype())});
  for (std::size_t row = 0; row < width; ++row) kernels.pack_row(embedding.up.matrix, row, of_b.from(row * rank));
  adapter.bytes_ += embedding.rows.size() * sizeof(float);
}

Adapter::Adapter(const formats::TensorFile& file, std::span<const std::byte> bytes, float alpha,
                 std::span<const StoredMatrix> matrices, const kernels::Kernels& kernels)
    : alpha_(alpha) {
  file.require_bytes(bytes.size());
  if (file.tensors.empty()) throw Error(ErrorCode::invalid_file, "has no tensors", "adapter");
  Reader reader{*this, file, bytes, kernels};
  for (const formats::TensorInfo& tensor : file.tensors) {
    const StoredMatrix& matrix = target_of(tensor, matrices);
    if (tensor.name.ends_with(kUp)) {
      reader.require(matrix.name + std::string(kDown));
      continue;
    }
    if (matrix.use == MatrixUse::embedding) reader.read_embedding(matrix);
    else reader.read(matrix);
  }
}

}  // namespace heed::nn
