#include "nn/points.hpp"

#include "nn/blocks.hpp"

namespace heed::nn {
namespace {

constexpr PointRule kRules[kPoints] = {
    {"embed.token", "", PointAxes::rows, false, true},
    {"embed.position", "", PointAxes::rows, false, true},
    {"embed", "", PointAxes::rows, false, true},
    {"attn.", ".scale", PointAxes::rows, true, true},
    {"attn.", ".normalized", PointAxes::rows, true, false},
    {"attn.", ".in", PointAxes::rows, true, true},
    {"attn.", ".q", PointAxes::parts, true, true},
    {"attn.", ".k", PointAxes::parts, true, true},
    {"attn.", ".v", PointAxes::parts, true, true},
    {"attn.", ".q_norm", PointAxes::parts, true, true},
    {"attn.", ".k_norm", PointAxes::parts, true, true},
    {"attn.", ".query", PointAxes::parts, true, true},
    {"attn.", ".key", PointAxes::parts, true, false},
    {"attn.", ".value", PointAxes::parts, true, false},
    {"attn.", ".sight", PointAxes::queries, true, false},
    {"attn.", ".bias", PointAxes::pairs, true, false},
    {"attn.", ".scores", PointAxes::pairs, true, false},
    {"attn.", ".weights", PointAxes::pairs, true, false},
    {"attn.", ".norms", PointAxes::numbers, true, false},
    {"head.", "", PointAxes::parts, true, true},
    {"head.", ".gate", PointAxes::parts, true, true},
    {"head.", ".gated", PointAxes::parts, true, true},
    {"attn.", ".raw", PointAxes::rows, true, true},
    {"attn.", ".post_scale", PointAxes::rows, true, true},
    {"attn.", ".out", PointAxes::rows, true, true},
    {"gate.", ".scale", PointAxes::rows, true, true},
    {"gate.", ".normalized", PointAxes::rows, true, false},
    {"gate.", ".in", PointAxes::rows, true, true},
    {"gate.", ".q", PointAxes::parts, true, true},
    {"gate.", ".k", PointAxes::parts, true, true},
    {"gate.", ".v", PointAxes::parts, true, true},
    {"gate.", ".decay", PointAxes::numbers, true, true},
    {"gate.", ".write", PointAxes::numbers, true, true},
    {"gate.", ".read", PointAxes::parts, true, true},
    {"gate.", ".out", PointAxes::rows, true, true},
    {"resid.", ".mid", PointAxes::rows, true, true},
    {"mlp.", ".scale", PointAxes::rows, true, true},
    {"mlp.", ".normalized", PointAxes::rows, true, false},
    {"mlp.", ".in", PointAxes::rows, true, true},
    {"router.", "", PointAxes::rows, true, true},
    {"experts.", "", PointAxes::rows, true, false},
    {"experts.", ".weights", PointAxes::rows, true, false},
    {"mlp.", ".pre", PointAxes::parts, true, true},
    {"mlp.", ".up", PointAxes::parts, true, true},
    {"mlp.", ".hidden", PointAxes::parts, true, true},
    {"mlp.", ".shared", PointAxes::rows, true, true},
    {"mlp.", ".raw", PointAxes::rows, true, true},
    {"mlp.", ".post_scale", PointAxes::rows, true, true},
    {"mlp.", ".out", PointAxes::rows, true, true},
    {"laurel.", ".out", PointAxes::rows, true, true},
    {"input.", ".out", PointAxes::rows, true, true},
    {"resid.", "", PointAxes::rows, true, true},
    {"final.scale", "", PointAxes::rows, false, true},
    {"final.normalized", "", PointAxes::rows, false, false},
    {"final", "", PointAxes::rows, false, true},
    {"logits.raw", "", PointAxes::rows, false, true},
    {"logits", "", PointAxes::rows, false, true},
};

/// The number of attention heads and each one's width at a point; nothing for points of other blocks.
std::optional<std::pair<std::size_t, std::size_t>> of_heads(const HeadShape& heads, Point point) noexcept {
  using Shape = std::pair<std::size_t, std::size_t>;
  if (heads.count == 0) return std::nullopt;
  switch (point) {
    case Point::raw_query: return heads.projected ? std::optional(Shape{heads.count, heads.key_dim}) : std::nullopt;
    case Point::raw_key:
      return heads.projected && heads.own_keys ? std::optional(Shape{heads.kv_count, heads.key_dim}) : std::nullopt;
    case Point::raw_value:
      return heads.projected && heads.own_keys ? std::optional(Shape{heads.kv_count, heads.cached_dim}) : std::nullopt;
    case Point::normed_query: return heads.normed ? std::optional(Shape{heads.count, heads.key_dim}) : std::nullopt;
    case Point::normed_key:
      return heads.normed && heads.own_keys ? std::optional(Shape{heads.kv_count, heads.key_dim}) : std::nullopt;
    case Point::query: return Shape{heads.count, heads.key_dim};
    case Point::key: return Shape{heads.kv_count, heads.key_dim};
    case Point::value: return Shape{heads.kv_count, heads.cached_dim};
    case Point::sight: return Shape{heads.count, 6};
    case Point::bias:
    case Point::scores:
    case Point::weights: return Shape{heads.count, 1};
    case Point::norms: return heads.gated ? std::nullopt : std::optional(Shape{heads.count, 1});
    case Point::head: return Shape{heads.count, heads.dim};
    default: return std::nullopt;
  }
}

std::optional<std::pair<std::size_t, std::size_t>> of_block(const BlockTraits& traits, Point point, bool cross,
                                                            std::size_t width) noexcept {
  using Shape = std::pair<std::size_t, std::size_t>;
  if (cross != (traits.cross_heads.count > 0)) return std::nullopt;
  if (point == traits.out) return Shape{1, width};
  const RecurrentShape& recurrent = traits.recurrent;
  const Shape given = recurrent.heads > 0 ? Shape{recurrent.heads, recurrent.value_dim}
                                          : Shape{traits.heads.count, traits.heads.dim};
  if (point == Point::decay || point == Point::write) {
    if (recurrent.heads > 0) return Shape{recurrent.heads, point == Point::decay ? recurrent.decays : recurrent.writes};
  } else if (point == Point::router) {
    if (traits.experts > 0) return Shape{1, traits.experts};
  } else if (point == Point::mixed_query || point == Point::mixed_key) {
    if (recurrent.key_heads > 0) return Shape{recurrent.key_heads, recurrent.key_dim};
  } else if (point == Point::mixed_value || point == Point::mixed_read) {
    if (recurrent.key_heads > 0) return given;
  } else if (point == Point::gate) {
    if (traits.shows_gate) return given;
  } else if (point == Point::chosen || point == Point::chosen_weights) {
    if (traits.experts > 0) return Shape{1, traits.used};
  } else if (point == Point::gated) {
    if (traits.shows_gated) return given;
  } else if (point == Point::hidden || (point == Point::pre && traits.shows_pre) || (point == Point::up && traits.shows_up)) {
    if (traits.hidden > 0) return Shape{traits.used, traits.hidden};
  } else if (point == Point::shared) {
    if (traits.shared > 0) return Shape{1, traits.shared};
  } else {
    return of_heads(cross ? traits.cross_heads : traits.heads, point);
  }
  return std::nullopt;
}

/// The parts and their width at a point of the norms around a block; nothing for other points.
std::optional<std::pair<std::size_t, std::size_t>> of_norms(const SublayerSpec& sublayer, const StackSpec& stack, Point point,
                                                            bool cross) noexcept {
  using Shape = std::pair<std::size_t, std::size_t>;
  const BlockTraits traits = block_traits(sublayer.block, stack.width);
  const auto around = points_around(traits.out);
  if (!around || cross != (traits.cross_heads.count > 0)) return std::nullopt;
  const bool divides = !sublayer.pre_norm.empty() && stack.norm.groups == 1;
  const bool divides_after = !sublayer.post_norm.empty() && stack.post_norm.value_or(stack.norm).groups == 1;
  if (point == around->in) return Shape{1, stack.width};
  if (point == around->scale && divides) return Shape{1, 1};
  if (point == around->normalized && divides) return Shape{1, stack.width};
  if (point == around->raw && !sublayer.post_norm.empty()) return Shape{1, stack.width};
  if (point == around->post_scale && divides_after) return Shape{1, 1};
  return std::nullopt;
}

}  // namespace

const PointRule& rule_of(Point point) noexcept { return kRules[static_cast<std::size_t>(point)]; }

std::optional<PointsAround> points_around(Point out) noexcept {
  switch (out) {
    case Point::attention:
      return PointsAround{Point::attention_scale, Point::attention_normalized, Point::attention_in, Point::attention_raw,
                          Point::attention_post_scale};
    case Point::mixed: return PointsAround{Point::mixed_scale, Point::mixed_normalized, Point::mixed_in};
    case Point::mlp:
      return PointsAround{Point::mlp_scale, Point::mlp_normalized, Point::mlp_in, Point::mlp_raw, Point::mlp_post_scale};
    default: return std::nullopt;
  }
}

bool is_divisor(Point point) noexcept {
  if (point == kFinalPoints.scale) return true;
  for (const Point out : {Point::attention, Point::mixed, Point::mlp})
    if (const auto around = points_around(out); point == around->scale || point == around->post_scale) return true;
  return false;
}

std::optional<std::size_t> reads_middle(const LayerSpec& layer, std::size_t width) {
  const std::size_t parallel = layer.parallel ? layer.sublayers.size() - (layer.serial_last ? 1 : 0) : 0;
  for (std::size_t i = 0; i < layer.sublayers.size(); ++i)
    if (block_traits(layer.sublayers[i].block, width).out == Point::mlp)
      return i > 0 && i >= parallel ? std::optional(i) : std::nullopt;
  return std::nullopt;
}

std::string NamedPlace::name() const {
  const PointRule& rule = rule_of(place.point);
  std::string name = of == AttentionOf::encoder ? "encoder." : of == AttentionOf::image ? "image." : place.cross ? "cross." : "";
  name += rule.before;
  if (rule.has_layer) name += std::to_string(place.layer);
  return name += rule.after;
}

std::optional<NamedPlace> find_place(const StackSpec& stack, AttentionOf of, Point point, std::size_t layer) {
  const bool cross = of == AttentionOf::cross;
  const auto found = [&](std::size_t parts, std::size_t width) { return NamedPlace{{point, layer, cross}, of, parts, width}; };
  if (layer >= stack.layers.size()) return std::nullopt;
  if (point == Point::embed || point == Point::resid) return cross ? std::nullopt : std::optional(found(1, stack.width));
  if (point == Point::middle)
    return !cross && reads_middle(stack.layers[layer], stack.width) ? std::optional(found(1, stack.width)) : std::nullopt;
  const auto look = [&](const SublayerSpec& sublayer) {
    const auto shape = of_block(block_traits(sublayer.block, stack.width), point, cross, stack.width);
    return shape ? shape : of_norms(sublayer, stack, point, cross);
  };
  for (const SublayerSpec& sublayer : stack.layers[layer].sublayers)
    if (const auto shape = look(sublayer)) return found(shape->first, shape->second);
  if (!stack.alt_up || !stack.alt_up->others) return std::nullopt;
  const auto shape = look(*stack.alt_up->others);
  return shape ? std::optional(found(shape->first, shape->second)) : std::nullopt;
}

std::optional<NamedPlace> find_place(const DecoderSpec& decoder, Point point, std::size_t layer) {
  const StackSpec& stack = decoder.stack;
  const auto found = [&](bool exists, std::size_t width) {
    return exists ? std::optional(NamedPlace{{point}, AttentionOf::decoder, 1, width}) : std::nullopt;
  };
  const bool divides = !stack.final_norm.empty() && stack.norm.groups == 1 && !stack.final_norm_optional;
  switch (point) {
    case Point::token_embed:
    case Point::position_embed: return found(decoder.embedding.positions != Positions::none, stack.width);
    case kFinalPoints.scale: return found(divides, 1);
    case kFinalPoints.normalized: return found(divides, stack.width);
    case kFinalPoints.in: return found(true, stack.width);
    case Point::logits_raw: return found(decoder.head.softcap != 0, decoder.embedding.vocabulary);
    case Point::logits: return found(true, decoder.embedding.vocabulary);
    default: return find_place(stack, AttentionOf::decoder, point, layer);
  }
}

std::vector<NamedPlace> places_of(const StackSpec& stack, AttentionOf of) {
  std::vector<NamedPlace> places;
  const auto add = [&](Point point, std::size_t layer, AttentionOf kind) {
    if (const auto place = find_place(stack, kind, point, layer)) places.push_back(*place);
  };
  add(Point::embed, 0, of);
  for (std::size_t layer = 0; layer < stack.layers.size(); ++layer)
    for (const AttentionOf kind : {of, AttentionOf::cross})
      for (std::size_t i = 0; i < kPoints; ++i)
        if (const auto point = static_cast<Point>(i); rule_of(point).has_layer) add(point, layer, kind);
  return places;
}

}  // namespace heed::nn
