// Caches as bytes: for each layer's heads their chunks, from the first that is seen on, then state and its snapshots.
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "nn/kv_cache.hpp"

namespace heed::nn {
namespace {

using kernels::kAttentionChunk;

constexpr std::size_t chunks_of(std::size_t positions) noexcept {
  return (positions + kAttentionChunk - 1) / kAttentionChunk;
}

template <class T>
void append(std::vector<std::byte>& saved, const T* values, std::size_t count) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values);
  saved.insert(saved.end(), bytes, bytes + count * sizeof(T));
}

/// Takes bytes from the front of those that are left.
class Source {
 public:
  explicit Source(std::span<const std::byte> bytes) : left_(bytes) {}
  const std::byte* take(std::uint64_t count) {
    if (count > left_.size()) throw std::out_of_range("ends early");
    const std::byte* taken = left_.data();
    left_ = left_.subspan(static_cast<std::size_t>(count));
    return taken;
  }
  std::uint64_t number() {
    std::uint64_t value;
    std::memcpy(&value, take(sizeof(value)), sizeof(value));
    return value;
  }
  std::vector<float> floats(std::size_t count) {
    std::vector<float> values(count);
    std::memcpy(values.data(), take(std::uint64_t{count} * sizeof(float)), count * sizeof(float));
    return values;
  }
  std::size_t left() const noexcept { return left_.size(); }

 private:
  std::span<const std::byte> left_;
};

/// The first chunk that a layer sees from `position` on.
std::size_t first_seen_chunk(std::size_t window, std::size_t position) noexcept {
  return window == 0 || position + 1 < window ? 0 : (position + 1 - window) / kAttentionChunk;
}

/// Calls body(layer, kv head, chunk, positions in it) for all that a cache of this length needs.
template <class Body>
void each_chunk(const std::vector<CacheLayer>& layers, std::size_t length, Body body) {
  for (std::size_t layer = 0; layer < layers.size(); ++layer)
    for (std::size_t head = 0; head < layers[layer].kv_heads; ++head)
      for (std::size_t chunk = first_seen_chunk(layers[layer].window, length); chunk < chunks_of(length); ++chunk)
        body(layer, head, chunk, std::min(kAttentionChunk, length - chunk * kAttentionChunk));
}

}  // namespace

void KvCache::save(std::vector<std::byte>& saved, const kernels::Kernels& kernels) const {
  const auto bytes_of = [&](const CacheLayer& layer, std::size_t positions) {
    return positions * kernels::kv_saved_bytes(memory_->type_, layer.key_dim, layer.value_dim);
  };
  std::size_t bytes = saved.size();
  each_chunk(memory_->layers_, length_, [&](std::size_t layer, std::size_t, std::size_t, std::size_t positions) {
    bytes += bytes_of(memory_->layers_[layer], positions);
  });
  saved.reserve(bytes + (snapshots_.size() + 1) * (state_.size() + 4) * sizeof(float));
  each_chunk(memory_->layers_, length_, [&](std::size_t layer, std::size_t h, std::size_t chunk, std::size_t positions) {
    const std::size_t at = saved.size();
    saved.resize(at + bytes_of(memory_->layers_[layer], positions));
    kernels.save_kv(head(layer, h), chunk, positions, saved.data() + at);
  });
  append(saved, state_.data(), state_.size());
  const std::uint64_t count = snapshots_.size();
  append(saved, &count, 1);
  for (const Snapshot& snapshot : snapshots_) {
    const std::uint64_t position = snapshot.position;
    append(saved, &position, 1);
    append(saved, snapshot.state->data(), state_.size());
  }
}

std::size_t KvCache::load(std::span<const std::byte> saved, std::size_t length, const kernels::Kernels& kernels) {
  // Judged by the bytes that there are before memory is taken for them.
  std::uint64_t needed = 0;
  each_chunk(memory_->layers_, length, [&](std::size_t layer, std::size_t, std::size_t, std::size_t positions) {
    const CacheLayer& shape = memory_->layers_[layer];
    needed += positions * kernels::kv_saved_bytes(memory_->type_, shape.key_dim, shape.value_dim);
  });
  if (needed > saved.size()) throw std::out_of_range("ends early");

  Source source(saved);
  make_room(length);
  each_chunk(memory_->layers_, length, [&](std::size_t layer, std::size_t h, std::size_t chunk, std::size_t positions) {
    const CacheLayer& shape = memory_->layers_[layer];
    const auto* from = source.take(positions * kernels::kv_saved_bytes(memory_->type_, shape.key_dim, shape.value_dim));
    if (!kernels.load_kv(head(layer, h), chunk, positions, from)) throw std::out_of_range("has keys that are none");
  });
  state_ = source.floats(state_.size());
  for (std::uint64_t count = source.number(), last = 0; count > 0; --count) {
    const std::uint64_t position = source.number();
    if (state_.empty() || position <= last || position > length) throw std::out_of_range("has a state of no position");
    snapshots_.push_back({static_cast<std::size_t>(position),
                          std::make_shared<const std::vector<float>>(source.floats(state_.size()))});
    last = position;
  }
  length_ = length;
  drop_unneeded();
  return saved.size() - source.left();
}

}  // namespace heed::nn
