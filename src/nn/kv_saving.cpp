// Converts caches to and from bytes: for each layer, its heads' chunks from the first visible one on, then the state and its
// snapshots.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>

#include "nn/kv_cache.hpp"

namespace heed::nn {
namespace {

using kernels::chunks_of;
using kernels::kAttentionChunk;

template <class T>
void append(std::vector<std::byte>& saved, const T* values, std::size_t count) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values);
  if (count > 0) saved.insert(saved.end(), bytes, bytes + count * sizeof(T));
}

/// Takes bytes from the front of the remaining ones.
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
  void floats(float* to, std::size_t count) {
    const std::byte* bytes = take(std::uint64_t{count} * sizeof(float));
    if (count > 0) std::memcpy(to, bytes, count * sizeof(float));
  }
  std::size_t left() const noexcept { return left_.size(); }

 private:
  std::span<const std::byte> left_;
};

/// The first chunk that a layer sees from `position` on.
std::size_t first_seen_chunk(std::size_t window, std::size_t position) noexcept {
  return window == 0 || position + 1 < window ? 0 : (position + 1 - window) / kAttentionChunk;
}

/// A head's share of a chunk, and where it lies among the saved bytes.
struct Piece {
  std::size_t layer, head, chunk, positions;
  std::uint64_t at;
};

/// All pieces of a cache of this length, in order; the last one is empty and marks the end.
std::vector<Piece> pieces_of(const std::vector<CacheLayer>& layers, KvType type, std::size_t length) {
  std::vector<Piece> pieces;
  std::uint64_t at = 0;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const CacheLayer& shape = layers[layer];
    for (std::size_t head = 0; head < shape.kv_heads; ++head)
      for (std::size_t chunk = first_seen_chunk(shape.window, length); chunk < chunks_of(length); ++chunk) {
        const std::size_t positions = std::min(kAttentionChunk, length - chunk * kAttentionChunk);
        pieces.push_back({layer, head, chunk, positions, at});
        at += kernels::kv_saved_bytes(type, shape.key_dim, shape.value_dim, positions);
      }
  }
  pieces.push_back({0, 0, 0, 0, at});
  return pieces;
}

/// Calls body(piece) for all except the last one, on all threads.
template <class Body>
void each_piece(const std::vector<Piece>& pieces, ThreadPool& pool, Body body) {
  pool.use(pool.threads());
  pool.parallel_for(pieces.size() - 1, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t i = begin; i < end; ++i) body(pieces[i]);
  });
}

}  // namespace

void KvCache::save(std::vector<std::byte>& saved, const kernels::Kernels& kernels, ThreadPool& pool) const {
  const std::vector<Piece> pieces = pieces_of(pool_->layers_, pool_->type_, length_);
  const std::size_t begin = saved.size(), bytes = static_cast<std::size_t>(pieces.back().at);
  saved.reserve(begin + bytes + (snapshots_.size() + 1) * (state_.size() + 4) * sizeof(float));
  saved.resize(begin + bytes);
  each_piece(pieces, pool, [&](const Piece& piece) {
    kernels.save_kv(head(piece.layer, piece.head), piece.chunk, piece.positions, saved.data() + begin + piece.at);
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

std::size_t KvCache::load(std::span<const std::byte> saved, std::size_t length, const kernels::Kernels& kernels, ThreadPool& pool) {
  const std::vector<Piece> pieces = pieces_of(pool_->layers_, pool_->type_, length);
  Source source(saved);
  const std::byte* from = source.take(pieces.back().at);  // checked before memory is allocated
  make_room(length);
  std::atomic<bool> fine = true;
  each_piece(pieces, pool, [&](const Piece& piece) {
    if (!kernels.load_kv(head(piece.layer, piece.head), piece.chunk, piece.positions, from + piece.at)) fine = false;
  });
  if (!fine) throw std::out_of_range("has keys that are none");
  source.floats(state_.data(), state_.size());
  for (std::uint64_t count = source.number(), last = 0; count > 0; --count) {
    const std::uint64_t position = source.number();
    if (state_.empty() || position <= last || position > length) throw std::out_of_range("has a state of no position");
    KvState state = state_;
    source.floats(state.data(), state.size());
    snapshots_.push_back({static_cast<std::size_t>(position), std::make_shared<const KvState>(std::move(state))});
    last = position;
  }
  length_ = length;
  drop_unneeded();
  return saved.size() - source.left();
}

}  // namespace heed::nn
