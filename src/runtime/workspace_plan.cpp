#include "runtime/workspace_plan.hpp"

#include <algorithm>

#include "nn/audio_encoder.hpp"
#include "nn/decoder.hpp"
#include "nn/encoder.hpp"
#include "nn/vision.hpp"

namespace heed::runtime {

WorkspacePlan::WorkspacePlan(const nn::ModelSpec& spec, const WorkspaceSize& size) : size_(size) {
  const std::size_t context = size.context_length, threads = size.threads;
  if (spec.decoder) {
    const nn::StackSpec& stack = spec.decoder->stack;
    const std::size_t batch = std::min(kMaxBatch, context * size.parallel);
    decoder_ = Caches{nn::Stack::cache_layers(stack), context, std::min(batch, context), false};
    if (spec.encoder) cross_ = Caches{nn::Stack::cross_cache_layers(stack), context, context, false};
    const std::size_t heard = spec.audio ? spec.audio->positions : 0;
    if (spec.audio) cross_ = Caches{nn::Stack::cross_cache_layers(stack), heard, heard, false};
    need_.either(nn::Decoder::need(*spec.decoder, {stack.width, batch, std::max(context, heard), threads, size.parallel}));
    if (spec.draft && size.heads) heads_ = bytes_of_heads(spec, size);
  }
  if (spec.encoder) {
    const nn::StackSpec& stack = spec.encoder->stack;
    hidden_ = std::uint64_t{context} * stack.width;
    // Texts do not share chunks.
    const std::size_t positions = context + (size.parallel - 1) * kernels::kAttentionChunk;
    encoder_ = Caches{nn::Stack::cache_layers(stack), positions, positions, true, size.parallel};
    need_.either(nn::Encoder::need(*spec.encoder, {stack.width, context, context, threads, size.parallel}));
  }
  if (spec.audio) {
    const std::size_t width = spec.audio->stack.width, positions = spec.audio->positions;
    hidden_ = std::uint64_t{positions} * width;
    encoder_ = Caches{nn::Stack::cache_layers(spec.audio->stack), positions, positions, true};
    need_.either(nn::AudioEncoder::need(*spec.audio, {width, positions, positions, threads}));
  }
  if (spec.vision && spec.vision->projector.steps.empty()) {  // other towers: runtime/pictures/tile_run.hpp
    const nn::StackSpec& stack = spec.vision->stack;
    const std::size_t tokens = spec.vision->patches.tokens();
    hidden_ = std::max(hidden_, std::uint64_t{tokens} * stack.width);
    vision_ = Caches{nn::Stack::cache_layers(stack), tokens, tokens, true};
    need_.either(nn::VisionEncoder::need(*spec.vision, {stack.width, tokens, tokens, threads}));
  }
}

std::uint64_t WorkspacePlan::bytes_beside_sequences() const {
  return nn::Scratch::bytes(need_, size_.threads, *size_.kernels) + hidden_ * sizeof(float) + bytes_of(encoder_) +
         bytes_of(vision_) + heads_.beside;
}

std::uint64_t WorkspacePlan::bytes_of(const std::optional<Caches>& caches) const {
  if (!caches) return 0;
  const nn::KvCachePool pool(caches->layers, type_of(*caches), caches->shared);
  return pool.bytes(caches->positions, caches->batch) + (caches->sequences - 1) * pool.state_bytes();
}

std::uint64_t WorkspacePlan::saved_state_bytes() const {
  return decoder_ ? nn::KvCachePool(decoder_->layers, size_.kv_type).saved_state_bytes(decoder_->positions) : 0;
}

std::optional<nn::KvCachePool> WorkspacePlan::make(const std::optional<Caches>& caches) const {
  if (!caches) return std::nullopt;
  return std::optional<nn::KvCachePool>(std::in_place, caches->layers, type_of(*caches), caches->shared);
}

}  // namespace heed::runtime
