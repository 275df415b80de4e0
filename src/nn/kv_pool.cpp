#include "nn/kv_pool.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>

namespace heed::nn {
namespace {

/// A pool grows by half its size, so that a long text's chunks are in few pieces, but by at most this many bytes.
constexpr std::uint64_t kMostAhead = 64 << 20;

}  // namespace

void KvChunkPool::reserve(std::size_t count) {
  if (count <= free_.size()) return;
  std::size_t all = 0;
  for (const auto& other : segments_) all += other->chunks.size();
  const std::size_t ahead = static_cast<std::size_t>(std::min<std::uint64_t>(all / 2, kMostAhead / chunk_bytes()));
  std::size_t missing = std::max(count - free_.size(), ahead);
  const auto left = static_cast<std::size_t>((budget_->limit - std::min(budget_->limit, budget_->allocated + budget_->states)) /
                                             chunk_bytes());
  if (missing > left) missing = count - free_.size();
  if (missing > left) throw std::bad_alloc();
  auto segment = std::make_unique<Segment>();
  segment->memory = Buffer<std::byte>(missing * chunk_bytes());
  for (std::size_t i = 0; i < missing; ++i)
    segment->chunks.push_back({segment->memory.data() + i * head_bytes_, static_cast<std::size_t>(missing * head_bytes_)});
  free_.reserve(all + missing);  // so that returning a chunk never allocates
  segments_.push_back(std::move(segment));
  budget_->allocated += missing * chunk_bytes();
  const auto& chunks = segments_.back()->chunks;
  std::vector<const kernels::KvChunk*> fresh;
  for (auto it = chunks.rbegin(); it != chunks.rend(); ++it) fresh.push_back(&*it);
  free_.insert(free_.begin(), fresh.begin(), fresh.end());
}

KvChunkPool::Segment& KvChunkPool::owner(const kernels::KvChunk& chunk) noexcept {
  const auto has = [&](const std::unique_ptr<Segment>& segment) {
    const auto& chunks = segment->chunks;
    return !std::less<>()(&chunk, chunks.data()) && std::less<>()(&chunk, chunks.data() + chunks.size());
  };
  return **std::find_if(segments_.begin(), segments_.end(), has);
}

SharedKvChunk KvChunkPool::acquire() {
  reserve(1);
  const kernels::KvChunk* chunk = free_.back();
  SharedKvChunk shared(chunk, [this](const kernels::KvChunk* released) noexcept {
    free_.push_back(released);
    --owner(*released).in_use;
    --used_;
  });
  free_.pop_back();
  ++owner(*chunk).in_use;
  ++used_;
  return shared;
}

SharedKvChunk KvChunkPool::copy(const kernels::KvChunk& chunk, std::size_t first, std::size_t positions) {
  SharedKvChunk copied = acquire();
  const std::size_t some = kernels::padded(positions);
  for (std::size_t head = first; head < heads_; ++head) {
    const std::byte* from = chunk.data + head * chunk.stride;
    std::byte* to = copied->data + head * copied->stride;
    if (parts_[0] == 0) std::memcpy(to, from, static_cast<std::size_t>(head_bytes_));
    for (const std::size_t bytes : parts_) {
      std::memcpy(to, from, some * bytes);
      from += kernels::kAttentionChunk * bytes;
      to += kernels::kAttentionChunk * bytes;
    }
  }
  return copied;
}

void KvChunkPool::trim() {
  for (const auto& segment : segments_) {
    if (segment->in_use > 0) continue;
    std::erase_if(free_, [&](const kernels::KvChunk* chunk) { return &owner(*chunk) == segment.get(); });
    budget_->allocated -= segment->chunks.size() * chunk_bytes();
    segment->chunks.clear();
  }
  std::erase_if(segments_, [](const auto& segment) { return segment->chunks.empty(); });
}

}  // namespace heed::nn
