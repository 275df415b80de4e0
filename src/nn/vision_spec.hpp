// The types that describe a vision tower and its projector, which turns patches into rows for a text model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "images/preparation.hpp"
#include "nn/stack_spec.hpp"

namespace heed::nn {

/// The token for the image as a whole.
enum class ClassToken : std::uint8_t { none, first, last };

/// The table of position embeddings of patches.
enum class PositionTable : std::uint8_t {
  none,
  in_order,  // one row per token
  // one row per patch of a square, which is interpolated for other grids:
  antialiased,  // linearly, with a filter that widens for smaller grids
  corners,      // linearly, with the corners of both grids aligned
  cubic,        // with a cubic kernel (Keys, IEEE Trans. ASSP 29, 1981, a = -3/4)
  // two tables:
  column_and_row,
};

/// How an image becomes tokens: it is divided into square patches, one token each (arXiv:2010.11929).
struct PatchSpec {
  std::size_t image = 0, patch = 0;  // pixels per side
  bool biased = false;
  std::string_view norm = {};              // name of the tensor of the embedded patches' norm, or empty
  std::string_view early_norm = {};        // as `norm`, but before positions are added
  float pixel_scale = 1, pixel_shift = 0;  // normalized pixels become pixel_scale * pixel + pixel_shift
  std::size_t frames = 1;                  // matrices for the frames of a video; an image counts as this many equal frames
  ClassToken class_token = ClassToken::first;
  PositionTable positions = PositionTable::in_order;
  std::size_t window = 0;  // patches per side of the groups of Mask::group; 0: no layer has that mask

  std::size_t side() const noexcept { return image / patch; }
  std::size_t tokens() const noexcept { return side() * side() + (class_token == ClassToken::none ? 0 : 1); }
};

// The steps of a projector, which turns the patches of a tower into rows for a text model.

/// Joins each square of factor x factor patches into one, with all their values: patch by patch, or (by_channel) channel by
/// channel. Grids are padded at the right and at the bottom with zeros.
struct MergeStep {
  std::size_t factor = 1;
  bool by_channel = false;
};

/// Replaces each square of patches by its mean; incomplete squares at the right and at the bottom are dropped.
struct AverageStep {
  std::size_t factor = 1;
};

struct NormStep {
  std::string_view name = {};  // empty: without a weight
  NormSpec norm = {};
  bool optional = false;  // applied only if the file has it
  bool bare = false;      // without a weight if the file does not have it
};

struct ProductStep {
  std::string_view name = {};
  std::size_t rows = 0;     // 0: as many as the tensor has
  bool transposed = false;  // the file has columns x rows
};

struct ActivationStep {
  kernels::Activation activation = kernels::Activation::gelu_tanh;
};

/// down(silu(gate(x)) * up(x)), arXiv:2002.05202.
struct GatedStep {
  std::string_view gate = {}, up = {}, down = {};
  std::size_t rows = 0;  // of down
};

struct ScaleStep {
  float factor = 1;
};

/// (x - bias) * scale, if the file has these.
struct StandardizeStep {
  std::string_view bias = {}, scale = {};
};

/// Adds a row after each line of patches except the last.
struct BreakStep {
  std::string_view name = {};
};

// Steps for rows in a single line, such as a sound's:

/// Joins every `count` rows into one; an incomplete last group is dropped.
struct JoinStep {
  std::size_t count = 1;
};

/// Replaces every `count` rows by their mean; an incomplete last group is dropped.
struct MeanStep {
  std::size_t count = 1;
};

/// The first half of each row times f(the second half).
struct HalvesStep {
  kernels::Activation activation = kernels::Activation::silu;
};

/// Adds a row in front and one at the end.
struct FrameStep {
  std::string_view before = {}, after = {};
};

using ProjectorStep = std::variant<MergeStep, AverageStep, NormStep, ProductStep, ActivationStep, GatedStep, ScaleStep,
                                   StandardizeStep, BreakStep, JoinStep, MeanStep, HalvesStep, FrameStep>;

struct ProjectorSpec {
  std::vector<ProjectorStep> steps = {};  // empty: no projector
  std::size_t first = 0;                  // index of the first row that the projector reads, if there is a class token
  std::size_t merge = 1;                  // patches per side of the square that becomes a row
  std::size_t width = 0;                  // width of a row
};

/// Rows from the middle of a tower, added to the residual stream of the text model's first layers (arXiv:2406.04334): for each
/// layer N whose PREFIXN.fc1 the file has.
struct DeepStackSpec {
  std::string_view prefix = {};  // empty: none
};

/// The markers around the rows of an image: texts of control tokens, each tokenized separately. Empty: none.
struct MarkerSpec {
  std::string_view before = {}, after = {};  // around the image
  // If the image is cut into tiles and has an overview:
  std::string_view tile = {};      // before each tile; ROW and COLUMN stand for its place, from 1 on
  std::string_view overview = {};  // before the overview
  std::string_view line = {};      // one token after each line of tiles except the last
  std::string_view grid = {};      // one token after the last line
};

struct VisionSpec {
  PatchSpec patches = {};
  StackSpec stack = {};
  ProjectionSpec projection = {};
  std::size_t classes = 0;  // rows of a classifier, PREFIXhead; 0: none
  images::Preparation preparation = {};
  // If the file belongs to a text model:
  ProjectorSpec projector = {};
  DeepStackSpec deep_stack = {};
  MarkerSpec markers = {};
  bool clamped = false;  // matrices have bounds on inputs and outputs, if the file has them
};

}  // namespace heed::nn
