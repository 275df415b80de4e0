#include "models/hearing/check.hpp"

#include <algorithm>

#include "models/check.hpp"

namespace heed::models {
namespace {

void check_conformer(const nn::ConformerSpec& spec, const Check& check) {
  check.within(spec.width, 1u << 14, "embedding_length");
  check.within(spec.heads, 256, "attention.head_count");
  check.require(spec.width % spec.heads == 0, "attention.head_count", "must divide embedding_length");
  check.within(spec.feed_forward, 1u << 17, "feed_forward_length");
  check.within(spec.layers, 256, "block_count");
  check.require(spec.norm.epsilon >= 0, "attention.layer_norm_epsilon", "must not be negative");
  check.within(spec.taps, 63, "conv_kernel_size");
  check.require(spec.taps % 2 == 1, "conv_kernel_size", "must be odd");
  if (spec.distances == nn::Distances::table) {
    check.within(spec.reach, 4096, "chunk_size");
    check.within(spec.furthest, 8192, "max_pos_emb");
  }
  check.require(spec.kept.size() <= 16 && std::ranges::all_of(spec.kept, [&](std::size_t i) { return i <= spec.layers; }),
                "feature_layer", "must have at most 16 numbers of layers");
}

}  // namespace

void check_hearing(const nn::HearingSpec& spec, const Hyperparameters& h) {
  const Check check(h, "audio.");
  check.within(spec.features.bands, 4096, "num_mel_bins");
  check.within(spec.projector.width, 1u << 17, "projection_dim");
  if (spec.whisper) check_stack(spec.whisper->stack, check);
  if (spec.stack) check_stack(*spec.stack, check);
  if (spec.conformer) check_conformer(*spec.conformer, check);
  if (!spec.queries) return;
  check.within(spec.queries->window, 1024, "projector.window_size");
  check.within(spec.queries->heads, 256, "projector.head_count");
}

}  // namespace heed::models
