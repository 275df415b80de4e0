#include "nn/adapters/adapter.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "nn/lookup_table.hpp"

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

/// The model's matrix that a tensor of an adapter changes.
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

/// The type in which a factor is stored: halves stay halves, with half the bytes to read; everything else becomes floats, because a
/// product with quantized weights would round its input.
DType kept_as(DType stored) { return stored == DType::f16 || stored == DType::bf16 ? stored : DType::f32; }

/// The factors for a matrix [rows, K], or for matrices [count, rows, K] stacked in one tensor, each with its own factors.
struct Pair {
  const StoredMatrix* matrix;
  const formats::TensorInfo *a, *b;
  std::size_t count, rows, rank;
};

}  // namespace

/// Reads the tensors of a file: first finds the factors of each matrix, then reads all of them.
struct Adapter::Reader {
  Adapter& adapter;
  const formats::TensorFile& file;
  std::span<const std::byte> bytes;
  const kernels::Kernels& kernels;

  const formats::TensorInfo& require(const std::string& name) const {
    if (const formats::TensorInfo* tensor = file.find(name)) return *tensor;
    throw Error(ErrorCode::invalid_file, "is missing: lora_a and lora_b come in pairs", name);
  }

  const std::byte* stored(const formats::TensorInfo& tensor, std::size_t row) const {
    return bytes.data() + static_cast<std::size_t>(tensor.offset) + row * row_bytes(tensor.dtype, tensor.columns());
  }

  /// All values of a tensor, row by row. Throws invalid_file for one that is not finite.
  Buffer<float> values(const formats::TensorInfo& tensor) const {
    const std::size_t columns = tensor.columns(), rows = tensor.rows();
    Buffer<float> all(rows * columns);
    Buffer<std::byte> panel(LookupTable::kPanelBytes);
    LookupTable row(tensor.dtype, 1, columns);
    for (std::size_t i = 0; i < rows; ++i) {
      std::copy_n(stored(tensor, i), row_bytes(tensor.dtype, columns), row.stored());
      row.read(0, panel.data(), all.data() + i * columns, kernels);
    }
    if (!std::all_of(all.data(), all.data() + all.size(), [](float x) { return std::isfinite(x); }))
      throw Error(ErrorCode::invalid_file, "has values that are not finite", tensor.name);
    return all;
  }

  /// A matrix for a factor, with its memory not yet assigned.
  Linear shaped(std::size_t rows, std::size_t columns, DType stored) const {
    const DType dtype = kept_as(stored);
    Linear linear;
    linear.matrix = {dtype, rows, columns, kernels.panel_bytes(dtype, columns), nullptr};
    return linear;
  }
  std::uint64_t bytes_of(const Linear& linear) const {
    return std::uint64_t{(linear.matrix.rows + kernels.panel_rows - 1) / kernels.panel_rows} * linear.matrix.panel_bytes;
  }

  Pair find_pair(const StoredMatrix& matrix) const;
  void read(std::span<const Pair> pairs);
  void read(const Pair& pair, Linear* down, LowRank* factors) const;
  void read_embedding(const StoredMatrix& matrix);
};

Pair Adapter::Reader::find_pair(const StoredMatrix& matrix) const {
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
  return {&matrix, &a, &b, count, rows, rank};
}

/// All A share one block of memory, and all B another, in the order of the model's file, so that matrices that are multiplied
/// together are close: with one token, each jump to another part of memory is a wait.
void Adapter::Reader::read(std::span<const Pair> pairs) {
  std::uint64_t down_bytes = 0, up_bytes = 0;
  for (const auto& [matrix, a, b, count, rows, rank] : pairs) {
    for (const StoredMatrix::Part& part : matrix->parts) {
      if (adapter.by_id_.size() <= part.id) adapter.by_id_.resize(part.id + 1, -1);
      adapter.by_id_[part.id] = static_cast<std::int32_t>(adapter.factors_.size());
      const LowRank& factors = adapter.factors_.emplace_back(adapter.downs_.size() + part.range.first / rows,
                                                             shaped(part.rows, rank, b->dtype));
      up_bytes += bytes_of(factors.up);
      adapter.scratch_ = std::max(adapter.scratch_, rank + part.rows);
    }
    for (std::size_t i = 0; i < count; ++i)
      down_bytes += bytes_of(adapter.downs_.emplace_back(shaped(rank, matrix->columns, a->dtype)));
  }
  adapter.storage_ = Buffer<std::byte>(down_bytes + up_bytes);
  adapter.bytes_ += adapter.storage_.size();
  std::byte* free = adapter.storage_.data();
  const auto take = [&](Linear& linear) {
    linear.matrix.data = free;
    free += bytes_of(linear);
  };
  for (Linear& down : adapter.downs_) take(down);
  for (LowRank& factors : adapter.factors_) take(factors.up);
  Linear* down = adapter.downs_.data();
  LowRank* factors = adapter.factors_.data();
  for (const Pair& pair : pairs) {
    read(pair, down, factors);
    down += pair.count;
    factors += pair.matrix->parts.size();
  }
}

/// Reads the values of a pair. down: the first of pair.count matrices. factors: those of the first part of the matrix.
void Adapter::Reader::read(const Pair& pair, Linear* down, LowRank* factors) const {
  const auto& [matrix, a, b, count, rows, rank] = pair;
  const Buffer<float> values_a = values(*a), values_b = values(*b);
  const auto pack = [&](const Linear& linear, std::size_t to, const formats::TensorInfo& tensor, const Buffer<float>& all,
                        std::size_t from) {
    const bool is_float = linear.matrix.dtype == DType::f32;
    const auto* const floats = reinterpret_cast<const std::byte*>(all.data() + from * linear.matrix.columns);
    kernels.pack_row(linear.matrix, to, is_float ? floats : stored(tensor, from));
  };
  for (std::size_t i = 0; i < count * rank; ++i) pack(down[i / rank], i % rank, *a, values_a, i);
  for (const StoredMatrix::Part& part : matrix->parts) {
    const Linear& up = factors++->up;
    const std::size_t end = part.range.period == 0 ? part.range.first + part.rows : count * rows;
    for (std::size_t row = part.range.first; row < end; ++row)
      if (const std::size_t at = part.range.index(row, part.rows); at < part.rows) pack(up, part.order(at), *b, values_b, row);
  }
}

/// For embeddings, lora_a is stored transposed here: one row per token.
void Adapter::Reader::read_embedding(const StoredMatrix& matrix) {
  const formats::TensorInfo &a = require(matrix.name + std::string(kDown)), &b = require(matrix.name + std::string(kUp));
  const std::size_t rank = b.columns(), vocabulary = matrix.shape[0], width = matrix.columns;
  require_shape(b, {width, rank});
  require_shape(a, {vocabulary, rank});
  LowRankEmbedding& embedding = adapter.embedding_.emplace(LowRankEmbedding{rank, values(a), shaped(width, rank, DType::f32)});
  embedding.up.storage = Buffer<std::byte>(bytes_of(embedding.up));
  embedding.up.matrix.data = embedding.up.storage.data();
  const Buffer<float> values_b = values(b);
  for (std::size_t row = 0; row < width; ++row)
    kernels.pack_row(embedding.up.matrix, row, reinterpret_cast<const std::byte*>(values_b.data() + row * rank));
  adapter.bytes_ += embedding.rows.size() * sizeof(float) + embedding.up.storage.size();
}

Adapter::Adapter(const formats::TensorFile& file, std::span<const std::byte> bytes, float alpha,
                 std::span<const StoredMatrix> matrices, const kernels::Kernels& kernels)
    : alpha_(alpha) {
  file.require_bytes(bytes.size());
  if (file.tensors.empty()) throw Error(ErrorCode::invalid_file, "has no tensors", "adapter");
  Reader reader{*this, file, bytes, kernels};
  for (const formats::TensorInfo& tensor : file.tensors) {
    const StoredMatrix& matrix = target_of(tensor, matrices);
    if (tensor.name.ends_with(kUp)) reader.require(matrix.name + std::string(kDown));
  }
  std::vector<Pair> pairs;
  for (const StoredMatrix& matrix : matrices) {
    if (!file.find(matrix.name + std::string(kDown))) continue;
    if (matrix.use == MatrixUse::embedding) reader.read_embedding(matrix);
    else pairs.push_back(reader.find_pair(matrix));
  }
  reader.read(pairs);
}

}  // namespace heed::nn
