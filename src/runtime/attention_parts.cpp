#include "runtime/attention_parts.hpp"

#include <new>
#include <string>

#include "base/error.hpp"
#include "runtime/cached_rows.hpp"
#include "runtime/selection.hpp"

namespace heed::runtime {

AttentionPartsProbe::AttentionPartsProbe(const Model& model, std::uint32_t layer, std::uint32_t head, std::size_t query,
                                         std::optional<AttentionOf> of)
    : AttentionRecorder(model, {layer}, {head}, of), query_(query) {}

void AttentionPartsProbe::prepare(std::size_t first, std::size_t count, std::optional<std::size_t> keys) {
  if (query_ < first || query_ >= first + count)
    throw Error(ErrorCode::invalid_argument, std::to_string(query_) + " is out of range for " + std::to_string(count) + " tokens",
                "query");
  clear_rows(row_, 1, keys.value_or(first + count), "weights", "attention");
  parts_ = {};
}

void AttentionPartsProbe::watch(nn::Segment& segment) {
  const std::size_t keys = keys_of(segment);
  if (keys > row_.size()) row_.resize(keys);
  AttentionRecorder::watch(segment);
}

AttentionParts AttentionPartsProbe::parts() const {
  if (failed_) throw Error(ErrorCode::out_of_memory, "not enough memory for the query and the keys", "attention");
  AttentionParts parts = parts_;
  parts.weights.assign(row_.begin() + static_cast<std::ptrdiff_t>(parts.begin),
                       row_.begin() + static_cast<std::ptrdiff_t>(parts.end));
  return parts;
}

bool AttentionPartsProbe::records(std::size_t layer, std::size_t head, std::size_t query_position) const noexcept {
  return query_position == query_ && plane(layer, head);
}

float* AttentionPartsProbe::row(std::size_t layer, std::size_t head, std::size_t query_position) noexcept {
  return records(layer, head, query_position) ? row_.data() : nullptr;
}

void AttentionPartsProbe::observe(std::size_t layer, std::size_t head, std::size_t query_position, const nn::AttentionSight& sight,
                                  const kernels::Kernels& kernels) noexcept {
  if (!records(layer, head, query_position)) return;
  const auto& [kv, scale, softcap, query] = sight;
  try {
    AttentionParts parts{.begin = query.begin, .end = query.end, .scale = scale, .softcap = softcap};
    if (query.sink) parts.sink = *query.sink;
    parts.query.assign(query.query, query.query + kv.key_dim);
    parts.keys.resize((query.end - query.begin) * kv.key_dim);
    read_cached(kv, query.begin, query.end, kernels, parts.keys.data(), nullptr);
    if (query.bias) parts.bias.assign(query.bias + query.begin, query.bias + query.end);
    parts_ = std::move(parts);
  } catch (const std::bad_alloc&) {
    failed_ = true;
  }
}

}  // namespace heed::runtime
