// Scratch memory of a pass, allocated once. A block allocates memory from it and returns it when its scope ends, so all blocks
// share the same memory. Each block computes its need from its spec.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/kernels.hpp"
#include "tensor/buffer.hpp"

namespace heed::nn {

/// The maximum size of a pass.
struct PassLimits {
  std::uint64_t width = 0;      // D
  std::uint64_t tokens = 0;     // T
  std::uint64_t positions = 0;  // positions that a token may attend to
  std::uint64_t threads = 1;
  std::uint64_t segments = 1;  // sequences that the tokens belong to
};

/// The scratch memory that a block needs. In 64 bits, because it is computed before it is known to fit into the address space.
struct ScratchNeed {
  std::uint64_t bytes = 0;          // allocated at the same time
  std::uint64_t product_input = 0;  // maximum number of values that one call of multiply() reads
  std::size_t columns = 0;          // columns of the widest matrix
  bool clamps = false;              // matrices may clamp their inputs

  template <class T>
  ScratchNeed& allocate(std::uint64_t count) noexcept {
    bytes += (count * sizeof(T) + Buffer<T>::kAlignment - 1) / Buffer<T>::kAlignment * Buffer<T>::kAlignment;
    return *this;
  }
  ScratchNeed& product(std::uint64_t tokens, std::size_t inputs) noexcept {
    product_input = std::max(product_input, tokens * inputs);
    columns = std::max(columns, inputs);
    return *this;
  }
  /// The need of two blocks that do not run at the same time.
  ScratchNeed& either(const ScratchNeed& other) noexcept {
    bytes = std::max(bytes, other.bytes);
    product_input = std::max(product_input, other.product_input);
    columns = std::max(columns, other.columns);
    clamps = clamps || other.clamps;
    return *this;
  }
  /// The need of two blocks that run at the same time.
  ScratchNeed& with(const ScratchNeed& other) noexcept {
    const std::uint64_t both = bytes + other.bytes;
    either(other).bytes = both;
    return *this;
  }
};

class Scratch {
 public:
  /// kernels: the kernels of the passes. Throws std::bad_alloc.
  Scratch(const ScratchNeed& need, std::uint64_t threads, const kernels::Kernels& kernels)
      : arena_(need.bytes),
        quantized_(quantized_bytes(need)),
        widened_(widened_codes(need, kernels)),
        expanded_(threads * kernels::matmul_scratch(need.columns)),
        clamped_(clamped_values(need)),
        threads_(static_cast<std::size_t>(threads)) {}
  /// Bytes that the constructor allocates.
  static std::uint64_t bytes(const ScratchNeed& need, std::uint64_t threads, const kernels::Kernels& kernels) noexcept {
    return need.bytes + quantized_bytes(need) + widened_codes(need, kernels) * sizeof(std::int16_t) +
           threads * kernels::matmul_scratch(need.columns) + clamped_values(need) * sizeof(float);
  }

  /// On destruction, returns everything allocated since its construction.
  class Scope {
   public:
    explicit Scope(Scratch& scratch) noexcept : scratch_(scratch), used_(scratch.used_) {}
    ~Scope() { scratch_.used_ = used_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Scratch& scratch_;
    std::size_t used_;
  };

  /// `count` uninitialized elements. There must be enough memory left (ScratchNeed).
  template <class T>
  T* allocate(std::size_t count) noexcept {
    T* const values = reinterpret_cast<T*>(arena_.data() + used_);
    used_ += static_cast<std::size_t>(ScratchNeed().allocate<T>(count).bytes);
    assert(used_ <= arena_.size());
    return values;
  }

  /// The quantized inputs of a product.
  std::byte* quantized() noexcept { return quantized_.data(); }
  /// The codes of quantized(), widened to 16 bits; absent if no product of these kernels reads them so.
  std::int16_t* widened() noexcept { return widened_.data(); }
  /// The input of a product, clamped.
  float* clamped() noexcept { return clamped_.data(); }
  /// A thread's memory for the expanded codes of a product.
  std::byte* expanded(std::size_t thread) noexcept { return expanded_.data() + thread * (expanded_.size() / threads_); }

 private:
  static std::uint64_t quantized_bytes(const ScratchNeed& need) noexcept {
    return need.product_input / 32 * kernels::quantized_bytes(1, 32);
  }

  static std::uint64_t widened_codes(const ScratchNeed& need, const kernels::Kernels& kernels) noexcept {
    return kernels.widen ? need.product_input : 0;
  }

  static std::uint64_t clamped_values(const ScratchNeed& need) noexcept { return need.clamps ? need.product_input : 0; }

  Buffer<std::byte> arena_, quantized_;
  Buffer<std::int16_t> widened_;
  Buffer<std::byte> expanded_;
  Buffer<float> clamped_;
  std::size_t threads_, used_ = 0;
};

}  // namespace heed::nn
