// The listener of a sequence's passes: the same visit can read values and change them.
#pragma once

#include <cstddef>

#include "kernels/kernels.hpp"
#include "nn/points.hpp"

namespace heed::nn {

struct Pass;

/// The values at a point for tokens of one sequence, from `position` on: count x parts x width. Valid during the visit.
struct PointRows {
  Place place;
  std::size_t position, count, parts, width;
  float* data;
  std::size_t part = 0;  // the first part shown, if experts are shown one by one

  float* row(std::size_t t) const noexcept { return data + t * parts * width; }
};

/// One query of one head, before its softmax: softmax(softcap(scale q k) + bias), over the keys that it sees and the sink. Valid
/// during the visit.
struct AttentionSight {
  Place place;  // the point of its weights
  std::size_t head, group, position;
  bool first;        // false if the same query has been shown before
  bool last;         // the last query of its pass: `kv` now has everything that the pass reads
  std::size_t from;  // the first position that the pass adds
  kernels::KvHead kv;
  float scale, softcap;
  const kernels::Kernels& kernels;
  kernels::AttentionQuery& query;  // the listener may set weights (to write positions [0, end)) and bias (to add)
  bool cut = false;                // set this if the bias hides keys, so that none may be left
};

class Listener {
 public:
  virtual ~Listener() = default;
  /// Rows may be changed if the point is writable. May be called from several threads, for different rows.
  virtual void visit(const PointRows& rows, Pass& pass) const noexcept = 0;
  /// Called from several threads, for different queries.
  virtual void attend(AttentionSight& /*sight*/) const noexcept {}
  /// Whether it may change the rows.
  virtual bool edits() const noexcept { return false; }
};

}  // namespace heed::nn
