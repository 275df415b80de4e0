#include "runtime/session_plan.hpp"

#include <algorithm>

#include "nn/decoder.hpp"
#include "nn/encoder.hpp"

namespace heed::runtime {

SessionPlan::SessionPlan(const nn::ModelSpec& spec, KvType type, std::size_t context, std::size_t threads)
    : type_(type), context_(context), threads_(threads) {
  if (spec.decoder) {
    const nn::StackSpec& stack = spec.decoder->stack;
    const std::size_t batch = std::min(kMaxBatch, context);
    cache_ = Cache{nn::Stack::cache_layers(stack), batch, false};
    if (spec.encoder) memory_ = Cache{nn::Stack::memory_layers(stack), context, false};
    need_.either(nn::Decoder::need(*spec.decoder, {stack.width, batch, context, threads}));
  }
  if (spec.encoder) {
    const nn::StackSpec& stack = spec.encoder->stack;
    hidden_ = std::uint64_t{context} * stack.width;
    encoder_ = Cache{nn::Stack::cache_layers(stack), context, true};
    need_.either(nn::Encoder::need(*spec.encoder, {stack.width, context, context, threads}));
  }
}

std::uint64_t SessionPlan::bytes() const {
  std::uint64_t bytes = nn::Scratch::bytes(need_, threads_) + hidden_ * sizeof(float);
  for (const auto* cache : {&cache_, &memory_, &encoder_})
    if (*cache) bytes += nn::KvCache::bytes((*cache)->layers, type_, context_, (*cache)->batch, (*cache)->shared);
  return bytes;
}

std::optional<nn::KvCache> SessionPlan::make(const std::optional<Cache>& cache) const {
  if (!cache) return std::nullopt;
  return nn::KvCache(cache->layers, type_, context_, cache->batch, cache->shared);
}

std::optional<nn::KvCache> SessionPlan::make_cache() const { return make(cache_); }
std::optional<nn::KvCache> SessionPlan::make_memory() const { return make(memory_); }
std::optional<nn::KvCache> SessionPlan::make_encoder_cache() const { return make(encoder_); }

}  // namespace heed::runtime
