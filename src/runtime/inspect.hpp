// Recording what the model attends to. Costs nothing when no probe is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nn/attention_sink.hpp"

namespace heed::runtime {

class Session;

/// Collects attention weights (softmax outputs) of chosen layers and heads during Session::forward.
class AttentionProbe final : public nn::AttentionSink {
 public:
  /// Empty selections mean all. Throws invalid_argument, naming the layer or head, for one that the model lacks.
  AttentionProbe(const Session& session, std::vector<std::uint32_t> layers, std::vector<std::uint32_t> heads);

  std::span<const std::uint32_t> layers() const noexcept { return layers_; }
  std::span<const std::uint32_t> heads() const noexcept { return heads_; }

  /// Makes room for queries at positions [first, first + count) over keys at positions [0, first + count), all zero.
  /// Throws out_of_memory. Without it, Session::forward does so for its own tokens.
  void prepare(std::size_t first, std::size_t count);

  std::size_t first() const noexcept { return first_; }
  std::size_t queries() const noexcept { return queries_; }
  std::size_t keys() const noexcept { return first_ + queries_; }

  /// Weights as [layers][heads][queries][keys], each row summing to 1 and zero at keys that the query must not see.
  std::span<const float> weights() const noexcept { return weights_; }

  float* row(std::size_t layer, std::size_t head, std::size_t query_position) noexcept override;

 private:
  std::vector<std::uint32_t> layers_, heads_;
  std::vector<std::int32_t> layer_slot_, head_slot_;  // -1 where not recorded
  std::size_t first_ = 0, queries_ = 0;
  std::vector<float> weights_;
};

}  // namespace heed::runtime
