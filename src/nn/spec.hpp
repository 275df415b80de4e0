// The vocabulary in which a model family is described. A family is a value of DecoderSpec (src/models), never code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

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
  none,    // also Llama 3's, which files hold as one factor a frequency (tensor rope_freqs)
  linear,  // positions divided by `factor`, arXiv:2306.15595
  yarn,    // arXiv:2309.00071
};

struct RopeSpec {  // arXiv:2104.09864
  RopePairing pairing = RopePairing::halves;
  std::size_t dims = 0;  // of each head; the rest is left as it is
  float theta = 10000.0f;
  RopeScaling scaling = RopeScaling::none;
  float factor = 1.0f;
  std::size_t original_context = 0;  // yarn: positions before the extension
  float magnitude = 1.0f;            // multiplies cosine and sine
};

struct AttentionSpec {  // arXiv:1706.03762; grouped queries arXiv:2305.13245, of which MHA and MQA are the ends
  std::size_t heads = 0, kv_heads = 0, head_dim = 0;
  float scale = 0;                // of the scores
  std::optional<RopeSpec> rope;
  bool biased = false;            // q, k, v and output have biases; where false they may
};

struct MlpSpec {
  std::size_t feed_forward = 0;  // F
  kernels::Activation activation = kernels::Activation::silu;
  bool gated = true;             // down(f(gate(x)) * up(x)), arXiv:2002.05202; otherwise down(f(up(x)))
  bool biased = false;
};

/// A stack of pre-norm layers, attention then MLP, between an embedding and a head.
struct DecoderSpec {
  std::size_t width = 0;       // D
  std::size_t layers = 0;
  std::size_t vocabulary = 0;  // V
  std::size_t context = 0;     // positions that the model was trained for
  NormSpec norm;
  AttentionSpec attention;
  MlpSpec mlp;
  bool learned_positions = false;  // a table added to the embedding; bounds the context
};

}  // namespace heed::nn
