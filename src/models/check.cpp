#include "models/check.hpp"

#include <cmath>

namespace heed::models {
namespace {

void check_embedding(const nn::EmbeddingSpec& spec, const Check& check) {
  check.within(spec.context_length, 1u << 26, "context_length");
  if (spec.vocabulary == 0 || spec.vocabulary > 1u << 24)
    throw Error(ErrorCode::invalid_file, "must have from 1 to 16777216 tokens", "tokenizer.ggml.tokens");
}

void check_projection(const nn::ProjectionSpec& spec, const Check& check) {
  if (!spec.name.empty()) check.within(spec.rows, 1u << 17, spec.key);
}

void check_vision(const nn::VisionSpec& spec, const Check& check) {
  const nn::PatchSpec& patches = spec.patches;
  check.within(patches.image, 4096, "image_size");
  const bool own_size = !spec.projector.steps.empty() && std::holds_alternative<images::OwnSize>(spec.preparation.method);
  check.require(patches.patch > 0 && patches.patch <= patches.image && (own_size || patches.image % patches.patch == 0),
                "patch_size", "must divide the image's size");
  check.require(spec.projector.steps.empty() || own_size || patches.side() >= spec.projector.merge, "projector.scale_factor",
                "must be at most the patches per side");
  for (const float mean : spec.preparation.mean) check.require(std::isfinite(mean), "image_mean", "must be finite");
  for (const float deviation : spec.preparation.deviation)
    check.require(deviation > 0 && std::isfinite(deviation), "image_std", "must be greater than 0, and finite");
  check_projection(spec.projection, check);
  if (!spec.projector.steps.empty()) check.within(spec.projector.width, 1u << 17, "projection_dim");
  check.require(spec.classes <= 1u << 24, "labels", "must be at most 16777216");
  check_stack(spec.stack, check);
}

void check_audio(const nn::AudioSpec& spec, const Check& check) {
  check.within(spec.positions, 1500, "context_length");  // positions in 30 seconds, to which sounds are padded
  check.within(spec.mel.bands, 1024, "num_mel_bins");
  check.require(spec.mel.filters.size() == spec.mel.bands * audio::kBins, "mel_filters", "must have 201 numbers for each band");
  check_stack(spec.stack, check);
}

}  // namespace

void check(const nn::ModelSpec& spec, const Hyperparameters& h) {
  const bool two_towers = spec.encoder && spec.vision;
  const Check check(h, two_towers ? "text." : "");
  if (spec.encoder) {
    check_embedding(spec.encoder->embedding, check);
    check_stack(spec.encoder->stack, check);
    for (const nn::ProjectionSpec& projection : spec.encoder->projections) check_projection(projection, check);
    check.require(spec.encoder->scores <= 1u << 16, "classifier.output_labels", "must be at most 65536");
  }
  const bool projects = spec.vision && !spec.vision->projector.steps.empty();
  if (spec.vision) check_vision(*spec.vision, Check(h, two_towers || projects ? "vision." : ""));
  if (spec.audio) check_audio(*spec.audio, Check(h, "audio."));
  if (spec.decoder) {
    check_embedding(spec.decoder->embedding, check);
    check_stack(spec.decoder->stack, check);
    check.require(spec.decoder_start >= 0 && static_cast<std::size_t>(spec.decoder_start) < spec.decoder->embedding.vocabulary,
                  "decoder_start_token_id", "must be a token of the vocabulary");
  }
  if (spec.draft) check_stack(spec.draft->stack, check);
}

}  // namespace heed::models
