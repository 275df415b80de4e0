// Granite Speech (arXiv:2505.08699): a conformer with attention within chunks, which feeds back a prediction of characters after
// half of its layers, and queries that read its output.
#include "models/hearing/towers.hpp"

namespace heed::models {

nn::HearingSpec granite_speech(const Hyperparameters& h) {
  const char *const window_key = "audio.projector.window_size", *const rate_key = "audio.projector.downsample_rate";
  nn::HearingSpec spec;
  spec.features = centered_frames(h);
  if (spec.features.bands % 2 != 0) throw Error(ErrorCode::invalid_file, "must be even", h.full("audio.num_mel_bins"));
  spec.features.bands /= 2;
  spec.features.joined = 2;
  spec.features.front = spec.features.back = audio::Beyond::mirrored_clamped;
  spec.features.scale = audio::MelScale::htk;
  spec.features.floor = 1e-10;
  spec.features.levels = audio::Levels::decades;
  spec.stem = nn::StemSpec{.out = "input_projection"};
  nn::ConformerSpec layers = conformer(h, sound_norm(h));
  layers.distances = nn::Distances::table;
  layers.reach = h.count("audio.chunk_size");
  layers.furthest = h.count("audio.max_pos_emb");
  layers.taps = h.count("audio.conv_kernel_size");
  layers.guesses_after = layers.layers / 2;
  if (h.contains("audio.feature_layer"))
    for (const std::int64_t layer : h.metadata().require<formats::Metadata::Integers>(h.full("audio.feature_layer")))
      layers.kept.push_back(static_cast<std::size_t>(layer));
  spec.conformer = layers;
  const std::size_t window = h.count(window_key), rate = h.count(rate_key);
  if (rate == 0 || window % rate != 0) throw Error(ErrorCode::invalid_file, "must divide window_size", h.full(rate_key));
  spec.queries =
      nn::QueryFormerSpec{.window = window, .queries = window / rate, .heads = h.count("audio.projector.head_count"), .layers = 2};
  spec.projector = sound_projector(h);
  spec.projector.steps = {nn::ProductStep{"a.proj_linear", spec.projector.width}};
  return spec;
}

}  // namespace heed::models
