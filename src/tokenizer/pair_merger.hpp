// The greedy merging of SentencePiece's and GPT-2's byte-pair encoding (arXiv:1508.07909): repeatedly merges the best adjacent
// pair, the leftmost of equal ones, until no pair has a merge. O(n log n), with a priority queue and a linked list.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace heed::tokenizer {

struct Merge {
  std::uint32_t order;  // lowest is best
  std::int32_t id;
};

/// Reuses its buffers for the next text.
class PairMerger {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Symbol {
    std::int32_t id;
    std::uint32_t begin;   // first byte
    std::uint32_t length;  // bytes; 0 after it was merged into the symbol before
    std::uint32_t previous, next;
  };

  void clear() { symbols_.clear(); }

  void push(std::int32_t id, std::uint32_t length) {
    const auto i = static_cast<std::uint32_t>(symbols_.size());
    std::uint32_t begin = 0;
    if (i > 0) {
      symbols_.back().next = i;
      begin = symbols_.back().begin + symbols_.back().length;
    }
    symbols_.push_back({id, begin, length, i - 1, kNone});
  }

  /// find(const Symbol& left, const Symbol& right) returns a std::optional<Merge>. At the end, calls emit(const Symbol&) for the
  /// symbols that remain, in order.
  template <class Find, class Emit>
  void merge(Find&& find, Emit&& emit) {
    queue_.clear();
    for (std::uint32_t i = 1; i < symbols_.size(); ++i) propose(i - 1, i, find);
    std::make_heap(queue_.begin(), queue_.end());
    while (!queue_.empty()) {
      std::pop_heap(queue_.begin(), queue_.end());
      const Candidate best = queue_.back();
      queue_.pop_back();
      const auto left = static_cast<std::uint32_t>(best.order_and_left);
      if (still_stands(best, left)) {
        join(left, best.id);
        if (propose(symbols_[left].previous, left, find)) std::push_heap(queue_.begin(), queue_.end());
        if (propose(left, symbols_[left].next, find)) std::push_heap(queue_.begin(), queue_.end());
      }
    }
    for (std::uint32_t i = symbols_.empty() ? kNone : 0; i != kNone; i = symbols_[i].next) emit(symbols_[i]);
  }

 private:
  struct Candidate {
    std::uint64_t order_and_left;  // order << 32 | index of the left symbol
    std::int32_t id;
    std::uint32_t length;  // bytes of both symbols together
    bool operator<(const Candidate& other) const { return order_and_left > other.order_and_left; }
  };

  // If the two have a merge, appends it to the queue and returns true.
  template <class Find>
  bool propose(std::uint32_t left, std::uint32_t right, Find& find) {
    if (left == kNone || right == kNone) return false;
    const Symbol& a = symbols_[left];
    const Symbol& b = symbols_[right];
    const std::optional<Merge> merge = find(a, b);
    if (merge) queue_.push_back({std::uint64_t{merge->order} << 32 | left, merge->id, a.length + b.length});
    return merge.has_value();
  }

  // Symbols only grow: if the length is unchanged, the pair is unchanged.
  bool still_stands(const Candidate& candidate, std::uint32_t left) const {
    const Symbol& symbol = symbols_[left];
    return symbol.length > 0 && symbol.next != kNone && symbol.length + symbols_[symbol.next].length == candidate.length;
  }

  void join(std::uint32_t left, std::int32_t id) {
    Symbol& symbol = symbols_[left];
    Symbol& absorbed = symbols_[symbol.next];
    symbol.id = id;
    symbol.length += absorbed.length;
    symbol.next = absorbed.next;
    absorbed.length = 0;
    if (symbol.next != kNone) symbols_[symbol.next].previous = left;
  }

  std::vector<Symbol> symbols_;
  std::vector<Candidate> queue_;  // a heap
};

}  // namespace heed::tokenizer
