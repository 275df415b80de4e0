#include "runtime/value_norms.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <string>

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "nn/encoder.hpp"
#include "runtime/cached_rows.hpp"
#include "runtime/heads.hpp"
#include "runtime/model.hpp"

namespace heed::runtime {
namespace {

const nn::Block* writes_heads(const nn::Layer& layer) noexcept {
  for (const nn::Sublayer& sublayer : layer.sublayers())
    if (sublayer.block().heads_output()) return &sublayer.block();
  return nullptr;
}

/// y (keys x rows) = x (keys x columns) times columns [first, first + columns) of rows [0, rows) of a matrix, transposed.
std::vector<double> product(const std::vector<double>& x, std::size_t keys, const nn::Linear& linear, std::size_t first,
                            std::size_t columns, const kernels::Kernels& kernels) {
  const std::size_t rows = linear.matrix.rows;
  const double scale = linear.scale.empty() ? 1.0 : static_cast<double>(linear.scale[0]);
  std::vector<float> row(linear.matrix.columns);
  std::vector<double> y(keys * rows);
  for (std::size_t i = 0; i < rows; ++i) {
    kernels.unpack_row(linear.matrix, i, row.data());
    for (std::size_t key = 0; key < keys; ++key) {
      double sum = 0;
      for (std::size_t k = 0; k < columns; ++k) sum += static_cast<double>(row[first + k]) * x[key * columns + k];
      y[key * rows + i] = scale * sum;
    }
  }
  return y;
}

}  // namespace

ValueProbe::ValueProbe(const Model& model, std::vector<std::uint32_t> layers, std::vector<std::uint32_t> heads,
                       std::optional<AttentionOf> of)
    : AttentionRecorder(model, std::move(layers), std::move(heads), of) {
  if (this->of() != AttentionOf::decoder && this->of() != AttentionOf::encoder)
    throw Error(ErrorCode::unsupported, "values are those of self-attention in a text", "of");
  const bool encodes = this->of() == AttentionOf::encoder;
  const nn::StackSpec& spec = encodes ? model.encoder()->spec().stack : model.decoder()->spec().stack;
  const nn::Stack& stack = encodes ? model.encoder()->stack() : model.decoder()->stack();
  for (const std::uint32_t layer : this->layers()) {
    const HeadShape shape = heads_of(spec, layer);
    const Source source{writes_heads(stack.layers()[layer]), shape.count, shape.cached_dim};
    if (shape.count > 0 && !source.block)
      throw Error(ErrorCode::unsupported, "layer " + std::to_string(layer) + " has gated heads", model.info().architecture);
    sources_.push_back(shape.count > 0 ? source : Source());
  }
}

void ValueProbe::prepare(std::size_t first, std::size_t count, std::optional<std::size_t> keys) {
  keys_ = keys.value_or(first + count);
  values_.clear();
  for (const Source& source : sources_)
    for (std::size_t head = 0; head < heads().size(); ++head) values_.emplace_back(keys_ * source.dim);
}

void ValueProbe::watch(nn::Segment& segment) {
  from_ = segment.position;
  last_ = segment.end() - 1;
  AttentionRecorder::watch(segment);
}

/// The last query of a pass comes with the values of all that the pass has read.
void ValueProbe::observe(std::size_t layer, std::size_t head, std::size_t query_position, const nn::AttentionSight& sight,
                         const kernels::Kernels& kernels) noexcept {
  const auto own = plane(layer, head);
  if (!own || query_position != last_ || last_ >= keys_) return;
  try {
    read_cached(sight.kv, from_, last_ + 1, kernels, nullptr, values_[*own].data() + from_ * sight.kv.value_dim);
  } catch (const std::bad_alloc&) {
    failed_ = true;
  }
}

std::vector<float> ValueProbe::norms(const kernels::Kernels& kernels) const {
  if (failed_) throw Error(ErrorCode::out_of_memory, "not enough memory for the values", "attention");
  std::vector<float> norms;
  norms.reserve(values_.size() * keys_);
  for (std::size_t own = 0; own < values_.size(); ++own) {
    const auto& [block, count, dim] = sources_[own / heads().size()];
    const std::size_t head = heads()[own % heads().size()];
    if (!block || head >= count) {
      norms.insert(norms.end(), keys_, 0.0f);
      continue;
    }
    std::vector<double> values(values_[own].begin(), values_[own].end());
    if (const nn::Linear* up = block->values_up(head)) values = product(values, keys_, *up, 0, dim, kernels);
    const std::size_t columns = values.size() / std::max<std::size_t>(keys_, 1);
    const std::vector<double> written = product(values, keys_, *block->heads_output(), head * columns, columns, kernels);
    const std::size_t width = block->heads_output()->matrix.rows;
    for (std::size_t key = 0; key < keys_; ++key) {
      double squares = 0;
      for (std::size_t i = key * width; i < (key + 1) * width; ++i) squares += written[i] * written[i];
      norms.push_back(static_cast<float>(std::sqrt(squares)));
    }
  }
  return norms;
}

}  // namespace heed::runtime
