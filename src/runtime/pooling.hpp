// From an encoder's output, one vector a token, to one vector a text (arXiv:1908.10084).
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

/// hidden: T x width. Returns the mean of its rows, the first, the last, or, for none, all of them.
std::vector<float> pool(std::span<const float> hidden, std::size_t width, Pooling pooling);

/// Scales each row to length 1; one of zeros stays.
void normalise(std::span<float> rows, std::size_t width);

/// Each row of `width` through a matrix by itself.
std::vector<float> project_rows(std::span<const float> rows, std::size_t width, const nn::Linear& linear, Workspace& workspace);

/// What is asked of an embedding.
struct EmbeddingForm {
  std::optional<Pooling> pooling = {};         // absent: what the model asks for
  std::optional<std::size_t> dimensions = {};  // the first ones, of models trained to be cut (arXiv:2205.13147); absent: all
  bool normalised = false;                     // scaled to length 1, after that
};

/// All of that: pooled, through the projections one after the other, cut, and perhaps scaled to length 1. Throws
/// invalid_argument for dimensions that there are not.
std::vector<float> embed(std::span<const float> hidden, std::size_t width, Pooling pooling, std::span<const nn::Linear> projections,
                         const EmbeddingForm& form, Workspace& workspace);

}  // namespace heed::runtime
