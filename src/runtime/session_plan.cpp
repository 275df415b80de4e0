#include "runtime/session_plan.hpp"

#include <algorithm>

#include "nn/decoder.hpp"
#include "nn/encoder.hpp"
#include "nn/vision.hpp"

namespace heed::runtime {

SessionPlan::SessionPlan(const nn::ModelSpec& spec, KvType type, std::size_t context, std::size_t threads)
    : type_(type), threads_(threads) {
  if (spec.decoder) {
    const nn::StackSpec& stack = spec.decoder->stack;
    const std::size_t batch = std::min(kMaxBatch, context);
    cache_ = Cache{nn::Stack::cache_layers(stack), context, batch, false};
    if (spec.encoder) memory_ = Cache{nn::Stack::memory_layers(stack), context, context, false};
    need_.either(nn::Decoder::need(*spec.decoder, {stack.width, batch, context, threads}));
  }
  if (spec.encoder) {
    const nn::StackSpec& stack = spec.encoder->stack;
    hidden_ = std::uint64_t{context} * stack.width;
    encoder_ = Cache{nn::Stack::cache_layers(stack), context, context, true};
    need_.either(nn::Encoder::need(*spec.encoder, {stack.width, context, context, threads}));
  }
  if (spec.vision) {
    const nn::StackSpec& stack = spec.vision->stack;
    const std::size_t tokens = spec.vision->patches.tokens();
    hidden_ = std::max(hidden_, std::uint64_t{tokens} * stack.width);
    vision_ = Cache{nn::Stack::cache_layers(stack), tokens, tokens, true};
    need_.either(nn::VisionEncoder::need(*spec.vision, {stack.width, tokens, tokens, threads}));
  }
}

std::uint64_t SessionPlan::bytes() const {
  std::uint64_t bytes = nn::Scratch::bytes(need_, threads_) + hidden_ * sizeof(float);
  for (const auto* cache : {&cache_, &memory_, &encoder_, &vision_})
    if (*cache)
      bytes += nn::KvMemory((*cache)->layers, type_, (*cache)->shared).bytes((*cache)->positions, (*cache)->batch);
  return bytes;
}

std::optional<nn::KvMemory> SessionPlan::make(const std::optional<Cache>& cache) const {
  if (!cache) return std::nullopt;
  return std::optional<nn::KvMemory>(std::in_place, cache->layers, type_, cache->shared);
}

std::optional<nn::KvMemory> SessionPlan::make_cache() const { return make(cache_); }
std::optional<nn::KvMemory> SessionPlan::make_memory() const { return make(memory_); }
std::optional<nn::KvMemory> SessionPlan::make_encoder_cache() const { return make(encoder_); }
std::optional<nn::KvMemory> SessionPlan::make_vision_cache() const { return make(vision_); }

}  // namespace heed::runtime
