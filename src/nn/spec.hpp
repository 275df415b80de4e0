// The vocabulary in which a model family is described. A family is a value of these types (src/models), never code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/kernels.hpp"

namespace heed::nn {

enum class NormKind : std::uint8_t {
  rms,    // arXiv:1910.07467
  layer,  // arXiv:1607.06450, with a bias where the file has one
};

struct NormSpec {
  NormKind kind = NormKind::rms;
  float epsilon = 1e-5f;
};

/// Which two values of a head are rotated together: neighbours (2i, 2i + 1) as in the paper, or (i, i + dims / 2) as in
/// GPT-NeoX. Interleaved rows are put in the order of halves at load; forward knows halves only.
enum class RopePairing : std::uint8_t { interleaved, halves };

enum class RopeScaling : std::uint8_t {
  none,      // also Llama 3's, which files hold as one factor a frequency (tensor rope_freqs)
  linear,    // positions divided by `factor`, arXiv:2306.15595
  yarn,      // arXiv:2309.00071
  longrope,  // a factor a frequency, of which files have a short and a long set, arXiv:2402.13753
};

struct RopeSpec {  // arXiv:2104.09864
  RopePairing pairing = RopePairing::halves;
  std::size_t dims = 0;  // of each head; the rest is left as it is
  float theta = 10000.0f;
  RopeScaling scaling = RopeScaling::none;
  float factor = 1.0f;
  std::size_t original_context = 0;  // yarn, longrope: positions before the extension
  float fast_turns = 32, slow_turns = 1;  // yarn: a frequency stays that turns as often within those, or is scaled
  float magnitude = 1.0f;            // multiplies cosine and sine

  bool operator==(const RopeSpec&) const = default;
};

enum class Mask : std::uint8_t {
  causal,  // a query sees its own position and those before
  none,    // and those after
};

/// A norm of queries and of keys, before they are rotated or after: over each head with one weight for all
/// (arXiv:2010.04245), over each head with weights of its own, or over all heads together.
enum class QkNormSpan : std::uint8_t { head, each_head, all_heads };

struct QkNormSpec {
  QkNormSpan span = QkNormSpan::head;
  NormSpec norm = {};
  bool optional = false;  // applied where the file has the weights
  bool after_rope = false;
};

struct AttentionSpec {  // arXiv:1706.03762; grouped queries arXiv:2305.13245, of which MHA and MQA are the ends
  std::size_t heads = 0, kv_heads = 0;
  std::size_t key_dim = 0, value_dim = 0;  // of a head
  float scale = 0;                         // of the scores
  Mask mask = Mask::causal;
  std::size_t window = 0;                  // a query sees itself and the window - 1 positions before; 0: all before
  float softcap = 0;                       // bounds the scores, arXiv:2408.00118; 0: none
  std::optional<RopeSpec> rope = {};
  std::optional<QkNormSpec> qk_norm = {};
  bool gated = false;                      // what a head mixes is multiplied by the logistic function of a gate
                                           // (arXiv:2505.06708); NAME_q has a head's query, then its gate
  float temperature = 0;                   // queries at p are multiplied by 1 + temperature ln(floor(p / period) + 1)
  std::size_t temperature_period = 1;      // (arXiv:2501.19399)
  bool biased = false;                     // q, k, v and output have biases; where false they may
  bool sinks = false;                      // a learned score a head that takes its share of the softmax, arXiv:2309.17453
  bool cross = false;                      // keys and values come from the encoder
  std::string_view name = "attn";          // of the tensors: NAME_q, NAME_k, NAME_v, NAME_qkv, ...
  std::string_view output = "output";      // NAME_OUTPUT
};

/// Multi-head latent attention, arXiv:2405.04434: keys and values of all heads come from one short vector a position.
struct LatentAttentionSpec {
  std::size_t heads = 0;
  std::size_t query_rank = 0;    // 0: queries come straight from the input
  std::size_t latent_dim = 0;    // of keys and values together
  std::size_t plain_dim = 0;     // of a head's key, without its rotated part
  std::size_t value_dim = 0;     // of a head
  float scale = 0;
  RopeSpec rope = {};                 // of the part that is rotated, one for all heads
  NormSpec norm = {};
  bool absorbed = false;         // attends over the latent vectors themselves: the cache keeps only those
};

/// A gated causal convolution over a few positions, arXiv:2511.23404: out(c * conv(b * x)).
struct ShortConvolutionSpec {
  std::size_t taps = 0;
};

/// Attention by a state that decays and is corrected by the delta rule, arXiv:2412.06464. Queries, keys and values go through a
/// short convolution; a gate multiplies what comes out.
struct GatedDeltaNetSpec {
  std::size_t taps = 0;                     // of the convolution
  std::size_t key_heads = 0, heads = 0;     // of queries and keys; of values
  std::size_t key_dim = 0, value_dim = 0;   // of a head
  bool tiled = false;                       // head h reads key head h mod key_heads; otherwise neighbours share one
  NormSpec norm = {};                       // of keys and queries, and of each head's output
};

/// Mamba 2, arXiv:2405.21060: attention by a state that decays, after a short convolution.
struct Mamba2Spec {
  std::size_t taps = 0;                   // of the convolution
  std::size_t heads = 0, head_dim = 0;
  std::size_t groups = 0;                 // of neighbouring heads that share B and C
  std::size_t state = 0;                  // values of B and of C
  NormSpec norm = {};                     // of each group's output, where the file has weights for it
};

struct MlpSpec {
  std::size_t feed_forward = 0;  // F
  kernels::Activation activation = kernels::Activation::silu;
  bool gated = true;             // down(f(gate(x)) * up(x)), arXiv:2002.05202; otherwise down(f(up(x)))
  bool biased = false;
  std::optional<kernels::Activation> without_gate = {};  // where the file has no gate, it is not gated, and this is f
  std::optional<kernels::Xielu> xielu = {};              // is f where there is no gate
};

enum class Gating : std::uint8_t { softmax, sigmoid, softmax_of_chosen };

/// A mixture of experts, arXiv:1701.06538: the sum of the MLPs that a router chooses for each token.
struct ExpertsSpec {
  static constexpr std::size_t kMostUsed = 64, kMostGroups = 64;
  MlpSpec expert = {};
  std::size_t count = 0, used = 0;
  Gating gating = Gating::softmax;
  bool normalised = true;          // weights of the chosen sum to 1
  float scale = 1;                 // of the weights
  bool selection_bias = false;     // added where experts are chosen, not where they are weighed, arXiv:2408.15664
  std::size_t groups = 1, groups_used = 1;  // only the best groups of experts are chosen from, arXiv:2412.19437
  std::size_t latent = 0;          // width that the chosen work in, between ffn_latent_down and ffn_latent_up; 0: D
  std::size_t shared = 0;          // F of an MLP that every token goes through, arXiv:2401.06066; 0: none
  bool shared_gate = false;        // which is weighed by a logistic function of the input
  bool routed_early = false;       // by what the layer was given, before its attention and any norm (arXiv:2507.20984)
};

/// x = residual_norm(x + post_norm(mix(pre_norm(x)))). A norm is named as its tensor is; one without a name is absent.
struct SublayerSpec {
  using Mix = std::variant<AttentionSpec, LatentAttentionSpec, ShortConvolutionSpec, GatedDeltaNetSpec, Mamba2Spec, MlpSpec,
                           ExpertsSpec>;
  std::string_view pre_norm = {}, post_norm = {}, residual_norm = {};
  Mix mix = {};
};

/// Two or three, without memory of their own: specs are copied as bytes.
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

struct LayerSpec {
  Sublayers sublayers = {};  // of which one at most attends to positions, one to a state, and one to an encoder's output
  bool parallel = false;  // all sublayers read what the layer was given (GPT-J); otherwise each reads the one before
  bool serial_last = false;  // of parallel ones: the last reads what all of these leave (Falcon-H1)
};

enum class PositionBiasKind : std::uint8_t {
  linear,    // ALiBi: minus a head's slope times the distance, arXiv:2108.12409
  relative,  // a learned number for each head and bucket of distances, arXiv:1910.10683
};

struct PositionBiasSpec {
  PositionBiasKind kind = PositionBiasKind::linear;
  float steepest = 8;         // linear: slopes are 2^(-steepest h / heads)
  std::size_t buckets = 0;    // relative
  std::size_t furthest = 128; // relative: distances from here on share a bucket
};

struct StackSpec {
  std::size_t width = 0;              // D
  NormSpec norm = {};
  std::vector<LayerSpec> layers = {};
  float residual_scale = 1;           // of what a sublayer adds
  std::optional<PositionBiasSpec> bias = {};  // of the scores of self-attention
  std::size_t drafts = 0;             // blocks after these layers, which guess further tokens, and are not read
  std::string_view prefix = "";       // of all tensors' names: "enc."
  std::string_view final_norm = "output_norm";  // empty: none
};

enum class Positions : std::uint8_t {
  none,        // or in the attention
  learned,     // a table, which bounds the context
  sinusoidal,  // arXiv:1706.03762, section 3.5
};

struct EmbeddingSpec {
  std::size_t vocabulary = 0;  // V
  std::size_t width = 0;       // D
  std::size_t context = 0;     // positions that the model was trained for
  Positions positions = Positions::none;
  float scale = 1;             // of the token's row
  bool types = false;          // row 0 of a table of token types is added, arXiv:1810.04805
  std::string_view norm = {};       // of the sum; the tensor's name, or empty
};

struct HeadSpec {
  float scale = 1;    // of the logits
  float softcap = 0;  // bounds them; 0: none
};

struct DecoderSpec {
  EmbeddingSpec embedding = {};
  StackSpec stack = {};
  HeadSpec head = {};
};

/// Pooling of an encoder's output to one vector.
enum class Pooling : std::uint8_t { none, mean, cls, last };

/// A matrix that pooled vectors go through.
struct ProjectionSpec {
  std::string_view name = {};  // of the tensor; empty: none
  std::size_t rows = 0;
};

struct EncoderSpec {
  EmbeddingSpec embedding = {};
  StackSpec stack = {};
  Pooling pooling = Pooling::mean;  // what the file asks for
  ProjectionSpec projection = {};
  std::size_t scores = 0;           // that a head gives a pair of texts (arXiv:1901.04085); 0: there is none
};

/// How an image becomes tokens: it is cut into square patches, and each is one (arXiv:2010.11929).
struct PatchSpec {
  std::size_t image = 0, patch = 0;   // pixels a side
  float mean[3] = {}, deviation[3] = {1, 1, 1};  // of red, green and blue as the model knows them, from 0 to 1
  bool biased = false;
  bool crop = false;                  // keeps the shape of an image and cuts off what is too long; otherwise squeezes it
  std::string_view norm = {};         // of the embedded patches; the tensor's name, or empty

  std::size_t side() const noexcept { return image / patch; }
  std::size_t tokens() const noexcept { return 1 + side() * side(); }  // the class token comes first
};

struct VisionSpec {
  PatchSpec patches = {};
  StackSpec stack = {};
  ProjectionSpec projection = {};
  std::size_t classes = 0;            // rows of a classifier, PREFIXhead; 0: none
};

/// What a file holds: a decoder, an encoder, an encoder with a decoder that attends to it, or one for images.
struct ModelSpec {
  std::optional<EncoderSpec> encoder = {};
  std::optional<DecoderSpec> decoder = {};
  std::optional<VisionSpec> vision = {};
  std::int32_t decoder_start = 0;   // the token that a decoder with an encoder begins with
};

}  // namespace heed::nn
