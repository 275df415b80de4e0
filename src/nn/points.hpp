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

/// In the order of a layer.
enum class Point : std::uint8_t {
  embed,      // the input of the first layer
  query,      // of softmax attention, normalized and rotated, as multiplied
  key,        // as cached; in latent attention (DeepSeek), it may be the latent vector
  value,      // as cached, likewise
  sight,      // per query: the positions [from, to) that it sees, scale, soft cap (0: none), sink (-infinity: none), and
              // whether a bias is added to its scores
  bias,       // that bias: by distance, or -infinity for keys that an edit hides
  scores,     // the input of the softmax; -infinity for a key that the query does not see
  weights,    // the output of the softmax
  norms,      // lengths of a key's value after the head's part of the output matrix
  head,       // each head's output, before its gate and the output matrix
  attention,  // attention's addition to the stream, after its norm and residual_scale; the next four likewise
  decay,      // of recurrent layers: the factor by which a token multiplies a head's state
  write,      // of recurrent layers: how strongly the token is then written into the state
  mixed,      // the addition of a recurrent layer or a convolution
  router,     // the logits of experts
  hidden,     // the input of the feed-forward block's down matrix; for experts, of the chosen ones, best first
  shared,     // the same for an expert that all tokens use
  mlp,        // the addition of the feed-forward block
  laurel,     // the addition of the low-rank path beside attention
  input,      // the addition of a layer's own input (Gemma 3n and 4)
  resid,      // the residual stream after a layer
  logits,
};
inline constexpr std::size_t kPoints = static_cast<std::size_t>(Point::logits) + 1;

/// The axes of a point's values.
enum class PointAxes : std::uint8_t {
  rows,     // token, channel
  parts,    // token, part, channel; a part is a head or an expert
  numbers,  // part, token
  pairs,    // head, query, key
  queries,  // head, query, a few numbers per query
};

/// The stack and the attention: of the decoder to its own tokens, of the decoder to the encoder's, of the encoder, or among the
/// patches of an image.
enum class AttentionOf : std::uint8_t { decoder, cross, encoder, image };

struct PointRule {
  std::string_view before, after;  // the name before and after the layer's number; without a layer, only `before`
  PointAxes axes;
  bool has_layer, writable;
};
const PointRule& rule_of(Point point) noexcept;

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

/// All points of a stack, layer by layer, including cross-attention. The logits belong to the decoder.
std::vector<NamedPlace> places_of(const StackSpec& stack, AttentionOf of);

}  // namespace heed::nn
