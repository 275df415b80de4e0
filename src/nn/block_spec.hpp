// The types that describe blocks: what a sublayer computes, its norms, its positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "kernels/kernels.hpp"

namespace heed::nn {

enum class NormKind : std::uint8_t {
  rms,    // arXiv:1910.07467, with a bias if the file has one
  layer,  // arXiv:1607.06450, with a bias if the file has one
};

struct NormSpec {
  NormKind kind = NormKind::rms;
  float epsilon = 1e-5f;
  bool weighted = true;    // false: neither weights nor biases, and no tensor
  std::size_t groups = 1;  // groups of adjacent values, each normalized separately
};

/// Which two values of a head are rotated together: neighbors (2i, 2i + 1) as in the paper, (i, i + dims / 2) as in GPT-NeoX, or
/// (i, i + dims / 4) within each half. Other orders are converted to halves at load; the forward pass handles halves only.
enum class RopePairing : std::uint8_t { interleaved, halves, quarters };

/// What determines the rotation angle of each pair: the token's position, or one of its coordinates in a picture.
enum class RopeAxes : std::uint8_t {
  position,
  rows_columns,  // the first half of the pairs turns by the row, the second by the column, with the same frequencies
  columns_rows,
  alternating,  // as rows_columns, but rows have the even frequencies of the head, and columns the odd ones (arXiv:2410.07073)
  // The last two are for text with pictures. Each pair keeps its frequency of plain RoPE, and turns by one axis: time, row, column
  // or a fourth one.
  consecutive,  // one section of the pairs per axis (arXiv:2409.12191)
  interleaved,  // time, row and column in turn, while each has pairs left; then the fourth axis (arXiv:2511.21631)
};

enum class RopeScaling : std::uint8_t {
  none,      // no formula; Llama 3's scaling is in the file, as one factor per frequency (tensor rope_freqs)
  linear,    // positions divided by `factor`, arXiv:2306.15595
  yarn,      // arXiv:2309.00071
  longrope,  // one factor per frequency; files have a short and a long set, arXiv:2402.13753
};

struct RopeSpec {  // arXiv:2104.09864
  RopePairing pairing = RopePairing::halves;
  std::size_t dims = 0;  // rotated values of each head; the rest is unchanged
  float theta = 10000.0f;
  RopeScaling scaling = RopeScaling::none;
  float factor = 1.0f;
  std::size_t original_context = 0;       // yarn, longrope: positions before the extension
  float fast_turns = 32, slow_turns = 1;  // yarn: frequencies with more than fast_turns turns within original_context are kept,
                                          // those with fewer than slow_turns are scaled
  float magnitude = 1.0f;                 // multiplies cosine and sine
  bool divided = true;                    // divide frequencies by the file's rope_freqs, if it has them
  RopeAxes axes = RopeAxes::position;
  std::size_t sections[4] = {};  // consecutive, interleaved: number of pairs of each axis
  bool turns_last = true;        // consecutive: whether the pairs of the fourth section are rotated

  /// Whether the rows of a picture get coordinates on several axes.
  bool places_pictures() const noexcept { return axes == RopeAxes::consecutive || axes == RopeAxes::interleaved; }
  bool operator==(const RopeSpec&) const = default;
};

enum class Mask : std::uint8_t {
  causal,   // a query attends to its own position and earlier ones
  earlier,  // a query attends only to earlier positions, whose keys and values are in the cache already
  none,     // a query attends to all positions, including later ones
  group,    // a query attends to the positions of its group (Segment::groups)
};

/// What a norm of queries and keys spans: each head, with the same weights for all (arXiv:2010.04245); each head with its own
/// weights; all heads together; or each head without weights, times one factor per query head (head_factor).
enum class QkNormSpan : std::uint8_t { head, each_head, all_heads, head_factor };

struct QkNormSpec {  // a LayerNorm has a bias if the file has one
  QkNormSpan span = QkNormSpan::head;
  NormSpec norm = {};
  bool optional = false;  // applied only if the file has the weights
  bool after_rope = false;
};

/// The activation function of a gate that multiplies a head's output; softplus2 is log2(1 + 2^x).
enum class GateCurve : std::uint8_t { sigmoid, softplus, softplus2 };

/// How a router's logits become weights of experts.
enum class Gating : std::uint8_t { softmax, sigmoid, softmax_of_chosen };

/// Values from experts: the weighted sum of silu(W x) over the experts that a router chooses for each token.
struct ValueExpertsSpec {
  std::size_t count = 0, used = 0;
  Gating gating = Gating::softmax;
  bool normalized = true;  // this and `scale`: as in ExpertsSpec
  float scale = 1;
};

struct AttentionSpec {  // arXiv:1706.03762; grouped queries arXiv:2305.13245, with MHA and MQA as the extremes
  std::size_t heads = 0, kv_heads = 0;
  std::size_t key_dim = 0, value_dim = 0;  // of a head
  float scale = 0;                         // factor of the scores
  Mask mask = Mask::causal;
  std::size_t window = 0;    // a query attends to itself and the window - 1 positions before or, without a mask,
                             // to positions up to window / 2 away on either side; 0: all
  bool chunked = false;      // with Mask::causal: a query attends only within its chunk, positions [i window, (i + 1) window)
  bool whole_tiles = false;  // with Mask::causal: a row of a picture's tile attends to the tile's later rows, too
  float softcap = 0;         // scores become softcap * tanh(score / softcap), arXiv:2408.00118; 0: they stay
  std::optional<RopeSpec> rope = {};
  std::optional<QkNormSpec> qk_norm = {};
  bool gated = false;          // a head's output is multiplied by the logistic function of a gate
                               // (arXiv:2505.06708); NAME_q has each head's query, then its gate
  bool own_gate = false;       // if gated: gates come from a matrix NAME_gate, with a row per head, or per value of a head
  bool gate_optional = false;  // gated only if the file has NAME_gate
  GateCurve gate_curve = GateCurve::sigmoid;
  float temperature = 0;                    // queries at position p are scaled by 1 + temperature ln(floor(p / period) + 1)
  std::size_t temperature_period = 1;       // (arXiv:2501.19399)
  std::size_t temperature_offset = 0;       // added to the position p in this formula
  float clamp = 0;                          // queries, keys and values are clamped to [-clamp, clamp] before any norm; 0: none
  std::optional<NormSpec> sub_norm = {};    // norm of all heads' outputs together, before the output matrix: NAME_sub_norm
  std::optional<NormSpec> value_norm = {};  // of each head's value, without a weight
  bool keys_as_values = false;              // if the file has no NAME_v, values are the keys before their norm and rotation
  std::optional<std::size_t> keys_of = {};  // an earlier layer whose keys and values this layer uses instead of its own:
                                            // arXiv:2405.12981
  std::optional<ValueExpertsSpec> value_experts = {};  // NAME_v_gate and NAME_v_exps replace NAME_v
  bool biased = false;                                 // q, k, v and output must have biases; if false, they may
  bool sinks = false;                                  // a learned score per head in the softmax, without a value, arXiv:2309.17453
  bool sinks_optional = false;                         // sinks are used only if the file has them
  bool cross = false;                                  // keys and values come from the encoder
  std::size_t input = 0;                               // width of the input of queries, keys and values, if it is not D
  std::string_view name = "attn";                      // prefix of the tensors: NAME_q, NAME_k, NAME_v, NAME_qkv, ...
  std::string_view output = "output";                  // NAME_OUTPUT
};

/// Multi-head latent attention, arXiv:2405.04434: keys and values of all heads come from one short vector per position.
struct LatentAttentionSpec {
  std::size_t heads = 0;
  std::size_t query_rank = 0;  // 0: queries come directly from the input
  std::size_t latent_dim = 0;  // length of the vector that keys and values come from
  std::size_t plain_dim = 0;   // length of a head's key without its rotated part
  std::size_t value_dim = 0;   // of a head
  float scale = 0;
  RopeSpec rope = {};  // for the rotated part of a key, which all heads share
  NormSpec norm = {};
  bool rotates = true;    // false: the key's part for `rope` is not rotated either
  bool absorbed = false;  // heads attend over the latent vectors themselves; only these are cached
};

/// A gated short causal convolution, arXiv:2511.23404: out(c * conv(b * x)).
struct ShortConvolutionSpec {
  std::size_t taps = 0;
};

/// Linear attention with a decaying state updated by the delta rule, arXiv:2412.06464. Queries, keys and values go through a
/// short convolution; a gate multiplies the output.
struct GatedDeltaNetSpec {
  std::size_t taps = 0;                    // of the convolution
  std::size_t key_heads = 0, heads = 0;    // heads of queries and keys; heads of values
  std::size_t key_dim = 0, value_dim = 0;  // of a head
  bool tiled = false;                      // value head h uses key head h mod key_heads; otherwise adjacent value heads share one
  NormSpec norm = {};                      // of keys and queries, and of each head's output
};

/// Mamba 2, arXiv:2405.21060: a state space model, whose input passes a short convolution first.
struct Mamba2Spec {
  std::size_t taps = 0;  // of the convolution
  std::size_t heads = 0, head_dim = 0;
  std::size_t groups = 0;  // number of groups of adjacent heads; each group shares B and C
  std::size_t state = 0;   // size of B and of C
  NormSpec norm = {};      // norm of each group's output, applied if the file has weights for it
};

struct MlpSpec {
  std::size_t feed_forward = 0;  // F
  kernels::Activation activation = kernels::Activation::silu;
  bool gated = true;  // down(f(gate(x)) * up(x)), arXiv:2002.05202; otherwise down(f(up(x)))
  bool biased = false;
  std::optional<float> cutoff = {};  // for sparse gates: subtract the row's mean and this many standard deviations, clamp at 0:
                                     // arXiv:2506.06644
  std::optional<kernels::Activation> without_gate = {};  // the activation f if the file has no gate; the MLP is then not gated
  std::optional<kernels::Xielu> xielu = {};              // not gated: the activation f, with its parameters
  float limit = 0;                        // with a gate: f(gate) is at most this, and up lies between -limit and limit; 0: none
  bool limits_first = false;              // the limit bounds the gate before f, not f(gate)
  std::optional<NormSpec> sub_norm = {};  // norm of the down matrix's input: ffn_sub_norm
  bool shrinks = false;           // the down matrix's input is divided by ffn.act.scales, if present (AWQ, arXiv:2306.00978)
  bool may_be_exchanged = false;  // some files call the first matrix ffn_down and the second ffn_up
};

/// A mixture of experts, arXiv:1701.06538: the weighted sum of the MLPs that a router chooses for each token.
struct ExpertsSpec {
  static constexpr std::size_t kMostUsed = 64, kMostGroups = 64;
  MlpSpec expert = {};
  std::size_t count = 0, used = 0;
  Gating gating = Gating::softmax;
  bool normalized = true;                     // the weights of the chosen experts sum to 1
  float scale = 1;                            // factor of the experts' weights
  bool selection_bias = false;                // added for choosing experts, not for weighting them, arXiv:2408.15664
  std::size_t groups = 1, groups_used = 1;    // experts are chosen only from the best groups, arXiv:2412.19437
  std::size_t latent = 0;                     // width of the chosen experts, between ffn_latent_down and ffn_latent_up; 0: D
  std::size_t shared = 0;                     // F of a shared expert, which every token uses, arXiv:2401.06066; 0: none
  float shared_limit = 0;                     // limit of the shared expert's activation, as in MlpSpec
  bool shared_gate = false;                   // the shared expert is weighted by a logistic function of the input
  bool routed_early = false;                  // routed by the layer's input, before its attention and any norm (arXiv:2507.20984)
  std::string_view shared_suffix = "_shexp";  // of the shared expert's tensor names
  std::string_view shared_pre_norm = {}, shared_post_norm = {};  // of the shared expert's input and output
  std::string_view chosen_pre_norm = {}, chosen_post_norm = {};  // of the chosen experts' input and summed output
  std::size_t dense = 0;  // F of the plain MLP in layers for which the file has no router; 0: every layer has experts
  std::size_t chunk_size =
      0;  // this many experts share a chunk, an MLP that reads the sum of the experts' outputs (arXiv:2508.07785); 0: none
  std::size_t chunk_feed_forward = 0;
  float chunk_scale = 1;
  bool weighs_input = false;   // weights multiply the chosen experts' inputs, not their outputs
  bool normed_router = false;  // the router's input is normed and multiplied by ffn_gate_inp.scale / sqrt(D)
  NormSpec norm = {};          // the kind of all these norms
};

/// A per-layer input for each token beside the residual stream (per-layer embeddings, Gemma 3n):
/// proj(f(inp_gate(x)) * input); the input comes from PerLayerEmbeddingSpec.
struct PerLayerInputSpec {
  std::size_t width = 0;
  kernels::Activation activation = kernels::Activation::gelu_tanh;
};

/// h + norm(right(left(h))) with a short vector between left and right: a low-rank path beside attention, arXiv:2411.07501.
struct LaurelSpec {
  std::size_t rank = 0;
  NormSpec norm = {};
};

/// Mamba, arXiv:2312.00752: a state space model for each channel, whose input passes a short convolution first.
struct MambaSpec {
  static constexpr std::size_t kMostState = 1024;
  std::size_t taps = 0;  // of the convolution
  std::size_t heads = 0, head_dim = 1;
  std::size_t state = 0;  // values of a channel's state; size of B and of C
  std::size_t rank = 0;   // rank of the projection to time steps
  NormSpec norm = {};     // norm of time steps, B and C, applied if the file has weights for it
  bool normed = false;    // applied even if the file has no weights for it
  bool one_rate = false;  // all values of a head's state decay at one rate; otherwise each decays at its own
  bool by_head = false;   // the input matrix has each head's gate, then its channels; and B and C come before the time steps
};

/// The time mix of RWKV 6 (arXiv:2404.05892) and 7 (arXiv:2503.14456).
struct RwkvTimeMixSpec {
  static constexpr std::size_t kMostHead = 512;
  int version = 7;
  std::size_t head_dim = 0;
  std::size_t mix_rank = 0;  // RWKV 6: rank of the matrices that compute how much of the previous token is mixed in
  std::size_t decay_rank = 0, rate_rank = 0, value_rank = 0, gate_rank = 0;  // of the other matrices; gate_rank 0: no gate
  bool first = false;            // the layer whose values later layers mix into their own (arXiv:2410.17897)
  std::size_t state_offset = 0;  // where its part of the layer's state begins, in floats; the channel mix's part comes first
};

struct RwkvChannelMixSpec {
  std::size_t feed_forward = 0;  // F
  bool receptance = false;
};

/// Kimi Delta Attention, arXiv:2510.26692: the delta rule with a decay for each channel of keys.
struct KimiDeltaSpec {
  static constexpr std::size_t kMostDim = 512;
  std::size_t taps = 0;  // of the convolutions
  std::size_t heads = 0, dim = 0;
  NormSpec norm = {};  // norm of each head's output
};

/// A matrix that replaces attention, attn_output (Puzzle, arXiv:2411.19146).
struct MatrixSpec {};

/// The block of a sublayer. nn/blocks.cpp maps each spec to its class.
using BlockSpec =
    std::variant<AttentionSpec, LatentAttentionSpec, ShortConvolutionSpec, GatedDeltaNetSpec, Mamba2Spec, MlpSpec, ExpertsSpec,
                 PerLayerInputSpec, LaurelSpec, MatrixSpec, MambaSpec, RwkvTimeMixSpec, RwkvChannelMixSpec, KimiDeltaSpec>;

}  // namespace heed::nn
