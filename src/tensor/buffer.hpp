// Owned, aligned, zeroed memory for weights, caches and scratch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "base/zeroed_memory.hpp"

namespace heed {

/// `count` elements of a trivial type, zeroed, aligned to a cache line. The count has 64 bits, so that one beyond the address space
/// can be passed: it throws std::bad_alloc.
template <class T>
class Buffer {
 public:
  static constexpr std::size_t kAlignment = 64;

  Buffer() = default;
  explicit Buffer(std::uint64_t count) {
    constexpr std::size_t kMost = (std::numeric_limits<std::size_t>::max() - kAlignment) / sizeof(T);
    if (count > kMost) throw std::bad_alloc();
    size_ = static_cast<std::size_t>(count);
    std::size_t room = size_ * sizeof(T) + kAlignment;
    memory_.reset(allocate_zeroed(room));
    if (!memory_) throw std::bad_alloc();
    void* start = memory_.get();
    data_ = static_cast<T*>(std::align(kAlignment, size_ * sizeof(T), start, room));
  }
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    memory_ = std::move(other.memory_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  std::span<T> span() noexcept { return {data(), size_}; }
  std::span<const T> span() const noexcept { return {data(), size_}; }

 private:
  struct Free {
    void operator()(void* p) const noexcept { std::free(p); }
  };
  std::unique_ptr<void, Free> memory_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace heed
