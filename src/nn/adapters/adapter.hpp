// Low-rank changes to a model's matrices (LoRA, arXiv:2106.09685): scale B (A x) is added to y = W x, where A and B have few rows
// and columns. Nothing is merged into the weights, so texts with and without an adapter share the weights and can share a pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/tensor_file.hpp"
#include "kernels/kernels.hpp"
#include "nn/linear.hpp"
#include "nn/stored_matrix.hpp"

namespace heed::nn {

/// The addition to one matrix of the model: rows x K.
struct LowRank {
  std::size_t down;  // index of A: rank x K, which the parts of a fused matrix share
  Linear up;         // B: rows x rank, in the order of the matrix's rows
};

/// The addition to the embeddings of tokens.
struct LowRankEmbedding {
  std::size_t rank = 0;
  Buffer<float> rows;  // V x rank
  Linear up;           // D x rank
};

class Adapter {
 public:
  /// Reads the tensors of an adapter's file: T.lora_a and T.lora_b for each stored matrix T that it changes. `bytes` is the whole
  /// file; `matrices` are the model's, by name; alpha 0 stands for the rank. Throws invalid_file, naming the tensor and both
  /// shapes, if they do not match, invalid_argument for a tensor that the model lacks, unsupported for a tensor that is not a
  /// matrix, and std::bad_alloc.
  Adapter(const formats::TensorFile& file, std::span<const std::byte> bytes, float alpha, std::span<const StoredMatrix> matrices,
          const kernels::Kernels& kernels);

  /// nullptr if the adapter does not change the matrix.
  const LowRank* find(const Linear& linear) const noexcept {
    if (linear.id >= by_id_.size() || by_id_[linear.id] < 0) return nullptr;
    return &factors_[static_cast<std::size_t>(by_id_[linear.id])];
  }
  const Linear& down(const LowRank& factors) const noexcept { return downs_[factors.down]; }
  const LowRankEmbedding* embedding() const noexcept { return embedding_ ? &*embedding_ : nullptr; }

  /// alpha / rank: multiplies the products, in addition to the user's factor.
  float scale(std::size_t rank) const noexcept { return alpha_ == 0.0f ? 1.0f : alpha_ / static_cast<float>(rank); }

  /// The most floats that one token of one matrix needs for A x and B (A x).
  std::size_t scratch() const noexcept { return scratch_; }
  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  struct Reader;

  float alpha_;
  Buffer<std::byte> storage_;        // memory of all factors except the embedding's
  std::vector<std::int32_t> by_id_;  // by id of the model's matrices; -1 if unchanged
  std::vector<LowRank> factors_;
  std::vector<Linear> downs_;
  std::optional<LowRankEmbedding> embedding_;
  std::size_t scratch_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace heed::nn
