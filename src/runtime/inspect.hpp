// Recording what the model attends to. Costs nothing when no probe is given.
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

/// Which attention: of the decoder's tokens to each other, of those to the encoder's, of the encoder's to each other, or of
/// the patches of a picture.
enum class AttentionOf : std::uint8_t { decoder, cross, encoder, image };
std::optional<AttentionOf> parse_attention_of(std::string_view name) noexcept;

/// Collects attention weights (softmax outputs) of chosen layers and heads while the model runs.
class AttentionProbe final : public Probe, public nn::AttentionReceiver {
 public:
  /// Empty selections mean all. Absent `of`: the decoder's attention, or that of what there is instead. Throws
  /// invalid_argument, naming the layer, the head or the kind of attention, for one that the model lacks.
  AttentionProbe(const Model& model, std::vector<std::uint32_t> layers, std::vector<std::uint32_t> heads,
                 std::optional<AttentionOf> of = {});

  AttentionOf of() const noexcept { return of_; }
  /// Throws invalid_argument if it is for attention that no decoder has.
  void require_decoder() const;
  std::span<const std::uint32_t> layers() const noexcept { return layers_; }
  std::span<const std::uint32_t> heads() const noexcept { return heads_; }

  /// Makes room for queries at positions [first, first + count) over keys at positions [0, keys), or up to the last
  /// query's, all zero. Throws out_of_memory. Without it, that happens for the tokens that are run.
  void prepare(std::size_t first, std::size_t count, std::optional<std::size_t> keys = {});
  void watch(nn::Segment& segment) override;

  std::size_t first() const noexcept { return first_; }
  std::size_t queries() const noexcept { return queries_; }
  std::size_t keys() const noexcept { return keys_; }

  /// Weights as [layers][heads][queries][keys], each row summing to 1 (with an attention sink, to what that leaves) and
  /// zero at keys that the query must not see. Layers without attention have zeros.
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
