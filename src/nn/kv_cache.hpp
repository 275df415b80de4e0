// What the layers keep of a sequence between passes: keys and values of every position, in chunks that sequences with the
// same beginning share, and state that is of no position. A layer that looks back over a window keeps little more than that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/thread_pool.hpp"
#include "nn/kv_pool.hpp"

namespace heed::nn {

/// Where all sequences of one stack keep what its layers keep. Layers that are alike share chunks.
class KvMemory {
 public:
  /// `shared`: the layers take turns in the same memory, as nothing of one pass is needed in the next.
  KvMemory(std::vector<CacheLayer> layers, KvType type, bool shared = false);

  /// Whether layers keep state of no position: a sequence can then be cut back to a few places only.
  bool has_state() const noexcept { return state_ > 0; }

  /// Bytes of a sequence of `positions`, of which `batch` come in one pass.
  std::uint64_t bytes(std::size_t positions, std::size_t batch) const noexcept;
  /// Of these, what is of no position, which every sequence has from the beginning on.
  std::uint64_t state_bytes() const noexcept { return std::uint64_t{state_} * sizeof(float); }
  /// Bytes taken from the system, and of these, what sequences have.
  std::uint64_t taken() const noexcept { return budget_->taken + budget_->states; }
  std::uint64_t used() const noexcept;
  /// Bytes that may be taken from the system. What is taken already stays.
  void limit(std::uint64_t most) noexcept { budget_->most = most; }
  /// Gives memory back that no sequence has; returns how many bytes.
  std::uint64_t trim();

 private:
  friend class KvCache;
  struct Place {
    std::size_t group = 0, head = 0;  // its pool, and its first head there
    std::size_t state = 0;            // its first float
  };
  struct Group {
    CacheLayer shape;  // kv_heads are those of all its layers
    std::unique_ptr<KvPool> pool;
  };

  KvType type_;
  std::unique_ptr<KvBudget> budget_ = std::make_unique<KvBudget>();
  std::vector<CacheLayer> layers_;
  std::vector<Place> places_;  // of each layer
  std::vector<Group> groups_;
  std::size_t state_ = 0;      // floats of all layers
};

class KvCache {
 public:
  explicit KvCache(KvMemory& memory);
  /// A sequence with the same beginning. It shares all chunks until one of the two writes into one.
  KvCache(const KvCache&) = default;
  KvCache& operator=(const KvCache&) = default;
  KvCache(KvCache&&) = default;
  KvCache& operator=(KvCache&&) = default;

  std::size_t length() const noexcept { return length_; }

  /// Before a pass over positions [length(), end): takes chunks for them, or copies of those that others share. Throws
  /// std::bad_alloc; nothing has changed then.
  void make_room(std::size_t end);
  /// After it: those positions are there. States are remembered after the first pass that reaches another chunk.
  void wrote(std::size_t end);
  /// Cuts back to the first `length` positions, or to as many of these as one can go on from: fewer where a state is known
  /// only of an earlier position, none where a window has moved on too far. Returns how many are left.
  std::size_t cut(std::size_t length) noexcept;
  /// Where the pass did not end: what it did is undone. Returns how many positions are left, as cut() does.
  std::size_t undo() noexcept;
  /// Remembers the states as they are now, so that one may cut back to here; not so where there is no memory for it.
  void remember_state() noexcept;
  /// Takes memory for a text of this many positions at once, so that it lies together. Throws std::bad_alloc.
  void expect(std::size_t positions);

  /// All that it keeps, in a form that no target owns: of a length and of layers that are known elsewhere. Appended to `saved`.
  void save(std::vector<std::byte>& saved, const kernels::Kernels& kernels, ThreadPool& pool) const;
  /// From there to an empty cache; returns how many bytes that were. Throws std::bad_alloc, and std::out_of_range where they
  /// are not what save() gives for so many positions; the cache is then only good to be destroyed.
  std::size_t load(std::span<const std::byte> saved, std::size_t length, const kernels::Kernels& kernels, ThreadPool& pool);

  kernels::KvHead head(std::size_t layer, std::size_t kv_head) const noexcept;
  /// Writes what all kv heads of a layer have at `position`: keys (kv_heads x key_dim) and values.
  void store(std::size_t layer, std::size_t position, const float* keys, const float* values,
             const kernels::Kernels& kernels) const noexcept;
  /// What a layer keeps that is of no position; zero at first.
  float* state(std::size_t layer) noexcept { return state_.data() + memory_->places_[layer].state; }

 private:
  struct Group {
    std::vector<KvChunk> chunks;              // absent before the window
    std::vector<kernels::KvChunk> addresses;  // of these, for the kernels
  };
  struct Snapshot {
    std::size_t position;
    std::shared_ptr<const KvState> state;
  };
  void drop_unneeded() noexcept;
  std::size_t first_kept(const Group& group) const noexcept;
  std::size_t cut_to(std::size_t length) noexcept;

  KvMemory* memory_;
  std::size_t length_ = 0;
  std::vector<Group> groups_;
  KvState state_;
  std::vector<Snapshot> snapshots_;  // in order of position
};

}  // namespace heed::nn
