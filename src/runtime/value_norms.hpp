// How long the values of a text are as they enter the residual stream: the norms that weigh attention by what it carries
// (arXiv:2004.10102).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/inspect.hpp"

namespace heed::nn {
class Block;
}

namespace heed::runtime {

/// Records the values of self-attention.
class ValueProbe final : public AttentionRecorder {
 public:
  /// As AttentionRecorder. Throws unsupported for cross-attention and for an image's attention, and for a layer whose heads are gated:
  /// what they write then depends on who reads.
  ValueProbe(const Model& model, std::vector<std::uint32_t> layers, std::vector<std::uint32_t> heads,
             std::optional<AttentionOf> of = {});

  void prepare(std::size_t first, std::size_t count, std::optional<std::size_t> keys = {}) override;
  void watch(nn::Segment& segment) override;

  /// [layers][heads][keys]: the norm of a key's value after the head's part of the output matrix, without its bias; 0 in layers without
  /// attention. Before a norm that may follow in the block. In double: the same on every target. Throws std::bad_alloc, and
  /// out_of_memory if there was too little for the values.
  std::vector<float> norms(const kernels::Kernels& kernels) const;

  void observe(std::size_t layer, std::size_t head, std::size_t query_position, const nn::AttentionSight& sight,
               const kernels::Kernels& kernels) noexcept override;

 private:
  struct Source {
    const nn::Block* block = nullptr;  // absent in a layer without attention
    std::size_t heads = 0, dim = 0;    // of a cached value
  };
  std::vector<Source> sources_;                 // of each layer recorded
  std::vector<std::vector<float>> values_;      // of each plane: keys x dim
  std::size_t keys_ = 0, from_ = 0, last_ = 0;  // of the pass: the positions that it adds
  std::atomic<bool> failed_ = false;
};

}  // namespace heed::runtime
