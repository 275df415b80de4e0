// Learned queries that attend to windows of a sound's rows (QueryFormerSpec): each window becomes one row per query.
#pragma once

#include <string>
#include <vector>

#include "nn/hearing/hearing_spec.hpp"
#include "nn/mlp.hpp"
#include "nn/norm.hpp"

namespace heed::nn {

class QueryFormer {
 public:
  /// width: of the rows that it reads. Takes PREFIXproj_query, PREFIXproj_norm, and PREFIXproj_blk.N.
  QueryFormer(const QueryFormerSpec& spec, std::size_t width, const std::string& prefix, Weights& weights);

  /// The width of an output row.
  std::size_t width() const noexcept { return width_; }
  std::size_t rows(std::size_t count) const noexcept { return windows(count) * spec_.queries; }
  ScratchNeed need(std::size_t count) const;

  /// in: count x the width of rows; zeros fill the last window. out: rows(count) x width().
  void operator()(const float* in, std::size_t count, float* out, Pass& pass) const noexcept;

 private:
  struct Attending {
    Linear q, k, v, out;
    Norm norm;
  };
  struct Layer {
    Attending self, cross;
    std::size_t feed_forward;
    Mlp mlp;
    Norm norm;
  };

  std::size_t windows(std::size_t count) const noexcept { return (count + spec_.window - 1) / spec_.window; }
  Attending attending(const std::string& name, std::size_t read, Weights& weights) const;
  /// x = norm(x + attention of x to `in`), separately for each window, which has `keys` rows of `in`.
  void attend(const Attending& by, Activations x, const float* in, std::size_t keys, Pass& pass) const noexcept;

  QueryFormerSpec spec_;
  std::size_t read_, width_;
  Buffer<float> queries_;
  std::optional<Norm> norm_;
  std::vector<Layer> layers_;
};

}  // namespace heed::nn
