// A projector: the steps from the patches of a vision tower, or the rows of an audio tower, to rows that a text model reads in
// place of token embeddings.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "nn/norm.hpp"
#include "nn/patch_positions.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class Projector {
 public:
  /// Takes the tensors of the steps, which read rows of `width`. The last rows must have spec.width values. Throws invalid_file,
  /// naming the tensor, for one that is missing or has the wrong shape.
  Projector(const ProjectorSpec& spec, std::size_t width, Weights& weights);

  ScratchNeed need(PatchGrid grid) const;
  /// The number of rows that a grid of patches becomes.
  std::size_t rows(PatchGrid grid) const noexcept;
  /// The columns and lines of these rows, not counting rows that end a line (BreakStep).
  PatchGrid grid(PatchGrid grid) const noexcept;
  std::size_t width() const noexcept { return out_width_; }

  /// patches: grid.count() x width, by rows of patches. Row i of the result is written to out + i * stride.
  void operator()(const float* patches, PatchGrid grid, float* out, std::size_t stride, Pass& pass) const noexcept;

 private:
  struct Product {
    Linear matrix;
    Buffer<float> columns;  // inputs x outputs, if the matrix is stored transposed
    std::size_t outputs = 0;
  };
  struct Gated {
    Linear gate, up, down;
  };
  struct Standardize {
    Buffer<float> bias, scale;  // empty: values stay as they are
  };
  struct Break {
    Buffer<float> row;
  };
  struct Frame {
    Buffer<float> before, after;
  };
  using Step = std::variant<MergeStep, AverageStep, std::optional<Norm>, Product, ActivationStep, Gated, ScaleStep, Standardize,
                            Break, JoinStep, MeanStep, HalvesStep, Frame>;

  /// Rows between two steps.
  struct Rows {
    std::size_t columns, lines, count, width;

    std::size_t values() const noexcept { return count * width; }
  };
  Rows first_rows(PatchGrid grid) const noexcept;
  Rows last_rows(PatchGrid grid) const noexcept;
  /// The maximum number of values between two steps.
  std::size_t most_values(PatchGrid grid) const noexcept;
  struct Loading;
  struct Shape;
  struct Running;

  std::size_t in_width_, out_width_;
  std::vector<Step> steps_;
};

}  // namespace heed::nn
