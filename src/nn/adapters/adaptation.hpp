// The adapters of one pass: which tokens use which adapters. They are added where matrices are multiplied (nn/linear.hpp).
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
  /// Adapters are added in the order of `adapted`. `scratch`: at least the largest Adapter::scratch() of them; the larger it is,
  /// the more tokens are multiplied at a time. Both must outlive this object.
  Adaptation(std::span<const AdaptedRows> adapted, std::span<float> scratch) : adapted_(adapted), scratch_(scratch) {}

  /// out[D] += the adapters' addition to the embedding of a token in row `row` of the pass. delta: scratch of D floats.
  void add_to_embedding(std::size_t token, std::size_t row, float* out, float* delta,
                        const kernels::Kernels& kernels) const noexcept;

 private:
  friend class Additions;

  std::span<const AdaptedRows> adapted_;
  std::span<float> scratch_;
};

/// Computes what the adapters of a pass add to products W x: scale B (A x), in batches that fit into the scratch memory. A x has
/// the input of W x, so both are computed in one call; a second call then multiplies all B of an adapter.
///
///     Additions additions(adaptation, products);
///     // compute `products` and additions.lower()
///     additions.finish(pass);
class Additions {
 public:
  /// All products must have matrices with the same number of columns, as in multiply(). Both arguments must outlive this object.
  Additions(const Adaptation& adaptation, std::span<const Product> products) noexcept;

  /// The products A x to compute before finish().
  std::span<const Product> lower() const noexcept { return {lower_, lower_count_}; }
  /// Computes the remaining products, and adds everything to the results of `products`.
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
  std::size_t product_ = 0, use_ = 0, token_ = 0;  // where take() goes on
  Product lower_[kMost];
  Upper upper_[kMost];
  std::size_t lower_count_ = 0, upper_count_ = 0;
};

}  // namespace heed::nn
