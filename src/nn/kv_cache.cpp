#include "nn/kv_cache.hpp"

#include <algorithm>
#include <limits>
#include <new>

namespace heed::nn {
namespace {

using kernels::chunks_of;
using kernels::kAttentionChunk;

/// The first chunk to keep for a pass from `position` on: the one before the first that the pass reads, so that a sequence can be
/// truncated a little.
std::size_t first_needed_chunk(std::size_t window, std::size_t position) noexcept {
  if (window == 0 || position + 1 < window) return 0;
  const std::size_t first = (position + 1 - window) / kAttentionChunk;
  return first > 0 ? first - 1 : 0;
}

/// The maximum number of chunks that a window keeps: all that the queries of a batch see, wherever it begins, and one more.
std::size_t window_chunks(std::size_t window, std::size_t batch) noexcept { return chunks_of(window + batch) + 2; }

/// The limit of all snapshots of a sequence together: 64 MB, except that two are always allowed; when it is reached, every second
/// one is dropped. The state of short convolutions is a few thousand floats. Qwen 3.5 with 0.8 billion weights has 5 million
/// floats, 20 MB, which allows three snapshots; copying one takes as long as processing a few tokens.
constexpr std::size_t kMostSnapshotFloats = std::size_t{1} << 24;

std::size_t most_snapshots(std::size_t state) noexcept { return std::max<std::size_t>(2, kMostSnapshotFloats / state); }

}  // namespace

KvCachePool::KvCachePool(std::vector<CacheLayer> layers, KvType type, bool shared, KvCachePool* beside)
    : type_(type), budget_(beside ? beside->budget_ : std::make_shared<KvBudget>()), layers_(std::move(layers)) {
  for (const CacheLayer& layer : layers_) {
    auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.shape.alike(layer); });
    if (group == groups_.end()) {
      groups_.push_back({layer, nullptr});
      group = groups_.end() - 1;
      group->shape.kv_heads = 0;
    }
    places_.push_back({static_cast<std::size_t>(group - groups_.begin()), shared ? 0 : group->shape.kv_heads, state_});
    group->shape.kv_heads = shared ? std::max(group->shape.kv_heads, layer.kv_heads) : group->shape.kv_heads + layer.kv_heads;
    state_ += layer.state;
  }
  for (Group& group : groups_)
    group.pool = std::make_unique<KvChunkPool>(type, group.shape.key_dim, group.shape.value_dim, group.shape.kv_heads, *budget_);
}

std::uint64_t KvCachePool::bytes(std::size_t positions, std::size_t batch) const noexcept {
  std::uint64_t bytes = state_bytes();
  for (const Group& group : groups_) {
    const std::size_t all = chunks_of(positions), window = group.shape.window;
    const std::size_t kept = window == 0 ? all : std::min(all, window_chunks(window, batch));
    bytes += kept * group.pool->chunk_bytes();
  }
  return bytes;
}

std::uint64_t KvCachePool::saved_state_bytes(std::size_t positions) const noexcept {
  return state_ == 0 ? 0 : std::min(most_snapshots(state_), chunks_of(positions) + 1) * state_bytes();
}

std::size_t KvCachePool::most_kept_states() const noexcept {
  return state_ == 0 ? std::numeric_limits<std::size_t>::max() : most_snapshots(state_);
}

std::uint64_t KvCachePool::used_bytes() const noexcept {
  std::uint64_t bytes = budget_->states;
  for (const Group& group : groups_) bytes += group.pool->used_bytes();
  return bytes;
}

std::uint64_t KvCachePool::trim() {
  const std::uint64_t before = allocated_bytes();
  for (Group& group : groups_) group.pool->trim();
  return before - allocated_bytes();
}

KvCache::KvCache(KvCachePool& pool) : pool_(&pool), groups_(pool.groups_.size()), state_(pool.state_, *pool.budget_) {}

std::uint64_t KvCache::share_bytes() const noexcept {
  std::uint64_t bytes = pool_->state_bytes();
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (const SharedKvChunk& chunk : groups_[g].chunks)
      if (chunk) bytes += pool_->groups_[g].pool->chunk_bytes() / static_cast<std::uint64_t>(chunk.use_count());
  bytes += kept_.states.size() * pool_->state_bytes();
  for (const Snapshot& snapshot : snapshots_)
    bytes += pool_->state_bytes() / static_cast<std::uint64_t>(snapshot.state.use_count());
  return bytes;
}

/// The first of a group's heads that passes read: they skip those of layers before start_at().
std::size_t KvCache::first_head(std::size_t group) const noexcept {
  std::size_t layer = first_layer_;
  while (layer < pool_->places_.size() && pool_->places_[layer].group != group) ++layer;
  return layer < pool_->places_.size() ? pool_->places_[layer].head : pool_->groups_[group].shape.kv_heads;
}

void KvCache::make_room(std::size_t end) {
  kept_.count = 0;
  const std::size_t count = chunks_of(end), writing = length_ / kAttentionChunk;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    KvChunkPool& pool = *pool_->groups_[g].pool;
    if (pool.chunk_bytes() == 0) continue;
    // After an interrupted pass, chunks beyond the one being written exist already, and may be shared.
    for (std::size_t i = writing; i < std::min(count, group.chunks.size()); ++i) {
      if (group.chunks[i].use_count() < 2) continue;
      SharedKvChunk own = i == writing ? pool.copy(*group.chunks[i], first_head(g), length_ % kAttentionChunk) : pool.acquire();
      group.addresses[i] = *own;
      group.chunks[i] = std::move(own);
    }
    if (group.chunks.size() >= count) continue;
    group.chunks.reserve(count);
    group.addresses.reserve(count);
    pool.reserve(count - group.chunks.size());
    while (group.chunks.size() < count) {
      group.chunks.push_back(pool.acquire());
      group.addresses.push_back(*group.chunks.back());
    }
  }
}

void KvCache::reserve(std::size_t positions) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const KvCachePool::Group& group = pool_->groups_[g];
    const std::size_t window = group.shape.window, all = chunks_of(positions), had = groups_[g].chunks.size();
    if (window == 0 && group.pool->chunk_bytes() > 0 && all > had) group.pool->reserve(all - had);
  }
}

void KvCache::keep_states(std::size_t count) {
  if (state_.empty()) return;
  const KvBudget& budget = *pool_->budget_;
  while (kept_.states.size() < count) {
    if (budget.allocated + budget.states + pool_->state_bytes() > budget.limit) throw std::bad_alloc();
    kept_.states.emplace_back(pool_->state_, *pool_->budget_);
  }
  kept_.count = count;
  kept_.from = length_;
}

void KvCache::wrote(std::size_t end) {
  const bool entered_chunk = end / kAttentionChunk != length_ / kAttentionChunk;
  length_ = end;
  drop_unneeded();
  if (entered_chunk) remember_state();
}

/// Drops chunks that lie before all windows.
void KvCache::drop_unneeded() noexcept {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    const std::size_t needed = std::min(first_needed_chunk(pool_->groups_[g].shape.window, length_), group.chunks.size());
    for (std::size_t i = needed; i-- > 0 && group.chunks[i];) {
      group.chunks[i].reset();
      group.addresses[i] = {};
    }
  }
}

void KvCache::remember_state() noexcept try {
  if (state_.empty() || (!snapshots_.empty() && snapshots_.back().position == length_)) return;
  if (snapshots_.size() >= most_snapshots(state_.size())) {  // every second one is dropped
    std::size_t kept = 0;
    for (std::size_t i = 1; i < snapshots_.size(); i += 2) snapshots_[kept++] = std::move(snapshots_[i]);
    snapshots_.resize(kept);
  }
  snapshots_.push_back({length_, std::make_shared<const KvState>(state_)});
} catch (const std::bad_alloc&) {
  // The cache works without this snapshot, but cannot return to its position.
}

std::size_t KvCache::first_kept(const Group& group) const noexcept {
  std::size_t first = group.chunks.size();
  while (first > 0 && group.chunks[first - 1]) --first;
  return first * kAttentionChunk;
}

std::size_t KvCache::cut(std::size_t length) noexcept { return length < length_ ? cut_to(length) : length_; }

std::size_t KvCache::undo() noexcept { return state_.empty() ? length_ : cut_to(length_); }

std::size_t KvCache::cut_to(std::size_t length) noexcept {
  const bool keeps = length > kept_.from && length - kept_.from <= kept_.count;
  if (!state_.empty()) {
    while (!snapshots_.empty() && snapshots_.back().position > length) snapshots_.pop_back();
    if (keeps) std::swap(state_, kept_.states[length - kept_.from - 1]);
    else length = snapshots_.empty() ? 0 : snapshots_.back().position;
  }
  kept_.count = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::size_t window = pool_->groups_[g].shape.window;
    const std::size_t seen = window == 0 ? length : std::min(length, window - 1);
    if (length - seen < first_kept(groups_[g])) length = 0;
  }
  if (length == 0) {
    snapshots_.clear();
    std::fill_n(state_.data(), state_.size(), 0.0f);
  } else if (!state_.empty() && !keeps) {
    std::copy_n(snapshots_.back().state->data(), state_.size(), state_.data());
  }
  for (Group& group : groups_) {
    const std::size_t count = std::min(chunks_of(length), group.chunks.size());
    group.chunks.resize(count);
    group.addresses.resize(count);
  }
  length_ = length;
  const std::size_t remembered = snapshots_.empty() ? 0 : snapshots_.back().position;
  if (keeps && length / kAttentionChunk > remembered / kAttentionChunk) remember_state();
  return length_;
}

kernels::KvHead KvCache::head(std::size_t layer, std::size_t kv_head) const noexcept {
  const CacheLayer& shape = pool_->layers_[layer];
  const KvCachePool::Place& place = pool_->places_[layer];
  const kernels::KvChunk* const chunks = groups_[place.group].addresses.data();
  return {pool_->type_, shape.key_dim, shape.value_dim, chunks, place.head + kv_head, shape.rotated};
}

void KvCache::store(std::size_t layer, std::size_t position, const float* keys, const float* values,
                    const kernels::Kernels& kernels) const noexcept {
  for (std::size_t h = 0; h < pool_->layers_[layer].kv_heads; ++h) store_head(layer, h, position, keys, values, kernels);
}

void KvCache::store_head(std::size_t layer, std::size_t kv_head, std::size_t position, const float* keys, const float* values,
                         const kernels::Kernels& kernels) const noexcept {
  const CacheLayer& shape = pool_->layers_[layer];
  kernels.store_kv(head(layer, kv_head), position, keys + kv_head * shape.key_dim, values + kv_head * shape.value_dim);
}

}  // namespace heed::nn
