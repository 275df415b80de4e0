// What listens to the passes of a sequence, and may change them: reading a model and editing it are the same visit.
#pragma once

#include <cstddef>

#include "kernels/kernels.hpp"
#include "nn/points.hpp"

namespace heed::nn {

struct Pass;

/// What is at a point for tokens of one sequence, from `position` on: count x parts x width. Valid during the visit.
struct PointRows {
  Place place;
  std::size_t position, count, parts, width;
  float* data;
  std::size_t part = 0;  // the first of those shown; where experts are shown one by one

  float* row(std::size_t t) const noexcept { return data + t * parts * width; }
};

/// One query of one head, before its softmax: softmax(softcap(scale q k) + bias), over what it sees and the sink. Valid during the visit.
struct AttentionSight {
  Place place;  // its weights
  std::size_t head, group, position;
  bool first;        // the same query may be shown several times
  bool last;         // of its pass, so that `kv` has all that the pass reads
  std::size_t from;  // the first position that the pass adds
  kernels::KvHead kv;
  float scale, softcap;
  const kernels::Kernels& kernels;
  kernels::AttentionQuery& query;  // whose weights and bias may be set: where to write positions [0, end), and what to add
  bool cut = false;                // to be set if the bias hides keys, so that there may be none left
};

class Listener {
 public:
  virtual ~Listener() = default;
  /// Rows may be changed where the point is writable. May be called from several threads, for different rows.
  virtual void visit(const PointRows& rows, Pass& pass) const noexcept = 0;
  /// Called from several threads, for different queries.
  virtual void attend(AttentionSight& /*sight*/) const noexcept {}
  /// Whether it may change what it is shown.
  virtual bool edits() const noexcept { return false; }
};

}  // namespace heed::nn
