#include "runtime/warm_up.hpp"

#include <chrono>
#include <vector>

#include "tensor/buffer.hpp"

namespace heed::runtime {
namespace {

/// Calls a kernel long enough for the WebAssembly engine to optimize it: V8's threshold is a count of executed instructions, which
/// takes a fraction of this time.
template <class Call>
void run_for_a_while(Call call) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kTime = std::chrono::milliseconds(3);
  for (const auto end = Clock::now() + kTime; Clock::now() < end;)
    for (int i = 0; i < 8; ++i) call();
}

void run_products(const kernels::Kernels& kernels, DType type) {
  constexpr std::size_t kPanels = 4;
  struct Shape {
    std::size_t tokens, columns;
  };
  // With long panels, kTokenGroup tokens run in another kernel.
  for (const auto [tokens, columns] :
       {Shape{kernels::kFewTokens + kernels::kTokenGroup, 256}, Shape{kernels::kTokenGroup, 2048}, Shape{2, 256}, Shape{1, 256}}) {
    const std::size_t panel_bytes = kernels.panel_bytes(type, columns), rows = kPanels * kernels.panel_rows;
    Buffer<std::byte> weights(kPanels * panel_bytes);
    const kernels::PackedMatrix w{type, rows, columns, panel_bytes, weights.data()};
    std::vector<float> x(tokens * columns, 1.0f), y(tokens * rows);
    std::vector<std::byte> quantized(kernels::quantized_bytes(tokens, columns));
    std::vector<std::byte> scratch(kernels::matmul_scratch(columns));
    std::vector<std::int16_t> widened(tokens * columns);
    const kernels::MatmulInput input{tokens, columns, x.data(), quantized.data(), widened.data()};
    run_for_a_while([&] {
      if (kernels::takes_int8(type))
        quantize_tokens(kernels, input, 0, tokens, quantized.data(), kernels.reads_widened(type) ? widened.data() : nullptr);
      kernels.matmul(w, input, nullptr, 0, kPanels, y.data(), rows, scratch.data());
    });
  }
}

void run_attention(const kernels::Kernels& kernels, KvType type) {
  constexpr std::size_t kHeadDim = 64, kPositions = 64;
  Buffer<std::byte> data(kernels::kv_chunk_bytes(type, kHeadDim, kHeadDim));
  const kernels::KvChunk chunk{data.data(), data.size()};
  const kernels::KvHead kv{type, kHeadDim, kHeadDim, &chunk};
  std::vector<float> x(kHeadDim, 1.0f), mixed(kernels::kMostQueries * kHeadDim), output(kHeadDim);
  std::vector<float> scratch(kernels::attention_scratch(kHeadDim, kHeadDim));
  for (const std::size_t count : {kernels::most_queries(type), std::size_t{2}, std::size_t{1}}) {
    run_for_a_while([&] {
      kernels::AttentionQuery queries[kernels::kMostQueries];
      for (std::size_t i = 0; i < count; ++i) {
        queries[i].query = x.data();
        queries[i].end = kPositions;
        queries[i].partial.mixed = mixed.data() + i * kHeadDim;
      }
      kernels.store_kv(kv, 0, x.data(), x.data());
      kernels.attention({kv, 0.125f, 0.0f, queries, count, scratch.data()}, 0, 1);
      for (std::size_t i = 0; i < count; ++i) kernels.finish_attention(queries[i], kv, output.data());
    });
  }
}

void run_vectors(const kernels::Kernels& kernels) {
  constexpr std::size_t kWidth = 512, kHeadDim = 64;
  std::vector<float> x(kWidth, 1.0f), y(kWidth, 1.0f), z(kWidth, 1.0f);
  run_for_a_while([&] { kernels.rms_norm(x.data(), y.data(), 1e-5f, kWidth, z.data()); });
  run_for_a_while([&] { kernels.layer_norm(x.data(), y.data(), nullptr, 1e-5f, kWidth, z.data()); });
  run_for_a_while([&] { kernels.rope(z.data(), kWidth / kHeadDim, kHeadDim, kHeadDim, x.data(), y.data()); });
  run_for_a_while([&] { kernels.activate(kernels::Activation::silu, z.data(), y.data(), kWidth); });
  run_for_a_while([&] { kernels.activate(kernels::Activation::gelu_tanh, z.data(), nullptr, kWidth); });
  run_for_a_while([&] { kernels.add(z.data(), y.data(), kWidth); });
}

}  // namespace

void warm_up(const kernels::Kernels& kernels, std::span<const DType> weights, KvType cache) {
  for (const DType type : weights) run_products(kernels, type);
  run_attention(kernels, cache);
  run_vectors(kernels);
}

}  // namespace heed::runtime
