// Recording attention weights, and what the attention of a model is. Costs nothing without a probe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/attention_receiver.hpp"
#include "runtime/probe.hpp"

namespace heed::runtime {

class Model;

/// Which attention: among the decoder's tokens, from those to the encoder's, among the encoder's, or among the patches of an image.
enum class AttentionOf : std::uint8_t { decoder, cross, encoder, image };
std::optional<AttentionOf> parse_attention_of(std::string_view name) noexcept;

/// Records something of the attention of chosen layers and heads while the model runs.
class AttentionRecorder : public Probe, public nn::AttentionReceiver {
 public:
  AttentionOf of() const noexcept { return of_; }
  /// Throws invalid_argument if it records attention that no decoder computes.
  void require_decoder() const;
  std::span<const std::uint32_t> layers() const noexcept { return layers_; }
  std::span<const std::uint32_t> heads() const noexcept { return heads_; }

  /// Makes room for what queries at positions [first, first + count) give, of keys at positions [0, keys); without `keys`, up to the last
  /// query. Throws out_of_memory or std::bad_alloc. To be called first, except where watch() does it.
  virtual void prepare(std::size_t first, std::size_t count, std::optional<std::size_t> keys = {}) = 0;
  void watch(nn::Segment& segment) override;
  float* row(std::size_t /*layer*/, std::size_t /*head*/, std::size_t /*query_position*/) noexcept override { return nullptr; }

 protected:
  /// Empty selections mean all. Without `of`: the decoder's attention, in a model without a decoder the encoder's, and in one
  /// without either the image's. Throws invalid_argument, naming the layer, the head or the kind of attention that the model lacks.
  AttentionRecorder(const Model& model, std::vector<std::uint32_t> layers, std::vector<std::uint32_t> heads,
                    std::optional<AttentionOf> of);
  /// Which of the recorded layers and heads these are, counting both through; nothing if they are not recorded.
  std::optional<std::size_t> plane(std::size_t layer, std::size_t head) const noexcept;
  /// The number of keys that the last query of a segment may see.
  std::size_t keys_of(const nn::Segment& segment) const noexcept {
    return of_ == AttentionOf::cross ? segment.encoder_positions : segment.end();
  }

 private:
  std::vector<std::uint32_t> layers_, heads_;
  std::vector<std::int32_t> layer_slot_, head_slot_;  // -1 where not recorded
  AttentionOf of_;
};

/// Collects attention weights (softmax outputs).
class AttentionProbe final : public AttentionRecorder {
 public:
  /// As AttentionRecorder.
  AttentionProbe(const Model& model, std::vector<std::uint32_t> layers, std::vector<std::uint32_t> heads,
                 std::optional<AttentionOf> of = {})
      : AttentionRecorder(model, std::move(layers), std::move(heads), of) {}

  /// All zero. If it is not called, watch() does this for the tokens of its segment.
  void prepare(std::size_t first, std::size_t count, std::optional<std::size_t> keys = {}) override;
  void watch(nn::Segment& segment) override;

  std::size_t first() const noexcept { return first_; }
  std::size_t queries() const noexcept { return queries_; }
  std::size_t keys() const noexcept { return keys_; }

  /// [layers][heads][queries][keys]: rows sum to 1 (less the share of an attention sink) and are zero at masked keys. Layers without
  /// attention have zeros.
  std::span<const float> weights() const noexcept { return weights_; }

  float* row(std::size_t layer, std::size_t head, std::size_t query_position) noexcept override;

 private:
  std::size_t first_ = 0, queries_ = 0, keys_ = 0;
  std::vector<float> weights_;
};

}  // namespace heed::runtime
