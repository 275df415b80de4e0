// Pools an encoder's output, one vector per token, to one vector per text (arXiv:1908.10084).
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "nn/linear.hpp"
#include "nn/spec.hpp"

namespace heed::runtime {

class Workspace;

using nn::Pooling;

/// "mean", "cls", "last" or "none".
std::optional<Pooling> parse_pooling(std::string_view name) noexcept;
std::string_view to_string(Pooling pooling) noexcept;

/// hidden: T x width. Returns the mean of its rows, the first, the last, or (Pooling::none) all of them.
std::vector<float> pool(std::span<const float> hidden, std::size_t width, Pooling pooling);

/// Scales each row to length 1; leaves rows of zeros unchanged.
void normalize(std::span<float> rows, std::size_t width);

/// Multiplies rows of length `width` by a matrix, one row at a time.
std::vector<float> project_rows(std::span<const float> rows, std::size_t width, const nn::Linear& linear, Workspace& workspace);

/// The options of an embedding.
struct EmbeddingForm {
  std::optional<Pooling> pooling = {};         // absent: the model's
  std::optional<std::size_t> dimensions = {};  // keeps the first dimensions (Matryoshka, arXiv:2205.13147); absent: all
  bool normalized = false;                     // scale to length 1, as the last step
};

/// Pools `hidden` (T x width), applies the projections in order, and then the options. `pooling`: the model's. Throws
/// invalid_argument for 0 dimensions, or more than there are.
std::vector<float> embed(std::span<const float> hidden, std::size_t width, Pooling pooling, std::span<const nn::Linear> projections,
                         const EmbeddingForm& form, Workspace& workspace);

}  // namespace heed::runtime
