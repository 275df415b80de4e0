// The data of one forward pass, passed to every block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/interrupt.hpp"
#include "base/thread_pool.hpp"
#include "kernels/kernels.hpp"
#include "nn/kv_cache.hpp"
#include "nn/listener.hpp"
#include "nn/scratch.hpp"

namespace heed::nn {

class Adaptation;

/// The residual stream of some tokens: T x D.
struct Activations {
  float* data;
  std::size_t tokens, width;
};

/// Biases added to the scores of self-attention, by the distance from query to key.
struct BiasTable {
  const float* data = nullptr;  // heads x stride
  std::size_t stride = 0;
  std::size_t origin = 0;  // index of distance 0

  /// The biases of the query at `position`, to be indexed by the key's position.
  const float* row(std::size_t head, std::size_t position) const noexcept {
    return data ? data + head * stride + (origin - position) : nullptr;
  }
};

/// Cosines and sines of one RoPE's angles: T x dims / 2 each.
struct Angles {
  float* cosines = nullptr;
  float* sines = nullptr;
};

/// The per-layer inputs of each token: T x layers x width.
struct PerLayerInputs {
  const float* data = nullptr;
  std::size_t layers = 0, width = 0;

  const float* row(std::size_t t, std::size_t layer) const noexcept { return data + (t * layers + layer) * width; }
};

enum class Axis : std::uint8_t { time, row, column, other };

/// The coordinates of a token, for RoPE on several axes.
struct Coordinates {
  std::size_t values[4] = {};

  std::size_t operator[](Axis axis) const noexcept { return values[static_cast<std::size_t>(axis)]; }
};

/// Positions [begin, end).
struct PositionRange {
  std::size_t begin = 0, end = 0;
};

/// Consecutive tokens of one sequence.
struct Segment {
  KvCache& cache;
  std::size_t position = 0;  // of the first token
  std::size_t count = 0;
  std::size_t row = 0;  // of the first token, in the pass
  // both are set if the stack attends to an encoder
  KvCache* cross_cache = nullptr;
  std::size_t encoder_positions = 0;
  // of each token: the positions of its group for Mask::group, or of its tile
  const PositionRange* groups = nullptr;
  // reads, and may change, the segment's rows at the points of the pass
  const Listener* listener = nullptr;
  // prepared by the stack for its layers
  BiasTable bias = {};

  std::size_t end() const noexcept { return position + count; }
};

/// Panels [begin, end) of a matrix (kernels::Kernels::panel_rows).
struct PanelRange {
  std::size_t begin, end;
};

/// T tokens of one or several sequences. Operations on single tokens do not depend on the sequence.
struct Pass {
  const kernels::Kernels& kernels;
  ThreadPool& pool;
  Scratch& scratch;
  std::span<Segment> segments;
  std::size_t tokens = 0;         // T, of all segments
  std::size_t layer = 0;          // the current layer
  std::size_t first_layer = 0;    // the layer where the pass starts; if not 0, it starts from `states`
  const float* states = nullptr;  // the input of first_layer: T x D
  const Interrupt* interrupt = nullptr;
  const Coordinates* coordinates = nullptr;  // of each token; absent: its position on every axis
  const float* const* pictures = nullptr;    // of each token: the picture row that replaces its embedding, or nullptr; absent: none
  const Adaptation* adaptation = nullptr;    // the adapters of some of its tokens
  std::span<const PanelRange> read = {};     // disjoint panels of the vocabulary, whose logits are read; empty: all
  // set by the decoder if the pass is changed
  bool overflowed = false;  // the last layer's output is too large for a norm, or NaN
  // prepared by the stack for its layers
  Angles* angles = nullptr;            // of each rope
  const float* layer_input = nullptr;  // T x D, if one of the layer's blocks reads it
  const float* stack_input = nullptr;  // T x D, if layers add a multiple of it
  float* first_values = nullptr;       // T x D, the values of the first layer, if later ones mix them in
  PerLayerInputs per_layer = {};
  // for heads that draft, filled by the decoder if it is not nullptr: the last layer's output, T x D
  float* handed = nullptr;
  bool hands_normed = true;  // `handed` is after the final norm; otherwise before it
  /// If not empty, `handed` has the inputs of these layers instead: T x layers x D. The stack's depth stands for the output of the
  /// final norm.
  std::span<const std::size_t> hands_inputs = {};

  /// Copies a layer's input to `handed`, if hands_inputs has the layer.
  void hand_input(std::size_t into, const Activations& x) const noexcept;
  /// The segment that contains row t.
  Segment& of(std::size_t t) const noexcept {
    std::size_t i = 0;
    while (t >= segments[i].row + segments[i].count) ++i;
    return segments[i];
  }
  std::size_t position(std::size_t t) const noexcept {
    const Segment& segment = of(t);
    return segment.position + t - segment.row;
  }
  const float* picture_row(std::size_t t) const noexcept { return pictures ? pictures[t] : nullptr; }
  Coordinates coordinates_of(std::size_t t) const noexcept {
    if (coordinates) return coordinates[t];
    const std::size_t place = position(t);
    return {{place, place, place, place}};
  }
  /// Shows the values at a point, T x parts x width, to the listeners.
  void visit(const Place& place, float* rows, std::size_t parts, std::size_t width) noexcept;
  /// Shows one row, with all of its parts.
  void visit_parts(const Place& place, std::size_t t, float* row, std::size_t parts, std::size_t width) noexcept;
  /// Shows one part of one row: number `part` of `of_parts`.
  void visit_row(const Place& place, std::size_t t, float* row, std::size_t width, std::size_t part = 0,
                 std::size_t of_parts = 1) noexcept;
  /// Whether the keys and values of the pass must be stored by store_in_order().
  bool stores_in_order() const noexcept { return segments[0].cache.in_order(); }
  /// Adds the keys (T x kv_heads x key_dim) and values (T x kv_heads x value_dim) of all tokens to the layer's caches. Heads run in
  /// parallel.
  void store_in_order(const float* keys, const float* values) noexcept;
  /// Whether adapters or listeners may change the results.
  bool changed() const noexcept {
    return adaptation || std::any_of(segments.begin(), segments.end(),
                                     [](const Segment& segment) { return segment.listener && segment.listener->edits(); });
  }
  bool canceled() const noexcept { return interrupt && *interrupt; }
};

}  // namespace heed::nn
