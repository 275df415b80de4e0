#include "runtime/inspect.hpp"

#include "base/error.hpp"
#include "runtime/model.hpp"
#include "runtime/selection.hpp"

namespace heed::runtime {
std::optional<AttentionOf> parse_attention_of(std::string_view name) noexcept {
  if (name == "decoder") return AttentionOf::decoder;
  if (name == "cross") return AttentionOf::cross;
  if (name == "encoder") return AttentionOf::encoder;
  if (name == "image") return AttentionOf::image;
  return std::nullopt;
}

AttentionRecorder::AttentionRecorder(const Model& model, std::vector<std::uint32_t> layers, std::vector<std::uint32_t> heads,
                                     std::optional<AttentionOf> of) {
  const ModelInfo& info = model.info();
  of_ = of.value_or(info.generates ? AttentionOf::decoder : info.embeds ? AttentionOf::encoder : AttentionOf::image);
  const bool there = of_ == AttentionOf::decoder   ? info.generates
                     : of_ == AttentionOf::cross   ? info.generates && info.embeds
                     : of_ == AttentionOf::encoder ? info.embeds
                                                   : info.sees;
  if (!there) throw Error(ErrorCode::invalid_argument, "the model has no such attention", "of");
  const bool of_image = of_ == AttentionOf::image;
  const std::size_t layer_count = of_image ? info.vision_layers : of_ == AttentionOf::encoder ? info.encoder_layers : info.layers;
  const std::size_t head_count = of_image ? info.vision_heads : info.heads;
  layers_ = complete(std::move(layers), layer_count, "layers");
  heads_ = complete(std::move(heads), head_count, "heads");
  layer_slot_ = slots(layers_, layer_count, "layers");
  head_slot_ = slots(heads_, head_count, "heads");
}

void AttentionRecorder::require_decoder() const {
  if (of_ != AttentionOf::decoder && of_ != AttentionOf::cross)
    throw Error(ErrorCode::invalid_argument, "generation only has decoder attention and cross-attention", "of");
}

void AttentionRecorder::watch(nn::Segment& segment) {
  (of_ == AttentionOf::cross ? segment.cross_attention : segment.attention) = this;
}

std::optional<std::size_t> AttentionRecorder::plane(std::size_t layer, std::size_t head) const noexcept {
  const std::int32_t layer_slot = layer_slot_[layer], head_slot = head_slot_[head];
  if (layer_slot < 0 || head_slot < 0) return std::nullopt;
  return static_cast<std::size_t>(layer_slot) * heads_.size() + static_cast<std::size_t>(head_slot);
}

void AttentionProbe::prepare(std::size_t first, std::size_t count, std::optional<std::size_t> keys) {
  const std::uint64_t rows = std::uint64_t{layers().size()} * heads().size() * count, row = keys.value_or(first + count);
  clear_rows(weights_, rows, row, "weights; ask for fewer layers or heads", "attention");
  first_ = first;
  queries_ = count;
  keys_ = static_cast<std::size_t>(row);
}

void AttentionProbe::watch(nn::Segment& segment) {
  const std::size_t keys = keys_of(segment);
  if (segment.position < first_ || segment.end() > first_ + queries_ || keys > keys_)
    prepare(segment.position, segment.count, keys);
  AttentionRecorder::watch(segment);
}

float* AttentionProbe::row(std::size_t layer, std::size_t head, std::size_t query_position) noexcept {
  const auto own = plane(layer, head);
  if (!own || query_position < first_ || query_position >= first_ + queries_) return nullptr;
  return weights_.data() + (*own * queries_ + query_position - first_) * keys_;
}

}  // namespace heed::runtime
