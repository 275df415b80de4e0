// Keys and values of the positions seen so far, for every layer and kv head, in the layout that the kernel reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/kernels.hpp"
#include "nn/spec.hpp"
#include "tensor/buffer.hpp"

namespace heed::nn {

class KvCache {
 public:
  /// Throws std::bad_alloc.
  KvCache(const DecoderSpec& spec, KvType type, std::size_t positions);
  /// What the constructor will take, in bytes.
  static std::uint64_t bytes(const DecoderSpec& spec, KvType type, std::size_t positions);

  std::size_t positions() const noexcept { return positions_; }
  kernels::KvHead head(std::size_t layer, std::size_t kv_head) noexcept;

 private:
  KvType type_;
  std::size_t positions_, padded_, kv_heads_, head_dim_;
  Buffer<std::byte> data_;                     // [layer][kv head][padded x kv_width]
  Buffer<float> key_scales_, value_scales_;    // [layer][kv head][padded], integers only
};

}  // namespace heed::nn
