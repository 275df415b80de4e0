// The types that describe a stack of layers: how sublayers combine blocks (nn/block_spec.hpp), and what the layers share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "nn/block_spec.hpp"

namespace heed::nn {

/// x = residual_norm(scale (x + factor post_norm(block(pre_norm(x))))). Norms are given by their tensors' names; empty: no norm.
struct SublayerSpec {
  std::string_view pre_norm = {}, post_norm = {}, residual_norm = {};
  BlockSpec block = {};
  std::string_view gain = {};        // D factors of the addition (LayerScale, arXiv:2103.17239), if the file has them; or empty
  std::string_view again_norm = {};  // then x = again_norm(x + x0), with x0 the layer's input, if the file has that norm
  float scale = 1;
  float factor = 1;  // factor of the addition, besides the stack's residual_scale
};

/// Up to three sublayers, without heap memory, so that specs can be copied as bytes.
class Sublayers {
 public:
  static constexpr std::size_t kMost = 3;

  Sublayers() = default;
  Sublayers(std::initializer_list<SublayerSpec> sublayers) noexcept {
    for (const SublayerSpec& sublayer : sublayers) sublayers_[count_++] = sublayer;
  }

  SublayerSpec& operator[](std::size_t i) noexcept { return sublayers_[i]; }
  const SublayerSpec& operator[](std::size_t i) const noexcept { return sublayers_[i]; }
  SublayerSpec* begin() noexcept { return sublayers_; }
  SublayerSpec* end() noexcept { return sublayers_ + count_; }
  const SublayerSpec* begin() const noexcept { return sublayers_; }
  const SublayerSpec* end() const noexcept { return sublayers_ + count_; }
  std::size_t size() const noexcept { return count_; }

 private:
  SublayerSpec sublayers_[kMost];
  std::size_t count_ = 0;
};

/// What a stack keeps between layers that run in turns (arXiv:2506.21734): a high stream, which begins as the stack's input, and a
/// low one, which begins as a vector of the file. A turn's first layer reads the sum of both; its last layer's output is the new
/// low or high stream.
enum class Turn : std::uint8_t { none, low, high };

struct LayerSpec {
  /// May be empty; the layer's tensors are then not read. At most one attends to positions, one has a recurrent state, and one
  /// attends to an encoder's output.
  Sublayers sublayers = {};
  bool parallel = false;     // all sublayers read the layer's input (GPT-J); otherwise each reads the output of the one before
  bool serial_last = false;  // with parallel: the last sublayer reads the output of the others (Falcon-H1)
  std::string_view output_scale = {};  // the name of an optional tensor that multiplies the layer's output: one number, or D
  std::string_view input_share = {};   // the name of a tensor, one number: this multiple of the stack's input is added at the end
  std::optional<std::size_t> block = {};  // its number in the file, which layers may share (arXiv:1807.03819); absent: its index
  bool begins_turn = false;               // whether the layer reads the sum of the two streams
  Turn ends_turn = Turn::none;            // the stream that the layer's output becomes
  std::string_view turn_norm = {};        // name of a norm of the layer's output, before layers repeat; its tensor is the stack's
};

/// The self-attention of a layer; nullptr if it has none.
inline const AttentionSpec* self_attention(const LayerSpec& layer) noexcept {
  for (const SublayerSpec& sublayer : layer.sublayers)
    if (const auto* spec = std::get_if<AttentionSpec>(&sublayer.block); spec && !spec->cross) return spec;
  return nullptr;
}

enum class PositionBiasKind : std::uint8_t {
  linear,    // ALiBi: minus the head's slope times the distance, arXiv:2108.12409
  relative,  // a learned number per head and bucket of distances, arXiv:1910.10683
};

struct PositionBiasSpec {
  PositionBiasKind kind = PositionBiasKind::linear;
  float steepest = 8;          // linear: slopes are 2^(-steepest h / heads)
  std::size_t buckets = 0;     // relative
  std::size_t furthest = 128;  // relative: all distances from here on share a bucket
};

/// Alternating updates, arXiv:2301.13310: several residual streams. Layers run on the first stream only; before a layer, all
/// streams are predicted, and after it they are corrected by the layer's change.
struct AltUpSpec {
  static constexpr std::size_t kMostStreams = 8;
  std::size_t streams = 0;
  NormSpec norm = {};
  /// A sublayer, if there is one, that reads the first stream after this correction and adds its result to all others.
  std::optional<SublayerSpec> others = {};
};

struct StackSpec {
  std::size_t width = 0;  // D
  NormSpec norm = {};
  std::optional<NormSpec> post_norm = {};  // the kind of the sublayers' post_norms, if it differs
  std::vector<LayerSpec> layers = {};
  float residual_scale = 1;                   // factor of each sublayer's addition
  std::optional<PositionBiasSpec> bias = {};  // added to the scores of self-attention
  std::size_t deep_rows = 0;                  // layers after which a part of a picture's row is added (arXiv:2406.04334)
  std::string_view unread = {};  // prefix of tensors of a layer that are not read, such as those for images alone; empty: none
  std::size_t drafts = 0;        // number of further blocks in the file that are not read, such as multi-token prediction
  std::optional<AltUpSpec> alt_up = {};
  std::string_view prefix = "";                 // beginning of all tensor names, such as "enc."
  std::string_view final_norm = "output_norm";  // empty: none
  bool final_norm_optional = false;             // applied only if the file has it
};

/// Whether a layer lets the rows of a tile attend to later ones, so that a tile must be read in one pass.
inline bool reads_whole_tiles(const StackSpec& stack) noexcept {
  return std::any_of(stack.layers.begin(), stack.layers.end(), [](const LayerSpec& layer) {
    const AttentionSpec* const attention = self_attention(layer);
    return attention && attention->whole_tiles;
  });
}

/// Whether images are positioned on several axes, where they take fewer positions than they have rows.
inline bool places_pictures(const StackSpec& stack) noexcept {
  return std::any_of(stack.layers.begin(), stack.layers.end(), [](const LayerSpec& layer) {
    const AttentionSpec* const attention = self_attention(layer);
    return attention && attention->rope && attention->rope->places_pictures();
  });
}

/// A matrix applied to pooled vectors.
struct ProjectionSpec {
  std::string_view name = {};  // of the tensor; empty: none
  std::size_t rows = 0;
  std::string_view key = "projection_dim";  // metadata key for the number of rows
};

}  // namespace heed::nn
