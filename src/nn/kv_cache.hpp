// What the layers keep of the positions seen so far: keys and values of every kv head, in the layout that the kernel
// reads, and the inputs of convolutions. A layer that looks back over a window keeps little more than that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/kernels.hpp"
#include "tensor/buffer.hpp"

namespace heed::nn {

/// What one layer keeps.
struct CacheLayer {
  std::size_t kv_heads = 0, key_dim = 0, value_dim = 0;
  std::size_t inputs = 0;  // floats a position, of a convolution
  std::size_t window = 0;  // positions that it looks back over, its own among them; 0: all
};

class KvCache {
 public:
  /// Room for `positions`, of which at most `batch` come in one pass. `shared`: the layers take turns in the same memory,
  /// as nothing of one pass is needed in the next. Throws std::bad_alloc.
  KvCache(const std::vector<CacheLayer>& layers, KvType type, std::size_t positions, std::size_t batch,
          bool shared = false);
  /// What the constructor will take, in bytes.
  static std::uint64_t bytes(const std::vector<CacheLayer>& layers, KvType type, std::size_t positions,
                             std::size_t batch, bool shared = false);

  std::size_t positions() const noexcept { return positions_; }
  kernels::KvHead head(std::size_t layer, std::size_t kv_head) noexcept;

  /// Writes what all kv heads of a layer have at `position`: keys (kv_heads x key_dim) and values.
  void store(std::size_t layer, std::size_t position, const float* keys, const float* values,
             const kernels::Kernels& kernels) noexcept;
  /// Where the layer keeps the convolution's input of `position`.
  float* inputs(std::size_t layer, std::size_t position) noexcept;

  /// To be called when positions up to `end` have been written.
  void wrote(std::size_t end) noexcept;
  /// How many of the first `length` positions one may go on from: all, or none where a window has moved on too far.
  std::size_t keep(std::size_t length) noexcept;

 private:
  struct Layer {
    CacheLayer shape;
    std::size_t places;                 // positions that there is room for; a ring where that is not all
    std::uint64_t data;                 // bytes from the start
    std::uint64_t scales, inputs;       // elements
    std::size_t intact_from = 0;        // positions before are overwritten
  };
  struct Plan {
    std::vector<Layer> layers;
    std::uint64_t bytes = 0, scales = 0, inputs = 0;
  };
  static Plan plan(const std::vector<CacheLayer>& layers, KvType type, std::size_t positions, std::size_t batch,
                   bool shared);

  KvType type_;
  std::size_t positions_;
  Plan plan_;
  Buffer<std::byte> data_;                   // [layer][kv head][places x kv_width]
  Buffer<float> key_scales_, value_scales_;  // [layer][kv head][places], integers only
  Buffer<float> inputs_;
};

}  // namespace heed::nn
