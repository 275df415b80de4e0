// The types that describe a model family. A family is a value of these types (src/models), never code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "nn/audio_spec.hpp"
#include "nn/hearing/hearing_spec.hpp"
#include "nn/stack_spec.hpp"
#include "nn/vision_spec.hpp"

namespace heed::nn {

enum class Positions : std::uint8_t {
  none,        // no embedding; attention may still encode positions
  learned,     // a table, which limits the context
  if_learned,  // a table if the file has one
  sinusoidal,  // arXiv:1706.03762, section 3.5
};

struct EmbeddingSpec {
  std::size_t vocabulary = 0;      // V
  std::size_t width = 0;           // D
  std::size_t context_length = 0;  // positions that the model was trained for
  Positions positions = Positions::none;
  float scale = 1;                         // factor of the token's row
  bool types = false;                      // add row 0 of the token type table, arXiv:1810.04805
  std::string_view norm = {};              // tensor of a norm of the embeddings' sum; empty: no norm
  std::optional<NormSpec> norm_kind = {};  // the kind of that norm, if it is not the stack's
};

/// One vector per token and layer, from a separate table and from the token's embedding.
struct PerLayerEmbeddingSpec {
  std::size_t width = 0;  // of a layer's vector; 0: none
  bool has_table = true;  // false: vectors come from the token's embedding alone
};

struct HeadSpec {
  float scale = 1;    // factor of the logits
  float softcap = 0;  // logits become softcap * tanh(logit / softcap); 0: they stay
};

struct DecoderSpec {
  EmbeddingSpec embedding = {};
  PerLayerEmbeddingSpec per_layer = {};
  StackSpec stack = {};
  HeadSpec head = {};
};

/// Pooling of an encoder's output to one vector.
enum class Pooling : std::uint8_t { none, mean, cls, last };

struct EncoderSpec {
  EmbeddingSpec embedding = {};
  StackSpec stack = {};
  PerLayerEmbeddingSpec per_layer = {};
  Pooling pooling = Pooling::mean;               // as specified by the file
  std::vector<ProjectionSpec> projections = {};  // applied in order
  std::size_t scores = 0;                        // outputs of the head for pairs of texts (arXiv:1901.04085); 0: no head
  std::optional<kernels::Activation> score_activation = {};  // activation of the layer before the scores; absent: tanh
  bool predicts = false;         // has a head: logits that depend on both sides of a position (masked diffusion, arXiv:2502.09992)
  bool predicts_next = false;    // a position's logits are for the token after it
  bool probabilities = false;    // apply softmax to the scores
  std::string_view unread = {};  // prefix of tensor names that are ignored; empty: none
};

/// EAGLE-3 (arXiv:2503.01840). The attention of its layer reads a token's embedding and a mixture of the inputs of several decoder
/// layers, concatenated: no matrix first combines the two into one vector.
struct EagleSpec {
  bool norms_features = false;  // the decoder's values are normed before they are mixed: enc.output_norm
  bool adds_normed = false;     // the layer's output is added to the normed mixture
};

/// Several tokens drafted by one pass of all layers, each predicted in the place of a mask token (arXiv:2602.06036).
struct DraftBlockSpec {
  std::size_t size = 0;   // includes the known token before the drafted ones
  std::int32_t mask = 0;  // the mask token
};

/// What drafts read from a decoder: the inputs of some of its layers.
struct FeaturesSpec {
  std::vector<std::size_t> layers = {};  // indices in the decoder; its number of layers stands for the output of the final norm
  std::size_t width = 0;                 // of the decoder

  /// The values of all these layers for a token.
  std::size_t all() const noexcept { return layers.size() * width; }
};

/// Heads that propose the tokens after the next one: each layer of the stack reads a token, and the row that the decoder or the
/// previous head computed for the position before it (arXiv:2404.19737, arXiv:2412.19437).
struct DraftSpec {
  EmbeddingSpec embedding = {};
  StackSpec stack = {};      // one layer per head, with its block number in the file
  bool hands_normed = true;  // heads read rows after the final norm; otherwise before it
  /// The width of the decoder's rows, if the whole stack is one head, which attends to the decoder's own keys and values (Gemma 4's
  /// assistant); otherwise 0.
  std::size_t assists = 0;
  std::optional<FeaturesSpec> features = {};  // for `eagle` and `block`
  std::optional<EagleSpec> eagle = {};
  std::optional<DraftBlockSpec> block = {};
};

/// The contents of a file: a decoder, an encoder, an encoder-decoder, a vision encoder, an audio tower with the decoder that
/// attends to it, or heads for another file's decoder.
struct ModelSpec {
  std::optional<EncoderSpec> encoder = {};
  std::optional<DecoderSpec> decoder = {};
  std::optional<VisionSpec> vision = {};
  std::optional<AudioSpec> audio = {};
  std::optional<HearingSpec> hearing = {};  // an audio tower for another file's decoder
  std::optional<DraftSpec> draft = {};      // heads beside the decoder, or alone
  std::int32_t decoder_start = 0;           // the first token of the decoder of an encoder-decoder
};

}  // namespace heed::nn
