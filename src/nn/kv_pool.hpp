// Memory for keys and values, in chunks of kAttentionChunk positions that sequences share and return. It is allocated
// as tokens arrive: an unused context costs nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/kernels.hpp"
#include "tensor/buffer.hpp"

namespace heed::nn {

/// The cache layout of one layer between passes.
struct CacheLayer {
  std::size_t kv_heads = 0, key_dim = 0, value_dim = 0;
  std::size_t window = 0;  // positions that a query attends to, including its own; 0: all
  std::size_t state = 0;   // floats of recurrent state
  bool rotated = true;     // whether keys and values are rotated, if the cache type has blocks

  bool alike(const CacheLayer& other) const noexcept {
    return key_dim == other.key_dim && value_dim == other.value_dim && window == other.window;
  }
};

/// A reference-counted chunk; several sequences may hold it.
using SharedKvChunk = std::shared_ptr<const kernels::KvChunk>;

/// The limit and the sum of the bytes that several pools allocate from the system.
struct KvBudget {
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t allocated = 0;
  std::uint64_t states = 0;  // bytes of recurrent states, which are unavailable for chunks
};

/// The current or a saved recurrent state of a sequence; its bytes count in KvBudget::states.
class KvState {
 public:
  /// Creates a state of zeros. The budget must outlive it. Throws std::bad_alloc.
  KvState(std::size_t size, KvBudget& budget) : values_(size), budget_(&budget) { budget_->states += bytes(); }
  KvState(const KvState& other) : values_(other.values_), budget_(other.budget_) { budget_->states += bytes(); }
  KvState(KvState&& other) noexcept : values_(std::exchange(other.values_, {})), budget_(other.budget_) {}
  KvState& operator=(KvState other) noexcept {
    std::swap(values_, other.values_);
    std::swap(budget_, other.budget_);
    return *this;
  }
  ~KvState() { budget_->states -= bytes(); }

  float* data() noexcept { return values_.data(); }
  const float* data() const noexcept { return values_.data(); }
  std::size_t size() const noexcept { return values_.size(); }
  bool empty() const noexcept { return values_.empty(); }

 private:
  std::uint64_t bytes() const noexcept { return std::uint64_t{values_.size()} * sizeof(float); }

  std::vector<float> values_;
  KvBudget* budget_;
};

/// Chunks for the kv heads of all layers of the same shape.
class KvChunkPool {
 public:
  /// The budget must outlive it.
  KvChunkPool(KvType type, std::size_t key_dim, std::size_t value_dim, std::size_t heads, KvBudget& budget)
      : heads_(heads),
        head_bytes_(kernels::kv_chunk_bytes(type, key_dim, value_dim)),
        parts_(kernels::kv_parts(type, key_dim, value_dim)),
        budget_(&budget) {}
  KvChunkPool(KvChunkPool&&) = delete;  // chunks point back to it

  std::uint64_t chunk_bytes() const noexcept { return heads_ * head_bytes_; }
  /// Bytes of the chunks in use.
  std::uint64_t used_bytes() const noexcept { return used_ * chunk_bytes(); }

  /// Makes sure that `count` chunks can be acquired. Chunks reserved by one call are contiguous, so that attention reads long
  /// streams. Throws std::bad_alloc if the system or the budget is exhausted.
  void reserve(std::size_t count);
  /// A chunk with unspecified elements; scales are finite. Throws std::bad_alloc.
  SharedKvChunk acquire();
  /// A chunk with the same contents: of the heads from `first` on, at least the first `positions` positions.
  SharedKvChunk copy(const kernels::KvChunk& chunk, std::size_t first, std::size_t positions);
  /// Returns unused memory to the system.
  void trim();

 private:
  struct Segment {
    Buffer<std::byte> memory;  // [head][chunk]
    std::vector<kernels::KvChunk> chunks;
    std::size_t in_use = 0;
  };
  Segment& owner(const kernels::KvChunk& chunk) noexcept;

  std::size_t heads_;
  std::uint64_t head_bytes_;
  std::array<std::size_t, 4> parts_;  // bytes per position of each part of a head (kernels::kv_parts)
  std::uint64_t used_ = 0;            // number of chunks in use
  KvBudget* budget_;
  std::vector<std::unique_ptr<Segment>> segments_;
  std::vector<const kernels::KvChunk*> free_;  // the next one is last
};

}  // namespace heed::nn
