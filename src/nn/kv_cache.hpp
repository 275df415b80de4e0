// The cache that the layers keep of a sequence between passes: keys and values of every position, in chunks that sequences with a
// common prefix share, and recurrent state, which has no position. A layer with a window keeps little more than the window.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/thread_pool.hpp"
#include "nn/kv_pool.hpp"

namespace heed::nn {

/// The memory of the caches of all sequences of one stack. Layers of the same shape share chunks.
class KvCachePool {
 public:
  /// `shared`: all layers use the same memory in turn, because no pass reads what another one has cached.
  /// `beside`: a pool that shares its memory limit with this one.
  KvCachePool(std::vector<CacheLayer> layers, KvType type, bool shared = false, KvCachePool* beside = nullptr);

  /// Whether layers have recurrent state, so that a sequence can be truncated to a few positions only.
  bool has_state() const noexcept { return state_ > 0; }

  /// Bytes of a sequence of `positions`, of which `batch` arrive in one pass.
  std::uint64_t bytes(std::size_t positions, std::size_t batch) const noexcept;
  /// The part of bytes() for recurrent state, which every sequence has from the start.
  std::uint64_t state_bytes() const noexcept { return std::uint64_t{state_} * sizeof(float); }
  /// The maximum size of the saved states of a sequence of `positions` tokens, which allow truncating it.
  std::uint64_t saved_state_bytes(std::size_t positions) const noexcept;
  /// Bytes allocated from the system, and bytes of these that sequences use.
  std::uint64_t allocated_bytes() const noexcept { return budget_->allocated + budget_->states; }
  std::uint64_t used_bytes() const noexcept;
  /// The maximum number of states that a sequence keeps during a pass (KvCache::keep_states); no limit without recurrent state.
  std::size_t most_kept_states() const noexcept;
  /// Sets the maximum number of bytes to allocate from the system. Memory that is already allocated stays.
  void limit(std::uint64_t most) noexcept { budget_->limit = most; }
  /// Gives unused memory back to the system; returns the number of bytes.
  std::uint64_t trim();

 private:
  friend class KvCache;
  struct Place {
    std::size_t group = 0, head = 0;  // index of its group, and of its first head in the group's pool
    std::size_t state = 0;            // index of the first float of its state
  };
  struct Group {
    CacheLayer shape;  // kv_heads is the sum over its layers
    std::unique_ptr<KvChunkPool> pool;
  };

  KvType type_;
  std::shared_ptr<KvBudget> budget_;
  std::vector<CacheLayer> layers_;
  std::vector<Place> places_;  // of each layer
  std::vector<Group> groups_;
  std::size_t state_ = 0;  // floats of recurrent state, of all layers
};

class KvCache {
 public:
  explicit KvCache(KvCachePool& pool);
  /// A copy of the sequence. It shares all chunks until one of the two writes into one.
  KvCache(const KvCache&) = default;
  KvCache& operator=(const KvCache&) = default;
  KvCache(KvCache&&) = default;
  KvCache& operator=(KvCache&&) = default;

  std::size_t length() const noexcept { return length_; }
  /// Bytes of chunks and states, divided by the number of sequences that share each: the sum over all sequences is what the memory
  /// uses.
  std::uint64_t share_bytes() const noexcept;

  /// From now on, passes start at this layer: the caches of earlier layers are neither read nor copied.
  void start_at(std::size_t layer) noexcept { first_layer_ = layer; }
  /// Must precede a pass over positions [length(), end): allocates chunks for them, and copies shared ones. Throws std::bad_alloc,
  /// without a change.
  void make_room(std::size_t end);
  /// May follow make_room(): keeps the recurrent state after each of the first `count` tokens of the pass, so that cut() can return
  /// to these positions until the next pass. Throws std::bad_alloc.
  void keep_states(std::size_t count);
  void free_kept_states() noexcept { kept_ = KeptStates(); }
  /// In the pass: where to keep a part of a state after the pass's token `t` of this sequence; nullptr if it is not kept.
  float* kept(std::size_t t, const float* part) noexcept {
    return t < kept_.count ? kept_.states[t].data() + (part - state_.data()) : nullptr;
  }
  bool keeps_states() const noexcept { return kept_.count > 0; }
  /// Copies `count` floats of a state to kept(t, part), if that is not nullptr.
  void keep(std::size_t t, const float* part, std::size_t count) noexcept {
    if (float* const to = kept(t, part)) std::copy_n(part, count, to);
  }
  /// Must follow the pass: commits positions [length(), end). Saves the states if the pass is the first to reach another chunk.
  void wrote(std::size_t end);
  /// Truncates to the first `length` positions, or to as many as can be continued: fewer if a state was only saved at an
  /// earlier position, none if a window has moved on too far. Returns how many are left.
  std::size_t cut(std::size_t length) noexcept;
  /// After a pass that did not finish: undoes its changes. Returns how many positions are left, as cut() does.
  std::size_t undo() noexcept;
  /// Saves the current states, so that cut() can return to this position; does nothing if memory is short.
  void remember_state() noexcept;
  /// Allocates contiguous memory for a text of this many positions. Throws std::bad_alloc.
  void reserve(std::size_t positions);

  /// Appends the whole cache to `saved`, in a target-independent form without the length and the layers.
  void save(std::vector<std::byte>& saved, const kernels::Kernels& kernels, ThreadPool& pool) const;
  /// Restores saved bytes into an empty cache; returns the number of bytes read. Throws std::bad_alloc, and std::out_of_range if
  /// they do not match save() for this many positions; the cache may then only be destroyed.
  std::size_t load(std::span<const std::byte> saved, std::size_t length, const kernels::Kernels& kernels, ThreadPool& pool);

  kernels::KvHead head(std::size_t layer, std::size_t kv_head) const noexcept;
  KvType type() const noexcept { return pool_->type_; }
  /// Whether the positions of a head must be stored in order, by one thread at a time.
  bool in_order() const noexcept { return has_blocks(type()); }
  /// Writes the keys (kv_heads x key_dim) and values of all kv heads of a layer at `position`.
  void store(std::size_t layer, std::size_t position, const float* keys, const float* values,
             const kernels::Kernels& kernels) const noexcept;
  /// As store(), for one kv head.
  void store_head(std::size_t layer, std::size_t kv_head, std::size_t position, const float* keys, const float* values,
                  const kernels::Kernels& kernels) const noexcept;
  /// The cache layout of a layer.
  const CacheLayer& shape(std::size_t layer) const noexcept { return pool_->layers_[layer]; }
  /// The recurrent state of a layer; zero at first.
  float* state(std::size_t layer) noexcept { return state_.data() + pool_->places_[layer].state; }

 private:
  struct Group {
    std::vector<SharedKvChunk> chunks;        // nullptr for chunks before the window
    std::vector<kernels::KvChunk> addresses;  // of `chunks`, for the kernels
  };
  struct Snapshot {
    std::size_t position;
    std::shared_ptr<const KvState> state;
  };
  /// States within the last pass, from position `from` on; copies of the sequence have none.
  struct KeptStates {
    std::vector<KvState> states;
    std::size_t count = 0, from = 0;

    KeptStates() = default;
    KeptStates(const KeptStates&) {}
    KeptStates(KeptStates&&) = default;
    KeptStates& operator=(const KeptStates&) noexcept {
      count = 0;
      return *this;
    }
    KeptStates& operator=(KeptStates&&) = default;
  };
  void drop_unneeded() noexcept;
  std::size_t first_head(std::size_t group) const noexcept;
  std::size_t first_kept(const Group& group) const noexcept;
  std::size_t cut_to(std::size_t length) noexcept;

  KvCachePool* pool_;
  std::size_t length_ = 0, first_layer_ = 0;
  std::vector<Group> groups_;
  KvState state_;
  std::vector<Snapshot> snapshots_;  // in order of position
  KeptStates kept_;
};

}  // namespace heed::nn
