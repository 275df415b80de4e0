#include "runtime/pooling.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {
namespace {

struct Name {
  std::string_view name;
  Pooling pooling;
};
constexpr Name kNames[] = {{"none", Pooling::none}, {"mean", Pooling::mean}, {"cls", Pooling::cls}, {"last", Pooling::last}};

std::vector<float> mean(std::span<const float> hidden, std::size_t width) {
  const std::size_t rows = hidden.size() / width;
  std::vector<float> means(width);
  for (std::size_t i = 0; i < width; ++i) {
    double sum = 0;
    for (std::size_t t = 0; t < rows; ++t) sum += hidden[t * width + i];
    means[i] = static_cast<float>(sum / static_cast<double>(rows));
  }
  return means;
}

}  // namespace

std::optional<Pooling> parse_pooling(std::string_view name) noexcept {
  for (const Name& entry : kNames)
    if (entry.name == name) return entry.pooling;
  return std::nullopt;
}

std::string_view to_string(Pooling pooling) noexcept {
  for (const Name& entry : kNames)
    if (entry.pooling == pooling) return entry.name;
  return "unknown";
}

std::vector<float> pool(std::span<const float> hidden, std::size_t width, Pooling pooling) {
  if (pooling == Pooling::mean) return mean(hidden, width);
  if (pooling == Pooling::cls) hidden = hidden.first(width);
  if (pooling == Pooling::last) hidden = hidden.last(width);
  return {hidden.begin(), hidden.end()};
}

void normalize(std::span<float> rows, std::size_t width) {
  for (; !rows.empty(); rows = rows.subspan(width)) {
    double squares = 0;
    for (const float x : rows.first(width)) squares += static_cast<double>(x) * x;
    if (squares == 0) continue;
    const double inverse = 1.0 / std::sqrt(squares);
    for (float& x : rows.first(width)) x = static_cast<float>(x * inverse);
  }
}

std::vector<float> project_rows(std::span<const float> rows, std::size_t width, const nn::Linear& linear, Workspace& workspace) {
  std::vector<float> out(rows.size() / width * linear.matrix.rows);
  nn::Pass pass = workspace.make_pass({}, 1);
  for (std::size_t row = 0; row < rows.size() / width; ++row)
    nn::project(rows.data() + row * width, 1, {{&linear, out.data() + row * linear.matrix.rows}}, pass);
  return out;
}

std::vector<float> embed(std::span<const float> hidden, std::size_t width, Pooling pooling, std::span<const nn::Linear> projections,
                         const EmbeddingForm& form, Workspace& workspace) {
  std::vector<float> rows = pool(hidden, width, form.pooling.value_or(pooling));
  for (const nn::Linear& projection : projections) {
    rows = project_rows(rows, width, projection, workspace);
    width = projection.matrix.rows;
  }
  if (const std::size_t kept = form.dimensions.value_or(width); kept != width) {
    if (kept == 0 || kept > width)
      throw Error(ErrorCode::invalid_argument, "must be from 1 to the model's " + std::to_string(width), "dimensions");
    const std::size_t count = rows.size() / width;
    for (std::size_t row = 1; row < count; ++row) std::copy_n(rows.data() + row * width, kept, rows.data() + row * kept);
    rows.resize(count * kept);
    width = kept;
  }
  if (form.normalized) normalize(rows, width);
  return rows;
}

}  // namespace heed::runtime
