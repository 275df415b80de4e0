#include "runtime/workspace_plan.hpp"

#include <algorithm>

#include "nn/decoder.hpp"
#include "nn/encoder.hpp"
#include "nn/vision.hpp"

namespace heed::runtime {

WorkspacePlan::WorkspacePlan(const nn::ModelSpec& spec, const WorkspaceSize& size) : size_(size) {
  const std::size_t context = size.context, threads = size.threads;
  if (spec.decoder) {
    const nn::StackSpec& stack = spec.decoder->stack;
    const std::size_t batch = std::min(kMaxBatch, context * size.parallel);
    cache_ = Cache{nn::Stack::cache_layers(stack), context, std::min(batch, context), false};
    if (spec.encoder) memory_ = Cache{nn::Stack::memory_layers(stack), context, context, false};
    need_.either(nn::Decoder::need(*spec.decoder, {stack.width, batch, context, threads, size.parallel}));
  }
  if (spec.encoder) {
    const nn::StackSpec& stack = spec.encoder->stack;
    hidden_ = std::uint64_t{context} * stack.width;
    // A text has whole chunks to itself.
    const std::size_t positions = context + (size.parallel - 1) * kernels::kAttentionChunk;
    encoder_ = Cache{nn::Stack::cache_layers(stack), positions, positions, true, size.parallel};
    need_.either(nn::Encoder::need(*spec.encoder, {stack.width, context, context, threads, size.parallel}));
  }
  if (spec.vision) {
    const nn::StackSpec& stack = spec.vision->stack;
    const std::size_t tokens = spec.vision->patches.tokens();
    hidden_ = std::max(hidden_, std::uint64_t{tokens} * stack.width);
    vision_ = Cache{nn::Stack::cache_layers(stack), tokens, tokens, true};
    need_.either(nn::VisionEncoder::need(*spec.vision, {stack.width, tokens, tokens, threads}));
  }
}

std::uint64_t WorkspacePlan::bytes_beside_sequences() const {
  return nn::Scratch::bytes(need_, size_.threads) + hidden_ * sizeof(float) + bytes_of(encoder_) + bytes_of(vision_);
}

std::uint64_t WorkspacePlan::bytes_of(const std::optional<Cache>& cache) const {
  if (!cache) return 0;
  const nn::KvMemory memory(cache->layers, size_.kv_type, cache->shared);
  return memory.bytes(cache->positions, cache->batch) + (cache->sequences - 1) * memory.state_bytes();
}

std::uint64_t WorkspacePlan::saved_state_bytes() const {
  return cache_ ? nn::KvMemory(cache_->layers, size_.kv_type).saved_state_bytes(cache_->positions) : 0;
}

std::optional<nn::KvMemory> WorkspacePlan::make(const std::optional<Cache>& cache) const {
  if (!cache) return std::nullopt;
  return std::optional<nn::KvMemory>(std::in_place, cache->layers, size_.kv_type, cache->shared);
}

}  // namespace heed::runtime
