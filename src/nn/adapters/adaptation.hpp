// The adapters of one pass: which of its tokens go through which, added where a matrix is multiplied (nn/linear.hpp).
#pragma once

#include <cstddef>
#include <span>

#include "nn/adapters/adapter.hpp"

namespace heed::nn {

struct Pass;

/// An adapter for rows [first, end) of a pass.
struct AdaptedRows {
  const Adapter* adapter;
  float scale;
  std::size_t first, end;
};

class Adaptation {
 public:
  /// The order of `adapted` is that in which what they give is added. `scratch`: at least the largest Adapter::scratch() of them; the
  /// more, the more tokens are multiplied at a time. Both must outlive it.
  Adaptation(std::span<const AdaptedRows> adapted, std::span<float> scratch) : adapted_(adapted), scratch_(scratch) {}

  /// out[D] += what the adapters give for the embedding of a token in row `row` of the pass. delta: scratch of D floats.
  void add_to_embedding(std::size_t token, std::size_t row, float* out, float* delta,
                        const kernels::Kernels& kernels) const noexcept;

 private:
  friend class Additions;

  std::span<const AdaptedRows> adapted_;
  std::span<float> scratch_;
};

/// What the adapters of a pass add to some products W x: scale B (A x), for as many of them at a time as there is scratch memory for. A x
/// reads what W x reads, and is computed with it; then one range of work is left for all B of an adapter.
///
///     Additions additions(adaptation, products);
///     // compute `products` and additions.lower()
///     additions.finish(pass);
class Additions {
 public:
  /// All products have matrices of the same number of columns, as in multiply(). Both must outlive it.
  Additions(const Adaptation& adaptation, std::span<const Product> products) noexcept;

  /// The products A x that finish() begins with.
  std::span<const Product> lower() const noexcept { return {lower_, lower_count_}; }
  /// Computes the other ones, and adds all to the results of `products`.
  void finish(Pass& pass) noexcept;

 private:
  static constexpr std::size_t kMost = 16;

  /// B (A x) for some tokens of a product.
  struct Upper {
    const AdaptedRows* use;
    Product product;
  };

  bool take() noexcept;
  void add(Pass& pass) const noexcept;

  const Adaptation& adaptation_;
  std::span<const Product> products_;
  std::size_t product_ = 0, use_ = 0, token_ = 0;  // which is next
  Product lower_[kMost];
  Upper upper_[kMost];
  std::size_t lower_count_ = 0, upper_count_ = 0;
};

}  // namespace heed::nn
