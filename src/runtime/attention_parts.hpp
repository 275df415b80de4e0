// What one row of attention weights is computed from: softmax(softcap(scale q k) + bias).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/inspect.hpp"

namespace heed::runtime {

struct AttentionParts {
  std::size_t begin = 0, end = 0;  // the positions that the query sees; the others are masked. None: the layer does not attend
  float scale = 1;
  float softcap = 0;                // scaled scores become softcap * tanh(score / softcap); 0 leaves them
  std::optional<float> sink = {};   // a score without a key, which takes part in the softmax
  std::vector<float> query = {};    // key_dim, after its norm and rotation (RoPE), as it is multiplied
  std::vector<float> keys = {};     // (end - begin) x key_dim, likewise, as they are cached
  std::vector<float> bias = {};     // added to the score of each of these (ALiBi, relative positions), or empty
  std::vector<float> weights = {};  // of each of these, as the engine computed them
};

/// Records the parts of one query of a head.
class AttentionPartsProbe final : public AttentionRecorder {
 public:
  /// As AttentionRecorder.
  AttentionPartsProbe(const Model& model, std::uint32_t layer, std::uint32_t head, std::size_t query,
                      std::optional<AttentionOf> of = {});

  /// Throws invalid_argument if the query is not among these.
  void prepare(std::size_t first, std::size_t count, std::optional<std::size_t> keys = {}) override;
  /// Makes room for more keys than were announced. Throws std::bad_alloc.
  void watch(nn::Segment& segment) override;

  /// Throws out_of_memory if there was too little for the parts.
  AttentionParts parts() const;

  float* row(std::size_t layer, std::size_t head, std::size_t query_position) noexcept override;
  void observe(std::size_t layer, std::size_t head, std::size_t query_position, const nn::AttentionSight& sight,
               const kernels::Kernels& kernels) noexcept override;

 private:
  bool records(std::size_t layer, std::size_t head, std::size_t query_position) const noexcept;

  std::size_t query_;
  std::vector<float> row_;
  AttentionParts parts_;
  std::atomic<bool> failed_ = false;
};

}  // namespace heed::runtime
