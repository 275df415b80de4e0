// The named points of a pass: what can be read of it and, at most of them, changed in it, with the shape of each. One table for all
// families: a block says which it has (BlockTraits), and what is shown there is one visit of a listener (nn/listener.hpp).
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
  embed,  // what enters the first layer
  query,  // of softmax attention: normed and rotated, as it is multiplied
  key,    // as it is cached; in latent attention (DeepSeek) it may be the latent vector
  value,  // likewise
  sight,  // of each query the positions [from, to) that it sees, the scale, the soft cap (0: none), the sink (-infinity: none), and
          // whether something is added to its scores
  bias,   // what that is: for distances, or -infinity for keys that an edit hides
  scores,     // what the softmax is of; -infinity where a query does not see a key
  weights,    // that softmax
  norms,      // how long a key's value is as a head writes it: after the head's part of the output matrix
  head,       // what each head gives, before its gate and the output matrix
  attention,  // what attention adds to the stream, like the next four: after the norm that follows the block, times residual_scale
  decay,      // of recurrent layers: the factor by which a token multiplies a head's state
  write,      // how strongly the token is then written into it
  mixed,      // what a recurrent layer or a convolution adds
  router,     // the logits of experts
  hidden,     // what the down matrix of the feed-forward block sees; of experts those chosen, best first
  shared,     // the same of an expert that all tokens go through
  mlp,        // what the feed-forward block adds
  laurel,     // what the low-rank path beside attention adds
  input,      // what a layer's input of its own adds (Gemma 3n and 4)
  resid,      // the residual stream after a layer
  logits,
};
inline constexpr std::size_t kPoints = static_cast<std::size_t>(Point::logits) + 1;

/// How the numbers of a point lie.
enum class PointAxes : std::uint8_t {
  rows,     // token, channel
  parts,    // token, part, channel: a head's, or an expert's
  numbers,  // part, token
  pairs,    // head, query, key
  queries,  // head, query, and a few numbers of each
};

/// Which stack, and which attention: among the decoder's tokens, from those to the encoder's, among the encoder's, or among the patches of
/// an image.
enum class AttentionOf : std::uint8_t { decoder, cross, encoder, image };

struct PointRule {
  std::string_view before, after;  // of the name, around the number of the layer; without one, it is `before`
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
  std::size_t parts = 1, width = 1;  // the numbers of a token: heads or experts, and those of each

  /// Such as attn.3.weights or encoder.resid.2.
  std::string name() const;
};

/// The parts and the width that a layer has at a point; nothing if it has no such point.
std::optional<NamedPlace> find_place(const StackSpec& stack, AttentionOf of, Point point, std::size_t layer);

/// All that a stack has, layer by layer, with those of its cross-attention. The logits are the decoder's.
std::vector<NamedPlace> places_of(const StackSpec& stack, AttentionOf of);

}  // namespace heed::nn
