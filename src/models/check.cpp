#include "models/check.hpp"

namespace heed::models {
namespace {

void check_embedding(const nn::EmbeddingSpec& spec, const Check& check) {
  check.within(spec.context, 1u << 26, "context_length");
  if (spec.vocabulary == 0 || spec.vocabulary > 1u << 24)
    throw Error(ErrorCode::invalid_file, "must have from 1 to 16777216 tokens", "tokenizer.ggml.tokens");
}

/// Numbers that a sequence keeps of no position, at most.
std::uint64_t state_of(const nn::SublayerSpec::Mix& mix, std::uint64_t width) {
  constexpr std::uint64_t kTaps = 63, kPadding = 15;
  if (std::holds_alternative<nn::ShortConvolutionSpec>(mix)) return kTaps * width;
  if (const auto* s = std::get_if<nn::GatedDeltaNetSpec>(&mix))
    return std::uint64_t{s->heads} * (s->key_dim + kTaps) * (s->value_dim + kPadding) + 2 * kTaps * s->key_heads * s->key_dim;
  if (const auto* s = std::get_if<nn::Mamba2Spec>(&mix))
    return std::uint64_t{s->heads} * (s->state + kTaps) * (s->head_dim + kPadding) + 2 * kTaps * s->groups * s->state;
  return 0;
}

void check_stack(const nn::StackSpec& spec, const Check& check) {
  check.within(spec.width, 1u << 17, "embedding_length");
  check.within(spec.layers.size(), 1024, "block_count");
  check.require(spec.norm.epsilon >= 0,
                spec.norm.kind == nn::NormKind::rms ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon",
                "must not be negative");
  if (spec.bias && spec.bias->kind == nn::PositionBiasKind::relative)
    check.require(spec.bias->buckets >= 4 && spec.bias->buckets <= 1024, "attention.relative_buckets_count",
                  "must be from 4 to 1024");
  std::uint64_t state = 0;
  for (const nn::LayerSpec& layer : spec.layers)
    for (const nn::SublayerSpec& sublayer : layer.sublayers) {
      std::visit(check, sublayer.mix);
      state += state_of(sublayer.mix, spec.width);
    }
  check.require(state <= 1u << 28, "block_count", "makes states of more than 268435456 numbers");
}

void check_projection(const nn::ProjectionSpec& spec, const Check& check) {
  if (!spec.name.empty()) check.within(spec.rows, 1u << 17, "projection_dim");
}

void check_vision(const nn::VisionSpec& spec, const Check& check) {
  const nn::PatchSpec& patches = spec.patches;
  check.within(patches.image, 4096, "image_size");
  check.require(patches.patch > 0 && patches.image % patches.patch == 0, "patch_size", "must divide the image's size");
  for (const float deviation : patches.deviation)
    check.require(deviation > 0, "image_std", "must be greater than 0");
  check_projection(spec.projection, check);
  check.require(spec.classes <= 1u << 24, "labels", "must be at most 16777216");
  check_stack(spec.stack, check);
}

}  // namespace

void check(const nn::ModelSpec& spec, const Hyperparameters& h) {
  const bool two_towers = spec.encoder && spec.vision;
  const Check check(h, two_towers ? "text." : "");
  if (spec.encoder) {
    check_embedding(spec.encoder->embedding, check);
    check_stack(spec.encoder->stack, check);
    check_projection(spec.encoder->projection, check);
    check.require(spec.encoder->scores <= 1u << 16, "classifier.output_labels", "must be at most 65536");
  }
  if (spec.vision) check_vision(*spec.vision, Check(h, two_towers ? "vision." : ""));
  if (spec.decoder) {
    check_embedding(spec.decoder->embedding, check);
    check_stack(spec.decoder->stack, check);
    check.require(spec.decoder_start >= 0 &&
                      static_cast<std::size_t>(spec.decoder_start) < spec.decoder->embedding.vocabulary,
                  "decoder_start_token_id", "must be a token of the vocabulary");
  }
}

}  // namespace heed::models
