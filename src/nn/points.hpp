// The named points of a pass, with the shape of each: values that can be read and, at most points, changed. One table for all
// families; a block declares its points (BlockTraits), and shows the values in one visit of a listener (nn/listener.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nn/spec.hpp"

namespace heed::nn {

/// In the order in which a layer computes them.
enum class Point : std::uint8_t {
  token_embed,           // the token's embedding, if a position embedding is added to it
  position_embed,        // the position embedding
  embed,                 // the input of the first layer
  attention_scale,       // the divisor of the norm before attention: one value per token, which an edit may hold
  attention_normalized,  // the norm's input divided by this divisor (LayerNorm: centered first), before the norm's weight and bias
  attention_in,          // the output of the norm before attention, which the matrices of queries, keys and values read
  raw_query,             // this and the next two: the outputs of these three matrices, before norms and rotation
  raw_key,
  raw_value,
  normed_query,  // this and the next: queries and keys after their norm, if it comes before rotation
  normed_key,
  query,          // the queries of softmax attention, normalized and rotated, which keys are multiplied by
  key,            // the keys as cached; in latent attention (DeepSeek), they may be the latent vectors
  value,          // the values as cached; in latent attention, they may be the latent vectors
  sight,          // per query: the positions [from, to) that it sees, scale, soft cap (0: none), sink (-infinity: none), and
                  // whether a bias is added to its scores
  bias,           // the bias added to the scores: by distance, or -infinity for keys that an edit hides
  scores,         // the input of the softmax; -infinity for a key that the query does not see
  weights,        // the output of the softmax
  norms,          // the length of each key's value after the head's part of the output matrix
  head,           // each head's output, before its gate and the output matrix
  gate,           // the gate's input, before its activation function; also of recurrent layers
  gated,          // each head's part of the output matrix's input, if a gate or a norm comes before it
  attention_raw,  // the output of attention's output matrix, if a norm follows; the next point is this norm's divisor
  attention_post_scale,
  attention,    // attention's addition to the stream, after its norm and residual_scale (as at mixed, mlp, laurel and input)
  mixed_scale,  // this and the next two: as attention_scale and the two after it, for recurrent layers and convolutions
  mixed_normalized,
  mixed_in,
  mixed_query,  // this and the next two: the gated delta rule's, after convolution and SiLU, before norms
  mixed_key,
  mixed_value,
  decay,       // in recurrent layers: the factor by which a token multiplies a head's state, or one factor per channel
  write,       // in recurrent layers: how strongly the token is written into a head's state, or into each channel
  mixed_read,  // in the gated delta rule: what each head reads from its state
  mixed,       // the addition of a recurrent layer or a convolution
  middle,      // the residual stream that the feed-forward block reads, if other blocks of the layer have added to it
  mlp_scale,   // this and the next two: as attention_scale and the two after it, for the norm before the feed-forward block
  mlp_normalized,
  mlp_in,
  router,  // the logits of the router
  chosen,  // the indices of a token's experts, best first; the next point is their weights
  chosen_weights,
  pre,      // the input of the activation function (of the gate, if there is one); for experts, shaped as hidden
  up,       // multiplies the activation function's output
  hidden,   // the input of the feed-forward block's down matrix; with experts, of each chosen expert, best first
  shared,   // as hidden, for the expert that all tokens use
  mlp_raw,  // the output of the feed-forward block, if a norm follows; the next point is this norm's divisor
  mlp_post_scale,
  mlp,          // the addition of the feed-forward block
  laurel,       // the addition of the low-rank path beside attention
  input,        // the addition of a layer's own input (Gemma 3n and 4)
  resid,        // the residual stream after a layer
  final_scale,  // this and the next: as attention_scale and attention_normalized, for the final norm
  final_normalized,
  final_out,   // the output of the final norm, which the head reads
  logits_raw,  // the logits before their soft cap
  logits,
};
inline constexpr std::size_t kPoints = static_cast<std::size_t>(Point::logits) + 1;

/// The axes of a point's values.
enum class PointAxes : std::uint8_t {
  rows,     // token, channel
  parts,    // token, part, channel; a part is a head or an expert
  numbers,  // part, token; and channel, if there are several
  pairs,    // head, query, key
  queries,  // head, query, a few values per query
};

/// Whose attention: the decoder's to its own tokens, the decoder's to the encoder's output, the encoder's, or that of an image's
/// patches.
enum class AttentionOf : std::uint8_t { decoder, cross, encoder, image };

struct PointRule {
  std::string_view before, after;  // the name before and after the layer's number; without a layer, only `before`
  PointAxes axes;
  bool has_layer, writable;
};
const PointRule& rule_of(Point point) noexcept;

/// The points of the norms before and after a block.
struct PointsAround {
  Point scale, normalized, in;
  std::optional<Point> raw = {}, post_scale = {};
};
/// The points around the block that adds to the stream at point `out`; nothing for blocks whose norms have no points.
std::optional<PointsAround> points_around(Point out) noexcept;
/// Whether the point is the divisor of a norm, which Listener::norm shows instead of visit().
bool is_divisor(Point point) noexcept;
inline constexpr PointsAround kFinalPoints{Point::final_scale, Point::final_normalized, Point::final_out};
/// The points of a decoder before its stack, and after it, in order.
inline constexpr Point kEmbeddingPoints[] = {Point::token_embed, Point::position_embed};
inline constexpr Point kEndPoints[] = {kFinalPoints.scale, kFinalPoints.normalized, kFinalPoints.in, Point::logits_raw,
                                       Point::logits};

/// The index of the sublayer that reads Point::middle; nothing if a layer has no such state.
std::optional<std::size_t> reads_middle(const LayerSpec& layer, std::size_t width);

/// A point of a layer.
struct Place {
  Point point = Point::resid;
  std::size_t layer = 0;
  bool cross = false;  // of the attention to an encoder

  bool operator==(const Place&) const = default;
};

struct NamedPlace {
  Place place;
  AttentionOf of = AttentionOf::decoder;
  std::size_t parts = 1, width = 1;  // values of a token: the number of heads or experts, and the width of each

  /// For example attn.3.weights or encoder.resid.2.
  std::string name() const;
};

/// The number of parts and the width at a layer's point; nothing if the layer lacks the point.
std::optional<NamedPlace> find_place(const StackSpec& stack, AttentionOf of, Point point, std::size_t layer);

/// As above, for a decoder; includes the points before and after its stack, for which `layer` is ignored.
std::optional<NamedPlace> find_place(const DecoderSpec& decoder, Point point, std::size_t layer);

/// All points of a stack, layer by layer, including cross-attention. The points after the last layer belong to the decoder.
std::vector<NamedPlace> places_of(const StackSpec& stack, AttentionOf of);

}  // namespace heed::nn
