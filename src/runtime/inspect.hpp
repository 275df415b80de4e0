// Recording attention weights. Costs nothing without a probe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "nn/attention_receiver.hpp"
#include "runtime/probe.hpp"

namespace heed::runtime {

class Model;

/// Which attention: among the decoder's tokens, from those to the encoder's, among the encoder's, or among the patches of an image.
enum class AttentionOf : std::uint8_t { decoder, cross, encoder, image };
std::optional<AttentionOf> parse_attention_of(std::string_view name) noexcept;

/// Collects attention weights (softmax outputs) of chosen layers and heads while the model runs.
class AttentionProbe final : public Probe, public nn::AttentionReceiver {
 public:
  /// Empty selections mean all. Without `of`: the decoder's attention, in a model without a decoder the encoder's, and in one
  /// without either the image's. Throws invalid_argument, naming the layer, the head or the kind of attention that the model lacks.
  AttentionProbe(const Model& model, std::vector<std::uint32_t> layers, std::vector<std::uint32_t> heads,
                 std::optional<AttentionOf> of = {});

  AttentionOf of() const noexcept { return of_; }
  /// Throws invalid_argument if it records attention that no decoder computes.
  void require_decoder() const;
  std::span<const std::uint32_t> layers() const noexcept { return layers_; }
  std::span<const std::uint32_t> heads() const noexcept { return heads_; }

  /// Allocates weights, all zero, of queries at positions [first, first + count) for keys at positions [0, keys); without `keys`,
  /// up to the last query. Throws out_of_memory. If it is not called, watch() does this for the tokens of its segment.
  void prepare(std::size_t first, std::size_t count, std::optional<std::size_t> keys = {});
  void watch(nn::Segment& segment) override;

  std::size_t first() const noexcept { return first_; }
  std::size_t queries() const noexcept { return queries_; }
  std::size_t keys() const noexcept { return keys_; }

  /// [layers][heads][queries][keys]: rows sum to 1 (less the share of an attention sink) and are zero at masked keys. Layers without
  /// attention have zeros.
  std::span<const float> weights() const noexcept { return weights_; }

  float* row(std::size_t layer, std::size_t head, std::size_t query_position) noexcept override;

 private:
  std::vector<std::uint32_t> layers_, heads_;
  std::vector<std::int32_t> layer_slot_, head_slot_;  // -1 where not recorded
  AttentionOf of_;
  std::size_t first_ = 0, queries_ = 0, keys_ = 0;
  std::vector<float> weights_;
};

}  // namespace heed::runtime
