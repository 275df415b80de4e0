// The interface of the kernels: a table of functions, which every target implements with the same results, bit for bit. T: tokens;
// K: the inner dimension of a product; P: rows of a weight panel; N: any length.
//
// The bits are the same because rows of a product are summed along k in order, one lane per row; other reductions have 16 virtual
// lanes and one tree; integer dot products are exact; f32 operations are multiply and add, never fused; exp and related functions
// are our own polynomials.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernels/kv_layout.hpp"
#include "tensor/dtype.hpp"

namespace heed::kernels {

/// The number of vectors of rows in a weight panel.
inline constexpr std::size_t kPanelVectors = 2;

/// A weight matrix in the layout of a target: panels of P rows, interleaved along k, of panel_bytes each. Rows beyond `rows` in the
/// last panel are zero.
struct PackedMatrix {
  DType dtype = DType::f32;
  std::size_t rows = 0, columns = 0;
  std::size_t panel_bytes = 0;
  std::byte* data = nullptr;
};

/// The activations of a product, T x K. Products with float weights read `values`, those with quantized weights `quantized`.
struct MatmulInput {
  std::size_t tokens = 0, columns = 0;
  const float* values = nullptr;          // T x K
  const std::byte* quantized = nullptr;   // quantized_bytes(T, K)
  const std::int16_t* widened = nullptr;  // T x K, for products that read it: see Kernels::reads_widened
};

/// Quantized activations. Tokens are interleaved in groups of kTokenGroup, the remaining ones in groups of one, so that a product
/// reads contiguous memory. For each block of 32 k, a group of n tokens has
///   int8   codes[8][n][4]  round(value / scale), ties to even: four k of each token in turn
///   float  scales[n]       the largest magnitude of the 32 values / 127
///   int32  halves[n]       minus the sum of the first 16 codes
///   int32  sums[n]         minus the sum of all 32
/// Targets whose products take pairs of 16-bit numbers read codes widened to 16 bits, once for all panels. For each four k:
///   int16  even[n][2], odd[n][2]  codes 0 and 2, and codes 1 and 3, of each token
/// A group of one token has odd[i] - 256 * even[i] in place of odd[i]. A 16-bit lane holds two weights as low + 256 * high, so that
///   low * even + high * odd = lane * even + high * (odd - 256 * even)
inline constexpr std::size_t kTokenGroup = 4;

constexpr std::size_t quantized_bytes(std::size_t tokens, std::size_t columns) noexcept {
  return tokens * (columns / 32 * (32 + 4 + 4 + 4));
}

/// Bytes of scratch in which a product expands the codes of a panel to bytes: enough for any target.
constexpr std::size_t matmul_scratch(std::size_t columns) noexcept { return kPanelVectors * kWide * columns; }

/// The number of tokens up to which a product can read each weight only once, two panels at a time: see Kernels::matvec.
inline constexpr std::size_t kFewTokens = 4 * kTokenGroup;
/// Whether a product reads each weight only once. From one group of tokens on, this is slower if panels are short: in WebAssembly,
/// panel after panel took 0.66 and 0.87 of the time for 4 and 8 tokens of a 135M model in Q8_0 (panels of 5 KB), and 0.91 and 0.98
/// for a 0.6B model in Q4_K (4.6 KB); but 1.40 and 1.15 for a 1.1B model in Q4_0 (9 KB).
constexpr bool reads_once(const PackedMatrix& w, std::size_t tokens) noexcept {
  constexpr std::size_t kLongPanel = 8192;
  return tokens < kTokenGroup || (tokens <= kFewTokens && w.panel_bytes >= kLongPanel);
}
/// The number of pairs of panels; the last panel may be alone.
constexpr std::size_t panel_pairs(std::size_t panels) noexcept { return (panels + 1) / 2; }

/// The number of tokens in the group to which token t belongs, among `tokens`.
constexpr std::size_t group_size(std::size_t t, std::size_t tokens) noexcept {
  return t < tokens / kTokenGroup * kTokenGroup ? kTokenGroup : 1;
}

/// Attention over some of the positions, for online softmax.
struct AttentionPartial {
  float top = 0;           // the largest score
  float sum = 0;           // of exp(score - top); 0: no position yet
  float* mixed = nullptr;  // padded(value_dim): the sum of exp(score - top) * value
};

struct AttentionQuery {
  const float* query = nullptr;    // key_dim
  std::size_t begin = 0, end = 0;  // attends to positions [begin, end)
  float* weights = nullptr;        // receives the softmax weights of positions [0, end), unless nullptr
  const float* bias = nullptr;     // added to the score of position p: bias[p], readable up to padded(end); or nullptr
  const float* sink = nullptr;     // a score without a value that is part of the softmax, or nullptr
  AttentionPartial partial;
};

/// Scaled dot-product attention of some queries of one kv head (arXiv:1706.03762). Tiles of kQueryTile share each read of keys and
/// values. For types with blocks, a call takes several tiles, which share the expansion of codes.
inline constexpr std::size_t kQueryTile = 4, kMostQueries = 4 * kQueryTile;
constexpr std::size_t most_queries(KvType type) noexcept { return has_blocks(type) ? kMostQueries : kQueryTile; }

struct AttentionArgs {
  KvHead kv;
  float scale = 1;    // factor of the scores, before softmax
  float softcap = 0;  // scaled scores become softcap * tanh(score / softcap); 0 leaves them
  AttentionQuery* queries = nullptr;
  std::size_t count = 0;     // 1 to most_queries(kv.type)
  float* scratch = nullptr;  // attention_scratch(key_dim, value_dim)
};

/// Room for rotated queries, their codes, and expanded codes of keys or values (generic/block_attention.hpp).
constexpr std::size_t attention_scratch(std::size_t key_dim, std::size_t value_dim) noexcept {
  return kMostQueries * (2 * padded(key_dim) + padded(value_dim)) + kWide * kValueBlock / sizeof(float);
}

/// Linear attention with a state M (rows x columns), which each token updates: M = decay M + k^T d, then y = q M. Without the delta
/// rule, d = beta v; with it, d = beta (v - decay k M). The columns are independent: a call computes up to kWide of them, and a
/// state is stored as consecutive strips of rows x kWide.
struct LinearAttentionArgs {
  float* state = nullptr;             // rows x kWide
  std::size_t rows = 0, columns = 0;  // 1 to kWide columns; the others stay zero
  bool delta = false;
  std::size_t tokens = 0;          // number of consecutive tokens
  const float* queries = nullptr;  // rows, of the first token; the next are at a distance of key_stride floats
  const float* keys = nullptr;
  std::size_t key_stride = 0;
  const float* values = nullptr;  // columns
  std::size_t value_stride = 0;
  const float* decays = nullptr;  // one per token, like `betas`
  const float* betas = nullptr;
  std::size_t gate_stride = 0;
  float* out = nullptr;  // columns
  std::size_t out_stride = 0;
};

/// The number of floats of a state.
constexpr std::size_t linear_attention_state(std::size_t rows, std::size_t columns) noexcept { return rows * padded(columns); }

enum class Activation : std::uint8_t {
  relu,
  relu_squared,  // arXiv:2109.08668
  silu,
  gelu,        // x times the normal distribution function, arXiv:1606.08415
  gelu_tanh,   // gelu, approximated by tanh
  gelu_quick,  // gelu, approximated by the logistic function: x / (1 + e^(-1.702 x))
  sigmoid,     // 1 / (1 + e^-x)
  swiglu_oai,  // gpt-oss: gate and up are clamped to 7, gate / (1 + e^(-1.702 gate)) * (up + 1); needs `up`
};

/// xIELU, arXiv:2411.13010: f(x) = positive x^2 + linear x where x > 0, and negative (e^x - 1 - x) + linear x elsewhere.
struct Xielu {
  float positive = 0, negative = 0, linear = 0;
};

struct Kernels {
  std::string_view name;
  std::size_t panel_rows;  // P

  /// Bytes of one panel of a matrix with `columns` columns.
  std::size_t (*panel_bytes)(DType dtype, std::size_t columns) noexcept;
  /// Packs one row from the form in the file.
  void (*pack_row)(const PackedMatrix& w, std::size_t row, const std::byte* stored) noexcept;
  /// The exact values of one row: out[columns].
  void (*unpack_row)(const PackedMatrix& w, std::size_t row, float* out) noexcept;

  /// Quantizes one token from x.values to x.quantized, which must be `out`. Requires columns to be a multiple of 32.
  void (*quantize)(const MatmulInput& x, std::size_t token, std::byte* out) noexcept;
  /// Widens the codes of the group that begins with `token` from x.quantized to x.widened, which must be `out`. nullptr if no
  /// product of this target reads them.
  void (*widen)(const MatmulInput& x, std::size_t token, std::int16_t* out) noexcept;
  /// Whether products with weights of this type read codes widened to 16 bits (MatmulInput::widened).
  bool (*reads_widened)(DType dtype) noexcept;
  /// y[t][row] = sum over k of w[row][k] * x[t][k] (+ bias[row]) for the rows of panels [begin, end); y has rows of
  /// y_stride floats. bias may be nullptr. scratch: matmul_scratch bytes.
  void (*matmul)(const PackedMatrix& w, const MatmulInput& x, const float* bias, std::size_t begin, std::size_t end, float* y,
                 std::size_t y_stride, std::byte* scratch) noexcept;
  /// As matmul, for one token or a few, and the pairs of panels [begin, end): pair i is panels i and i + panel_pairs(panels of w).
  void (*matvec)(const PackedMatrix& w, const MatmulInput& x, const float* bias, std::size_t begin, std::size_t end, float* y,
                 std::size_t y_stride, std::byte* scratch) noexcept;
  /// y[row] += factor * (sum over k of w[row][k] * x[k]) for the rows of pairs of panels [begin, end), as in matvec(). For float
  /// weights with few columns: the second factor of an adapter.
  void (*add_matvec)(const PackedMatrix& w, const MatmulInput& x, float factor, std::size_t begin, std::size_t end,
                     float* y) noexcept;

  /// y = x / sqrt(mean(x^2) + epsilon) * weight, arXiv:1910.07467. y may be x.
  void (*rms_norm)(const float* x, const float* weight, float epsilon, std::size_t n, float* y) noexcept;
  /// y = (x - mean) / sqrt(variance + epsilon) * weight + bias, arXiv:1607.06450. bias may be nullptr; y may be x.
  void (*layer_norm)(const float* x, const float* weight, const float* bias, float epsilon, std::size_t n, float* y) noexcept;
  /// Rotates the pairs (x[i], x[i + rotary/2]) of each head by the angles of one position, arXiv:2104.09864.
  /// x: heads x head_dim; cosines, sines: rotary / 2.
  void (*rope)(float* x, std::size_t heads, std::size_t head_dim, std::size_t rotary, const float* cosines,
               const float* sines) noexcept;

  /// Writes one head's key (key_dim) and value (value_dim) of a position. For types with blocks, the positions before must have
  /// been written, and no other thread may write this head.
  void (*store_kv)(const KvHead& kv, std::size_t position, const float* key, const float* value) noexcept;
  /// Reads a key and a value back, for types with blocks. Either may be nullptr.
  void (*read_kv)(const KvHead& kv, std::size_t position, float* key, float* value) noexcept;
  /// Copies the first `count` positions of a head's chunk to saved[kv_saved_bytes()], in an order that does not depend on the
  /// target, and back. load_kv returns false for bytes that store_kv never writes; the chunk must not be used then.
  void (*save_kv)(const KvHead& kv, std::size_t chunk, std::size_t count, std::byte* saved) noexcept;
  bool (*load_kv)(const KvHead& kv, std::size_t chunk, std::size_t count, const std::byte* saved) noexcept;
  /// Adds chunks [begin, end) to the partial of each query, and writes the scores of these positions to AttentionQuery::weights.
  void (*attention)(const AttentionArgs& args, std::size_t begin, std::size_t end) noexcept;
  /// Merges `from` into `into`, the partial of earlier positions. The bits of the result depend on the order of merging.
  void (*merge_attention)(const AttentionPartial& from, std::size_t value_dim, AttentionPartial& into) noexcept;
  /// Computes output[value_dim] from the partial of all positions that a query attends to, and converts the scores in
  /// AttentionQuery::weights to softmax weights.
  void (*finish_attention)(const AttentionQuery& query, const KvHead& kv, float* output) noexcept;

  /// Updates a state by each token in turn, and computes the token's output. Reads the state twice and writes it once per token; it
  /// stays in the L1 cache.
  void (*linear_attention)(const LinearAttentionArgs& args) noexcept;
  /// out[i] = bias[i] + the sum over taps of weights[tap][i] * inputs[tap][i], taps in order. bias may be nullptr.
  void (*convolve)(const float* const* inputs, const float* weights, const float* bias, std::size_t taps, std::size_t n,
                   float* out) noexcept;

  /// x = f(x), or f(x) * up where `up` is not nullptr (gated MLP, arXiv:2002.05202).
  void (*activate)(Activation f, float* x, const float* up, std::size_t n) noexcept;
  /// x = f(x)
  void (*xielu)(const Xielu& f, float* x, std::size_t n) noexcept;
  /// x += y
  void (*add)(float* x, const float* y, std::size_t n) noexcept;
  /// x += factor * y
  void (*add_scaled)(float* x, const float* y, float factor, std::size_t n) noexcept;
  /// x *= factor
  void (*scale)(float* x, float factor, std::size_t n) noexcept;
  /// x = cap * tanh(x / cap)
  void (*softcap)(float* x, float cap, std::size_t n) noexcept;
  /// x = softmax(x) in place.
  void (*softmax)(float* x, std::size_t n) noexcept;
};

/// Quantizes tokens [begin, end) of x into `quantized`, and widens their codes into `widened` unless it is nullptr. Both must be
/// the buffers of x. `begin` and `end` must be boundaries of groups.
inline void quantize_tokens(const Kernels& kernels, const MatmulInput& x, std::size_t begin, std::size_t end, std::byte* quantized,
                            std::int16_t* widened) noexcept {
  for (std::size_t t = begin; t < end; ++t) kernels.quantize(x, t, quantized);
  for (std::size_t t = begin; widened && t < end; t += group_size(t, x.tokens)) kernels.widen(x, t, widened);
}

/// Whether a product with weights of this type reads quantized activations.
constexpr bool takes_int8(DType dtype) noexcept { return dtype != DType::f32 && dtype != DType::f16 && dtype != DType::bf16; }

}  // namespace heed::kernels
