// The listener of a sequence's passes, which is shown values at named points, and may change them.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/kernels.hpp"
#include "nn/points.hpp"

namespace heed::nn {

struct Pass;

/// The values at a point for tokens of one sequence, from `position` on: count x parts x width. Valid during the visit.
struct PointRows {
  Place place;
  std::size_t position, count, parts, width;
  float* data;
  std::size_t part = 0;      // the first part shown, if experts are shown one by one
  std::size_t of_parts = 0;  // if so, the number of all parts

  std::size_t all_parts() const noexcept { return of_parts > 0 ? of_parts : parts; }

  float* row(std::size_t t) const noexcept { return data + t * parts * width; }
};

/// One query of one head, before its softmax: softmax(softcap(scale q k) + bias), over the keys that it sees and the sink. Valid
/// during the visit.
struct AttentionSight {
  Place place;  // the point of its attention weights
  std::size_t head, heads, group, position;
  bool first;        // false if the same query has been shown before
  bool last;         // the last query of its pass: `kv` now has everything that the pass reads
  std::size_t from;  // the first position that the pass adds to the cache; 0 for cross-attention
  kernels::KvHead kv;
  float scale, softcap;
  const kernels::Kernels& kernels;
  kernels::AttentionQuery& query;     // the listener may set `weights` (room for [0, end)) and `bias`
  float* mixed;                       // the head's output, which the listener writes itself if it sets `given`
  bool cut = false;                   // must be set if the bias hides keys, perhaps all of them
  std::span<const float> given = {};  // attention weights that replace the softmax's, by the position of the key
};

/// One token before a norm: (x - mean) / divisor, times the weight. Valid during the visit.
struct NormSight {
  Place divided_by, normalized;  // the points of the divisor and of the normalized values
  std::size_t position;
  std::span<const float> x;
  double mean;     // 0 if the norm does not center
  double divisor;  // may be set by the listener
};

class Listener {
 public:
  virtual ~Listener() = default;
  /// Rows may be changed if the point is writable. May be called from several threads, for different rows.
  virtual void visit(const PointRows& rows, Pass& pass) const noexcept = 0;
  /// Called from several threads, for different queries.
  virtual void attend(AttentionSight& /*sight*/) const noexcept {}
  /// Called from several threads, for different tokens, if it hears_norms().
  virtual void norm(NormSight& /*sight*/) const noexcept {}
  virtual bool hears_norms() const noexcept { return false; }
  /// Whether it may change the rows.
  virtual bool edits() const noexcept { return false; }
};

}  // namespace heed::nn
