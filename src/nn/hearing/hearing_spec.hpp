// The types that describe an audio tower for a text model: from the frames of a sound to rows that the model reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "audio/features/feature_spec.hpp"
#include "nn/audio_spec.hpp"
#include "nn/vision_spec.hpp"

namespace heed::nn {

/// A convolution over frames and bands: 3 x 3 with stride 2 and zero padding (for `by_channel`, depthwise), or 1 x 1 (`pointwise`).
struct StemConvolution {
  enum class Kind : std::uint8_t { full, by_channel, pointwise };

  std::string_view name = {};
  Kind kind = Kind::full;
  bool normed = false;  // then LayerNorm over channels: NAME.norm
  std::optional<kernels::Activation> activation = {};
};

/// Convolutions, then a matrix that maps all bands and channels of a frame to a row.
struct StemSpec {
  std::vector<StemConvolution> convolutions = {};  // the first reads one channel; empty: the matrix reads frames
  bool time_last = false;                          // kernels are stored band by band; otherwise frame by frame
  bool band_first = false;                         // the matrix reads band by band; otherwise channel by channel
  std::size_t block = 0;                           // frames per block, each convolved separately; 0: one block
  std::string_view out = {};                       // the matrix
  std::string_view positions = {};                 // a table added to the rows of each block; or empty
};

/// How a row attends to others, by their distance.
enum class Distances : std::uint8_t {
  sinusoid,  // to all; (q + u) k + (q + v) P s(distance) (arXiv:1901.02860): pos_bias_u, pos_bias_v, linear_pos
  table,     // to its own chunk of `reach` rows; q k + q E(distance), one table for all heads: attn_rel_pos_emb
  recent,    // to itself and the reach - 1 rows before; q k + q P s(distance): attn_k_rel
};

/// A norm within the convolution of a conformer's layer.
enum class ChannelNorm : std::uint8_t {
  rms,     // RMSNorm of each row
  affine,  // only weight and bias
  batch,   // with mean and variance from the file, and weight and bias
};

/// The layers of a conformer (arXiv:2005.08100): half of an MLP, attention, a convolution over time, half of another MLP, a norm.
struct ConformerSpec {
  std::size_t width = 0, heads = 0, feed_forward = 0, layers = 0;
  NormSpec norm = {};
  Distances distances = Distances::sinusoid;
  std::size_t reach = 0;     // number of rows; not used by `sinusoid`
  std::size_t sinusoid = 0;  // length of s
  std::size_t furthest = 0;  // `table`: larger distances count as this one
  float query_scale = 1;     // times per_dim_scale, if the file has it; key_scale: times per_dim_k_scale
  float key_scale = 1;
  float softcap = 0;
  std::size_t taps = 0;  // of the convolution
  bool causal = false;   // the convolution reads no later rows; otherwise as many later rows as earlier ones
  ChannelNorm channel_norm = ChannelNorm::affine;
  std::string_view attention_norm = "ln1", convolution_norm = "norm_conv", inner_norm = "conv_norm";
  std::string_view attention_post_norm = {}, mlp_post_norm = {};
  std::size_t guesses_after = 0;       // after this many layers, x += a.enc_ctc_out_mid(softmax(a.enc_ctc_out x)); 0: never
  std::vector<std::size_t> kept = {};  // an output row begins with x as it is after each of these numbers of layers
};

/// Learned queries that attend to windows of rows (Q-Former, arXiv:2301.12597).
struct QueryFormerSpec {
  std::size_t window = 0, queries = 0, heads = 0, layers = 0;
};

struct HearingSpec {
  audio::FeatureSpec features = {};
  // One of these two, or none:
  std::optional<AudioSpec> whisper = {};  // a tower like Whisper's, with layers of its own
  std::optional<StemSpec> stem = {};
  // The layers after a stem:
  std::optional<StackSpec> stack = {};
  std::optional<ConformerSpec> conformer = {};
  std::optional<QueryFormerSpec> queries = {};

  ProjectorSpec projector = {};
  MarkerSpec markers = {};
  bool clamped = false;                       // as in VisionSpec
  std::vector<std::string_view> unread = {};  // tensors that are not read
};

}  // namespace heed::nn
