#include "runtime/recorder.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "nn/encoder.hpp"
#include "runtime/cached_rows.hpp"
#include "runtime/model.hpp"
#include "runtime/selection.hpp"
#include "runtime/value_norms.hpp"

namespace heed::runtime {
namespace {

using nn::Point;
using nn::PointAxes;

PointAxes axes_of(const Request& request) noexcept { return nn::rule_of(request.at.place.point).axes; }

bool is_of_source(const Request& request) noexcept {
  return request.at.of == AttentionOf::encoder || (request.at.of == AttentionOf::cross && is_of_keys(request.at.place.point));
}

const nn::Block* writes_heads(const Model& model, const Request& request) noexcept {
  const nn::Stack& stack = request.at.of == AttentionOf::encoder ? model.encoder()->stack() : model.decoder()->stack();
  for (const nn::Sublayer& sublayer : stack.layer(request.at.place.layer).sublayers())
    if (sublayer.block().heads_output()) return &sublayer.block();
  return nullptr;
}

/// Whether a point is shown by Listener::norm.
bool is_of_norm(Point point) noexcept {
  return nn::is_divisor(point) || point == nn::kFinalPoints.normalized || point == Point::attention_normalized ||
         point == Point::mixed_normalized || point == Point::mlp_normalized;
}

}  // namespace

float* Recorder::Slot::at(std::size_t part, std::size_t position) const noexcept {
  const std::size_t p = part_slot.empty() ? part : static_cast<std::size_t>(part_slot[part]);
  std::size_t row = position - begin;
  if (!row_slot.empty()) row = position < row_slot.size() ? static_cast<std::size_t>(row_slot[position]) : rows;
  return p < parts && row < rows ? data + p * part_stride + row * row_stride : nullptr;
}

Recorder::Recorder(const Model& model, std::vector<Request> requests)
    : requests_(std::move(requests)), recorded_(requests_.size()) {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    const auto& [at, parts, positions] = requests_[i];
    std::vector<std::int32_t>& layers = slots_[index(at.of, at.place.point)];
    layers.resize(std::max(layers.size(), at.place.layer + 1), -1);
    layers[at.place.layer] = static_cast<std::int32_t>(i);
    Slot& slot = recorded_[i];
    slot.parts = parts.empty() ? at.parts : parts.size();
    if (!parts.empty())
      slot.part_slot = slots(parts, std::max<std::size_t>(at.parts, *std::ranges::max_element(parts) + 1), "heads");
    if (at.place.point == Point::norms) slot.block = writes_heads(model, requests_[i]);
    hears_norms_ = hears_norms_ || is_of_norm(at.place.point);
  }
}

void Recorder::prepare(std::size_t first, std::size_t count, std::size_t source) {
  std::uint64_t rows = 0, numbers = 0;
  bool alike = true, any_pairs = false;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    const Request& request = requests_[i];
    Slot& slot = recorded_[i];
    const bool of_source = is_of_source(request), of_keys = is_of_keys(request.at.place.point);
    slot.begin = of_source || of_keys ? 0 : first;
    const std::size_t end = of_source ? source : first + count;
    slot.rows = end - slot.begin;
    if (!request.positions.empty()) {
      slot.row_slot = slots(complete(request.positions, end, "positions", "the text"), end, "positions");
      slot.rows = request.positions.size();
    }
    const PointAxes axes = axes_of(request);
    any_pairs = any_pairs || axes == PointAxes::pairs;
    slot.each = axes != PointAxes::pairs                           ? request.at.width
                : of_source || request.at.of == AttentionOf::cross ? source
                                                                   : first + count;
    const bool by_token = axes == PointAxes::rows || axes == PointAxes::parts;
    slot.part_stride = by_token ? slot.each : slot.rows * slot.each;
    slot.row_stride = by_token ? slot.parts * slot.each : slot.each;
    alike = alike && slot.each == recorded_[0].each;
    rows += std::uint64_t{slot.parts} * slot.rows;
    numbers += std::uint64_t{slot.parts} * slot.rows * slot.each;
  }
  const std::size_t each = alike && !recorded_.empty() ? recorded_[0].each : 1;
  clear_rows(values_, alike ? rows : numbers, each,
             any_pairs ? "weights; ask for fewer layers or heads" : "numbers; ask for fewer layers or positions",
             any_pairs ? "attention" : "states");
  float* data = values_.data();
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    recorded_[i].data = data;
    const std::size_t size = values(i).size();
    if (requests_[i].at.place.point == Point::scores) std::fill_n(data, size, -std::numeric_limits<float>::infinity());
    data += size;
  }
  first_ = first;
  count_ = count;
  source_ = source;
}

void Recorder::watch(nn::Segment& segment, AttentionOf stack) {
  stack_ = stack;
  const bool is_source = stack == AttentionOf::encoder;
  const std::size_t source = std::max(source_, is_source ? segment.end() : segment.encoder_positions);
  const bool fits = is_source || (segment.position >= first_ && segment.end() <= first_ + count_);
  if (!fits) prepare(segment.position, segment.count, source);
  else if (source > source_) prepare(first_, count_, source);
  segment.listener = this;
}

bool Recorder::hears(AttentionOf of) const noexcept {
  return std::ranges::any_of(requests_, [of](const Request& request) { return request.at.of == of; });
}

std::span<const float> Recorder::values() const {
  if (failed_) throw Error(ErrorCode::out_of_memory, "not enough memory for the query and the keys", "attention");
  return values_;
}

std::span<const float> Recorder::values(std::size_t request) const {
  const Slot& slot = recorded_[request];
  return {slot.data, slot.parts * slot.rows * slot.each};
}

std::vector<std::size_t> Recorder::shape(std::size_t request) const {
  const Slot& slot = recorded_[request];
  switch (axes_of(requests_[request])) {
    case PointAxes::rows: return {slot.rows, slot.each};
    case PointAxes::parts: return {slot.rows, slot.parts, slot.each};
    case PointAxes::numbers:
      return slot.each == 1 ? std::vector{slot.parts, slot.rows} : std::vector{slot.parts, slot.rows, slot.each};
    case PointAxes::pairs:
    case PointAxes::queries: return {slot.parts, slot.rows, slot.each};
  }
  return {};
}

const Recorder::Slot* Recorder::find(const nn::Place& place, Point point) const noexcept {
  const std::vector<std::int32_t>& layers = slots_[index(place.cross ? AttentionOf::cross : stack_, point)];
  const std::int32_t slot = place.layer < layers.size() ? layers[place.layer] : -1;
  return slot < 0 ? nullptr : &recorded_[static_cast<std::size_t>(slot)];
}

void Recorder::visit(const nn::PointRows& rows, nn::Pass& /*pass*/) const noexcept {
  const Slot* const slot = find(rows.place, rows.place.point);
  if (!slot) return;
  for (std::size_t t = 0; t < rows.count; ++t)
    for (std::size_t i = 0; i < rows.parts; ++i)
      if (float* const to = slot->at(rows.part + i, rows.position + t)) {
        const std::span values(rows.row(t) + i * rows.width, rows.width);
        if (slot->each == rows.width) std::ranges::copy(values, to);
        else *to = std::accumulate(values.begin(), values.end(), 0.0f) / static_cast<float>(rows.width);
      }
}

bool Recorder::hears_end() const noexcept {
  return std::ranges::any_of(nn::kEndPoints, [&](Point point) { return hears(AttentionOf::decoder, point); });
}

void Recorder::norm(nn::NormSight& sight) const noexcept {
  if (const Slot* const slot = find(sight.divided_by, sight.divided_by.point))
    if (float* const to = slot->at(0, sight.position)) *to = static_cast<float>(sight.divisor);
  if (sight.normalized.point == sight.divided_by.point) return;
  const Slot* const slot = find(sight.normalized, sight.normalized.point);
  float* const to = slot ? slot->at(0, sight.position) : nullptr;
  if (!to) return;
  for (std::size_t i = 0; i < sight.x.size(); ++i)
    to[i] = static_cast<float>((static_cast<double>(sight.x[i]) - sight.mean) / sight.divisor);
}

void Recorder::attend(nn::AttentionSight& sight) const noexcept {
  if (const Slot* const slot = find(sight.place, Point::weights); slot && sight.query.end <= slot->each) {
    float* const to = slot->at(sight.head, sight.position);
    if (sight.given.empty()) sight.query.weights = to;
    else if (to) std::copy_n(sight.given.data(), std::min(sight.given.size(), sight.query.end), to);
  }
  if (!sight.first) return;
  try {
    show(sight);
  } catch (const std::bad_alloc&) {
    failed_ = true;
  }
}

/// Records the inputs of the attention weights; keys and values at the last query of a pass, when the cache holds all of them.
void Recorder::show(const nn::AttentionSight& sight) const {
  const auto& query = sight.query;
  const auto find_at = [&](Point point) -> float* {
    const Slot* const slot = find(sight.place, point);
    return slot && (point == Point::sight || query.end <= slot->each) ? slot->at(sight.head, sight.position) : nullptr;
  };
  if (float* const to = find_at(Point::sight)) {
    const float sink = query.sink ? *query.sink : -std::numeric_limits<float>::infinity();
    const float numbers[] = {static_cast<float>(query.begin), static_cast<float>(query.end), sight.scale, sight.softcap, sink,
                             query.bias ? 1.0f : 0.0f};
    std::ranges::copy(numbers, to);
  }
  if (float* const to = find_at(Point::bias); to && query.bias)
    std::copy(query.bias + query.begin, query.bias + query.end, to + query.begin);
  if (float* const to = find_at(Point::scores)) {
    std::vector<float> keys((query.end - query.begin) * sight.kv.key_dim);
    read_cached(sight.kv, query.begin, query.end, sight.kernels, keys.data(), nullptr);
    for (std::size_t i = query.begin; i < query.end; ++i) {
      const float* const key = keys.data() + (i - query.begin) * sight.kv.key_dim;
      double dot = 0;
      for (std::size_t k = 0; k < sight.kv.key_dim; ++k) dot += static_cast<double>(query.query[k]) * static_cast<double>(key[k]);
      to[i] = static_cast<float>(static_cast<double>(sight.scale) * dot);
    }
    if (sight.softcap != 0) sight.kernels.softcap(to + query.begin, sight.softcap, query.end - query.begin);
    for (std::size_t i = query.begin; query.bias && i < query.end; ++i) to[i] += query.bias[i];
  }
  if (!sight.last) return;
  const std::size_t end = sight.place.cross ? query.end : sight.position + 1, count = end - sight.from;
  const auto copy_rows = [&](Point point, std::size_t dim, bool of_keys) {
    const Slot* const slot = sight.head % sight.group == 0 ? find(sight.place, point) : nullptr;
    if (!slot) return;
    std::vector<float> rows(count * dim);
    read_cached(sight.kv, sight.from, end, sight.kernels, of_keys ? rows.data() : nullptr, of_keys ? nullptr : rows.data());
    for (std::size_t i = 0; i < count; ++i)
      if (float* const to = slot->at(sight.head / sight.group, sight.from + i)) std::copy_n(rows.data() + i * dim, dim, to);
  };
  copy_rows(Point::key, sight.kv.key_dim, true);
  copy_rows(Point::value, sight.kv.value_dim, false);
  const Slot* const norms = find(sight.place, Point::norms);
  if (!norms || !norms->block || (!norms->part_slot.empty() && norms->part_slot[sight.head] < 0)) return;
  std::vector<float> values(count * sight.kv.value_dim);
  read_cached(sight.kv, sight.from, end, sight.kernels, nullptr, values.data());
  const std::vector<float> lengths = value_norms(*norms->block, sight.head, values, count, sight.kernels);
  for (std::size_t i = 0; i < count; ++i)
    if (float* const to = norms->at(sight.head, sight.from + i)) *to = lengths[i];
}

}  // namespace heed::runtime
