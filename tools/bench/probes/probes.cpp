// Measures limits of the machine in WebAssembly: bytes read from memory per second, with several access patterns, and products of
// the relaxed integer dot product per second, each on a number of threads at once. Called by a worker of the page, site/probe.js.
#include <emscripten/bind.h>
#include <wasm_simd128.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

/// Far larger than any cache; and the part that one call reads, because engines swap in optimized code only between calls.
constexpr std::size_t kBytes = std::size_t{384} << 20, kPiece = std::size_t{4} << 20;
constexpr std::size_t kVector = 16;

alignas(64) std::int8_t activations[4096];

/// Receives the threads' results, so that no compiler removes the computation.
volatile std::int32_t sink;

void use(const v128_t* sums, int count) {
  v128_t sum = sums[0];
  for (int i = 1; i < count; ++i) sum = wasm_i32x4_add(sum, sums[i]);
  sink = wasm_i32x4_extract_lane(sum, 0);
}

/// Keeps the order in which the products are written: left alone, the compiler chains them.
inline void pin(v128_t& value) { asm volatile("" : "+r"(value)); }

/// One stream, as memcpy would read it.
void read_stream(const std::byte* data, std::size_t bytes) {
  v128_t sums[8] = {};
  for (const std::byte* end = data + bytes; data < end; data += sizeof sums)
    for (int i = 0; i < 8; ++i) sums[i] = wasm_i32x4_add(sums[i], wasm_v128_load(data + i * kVector));
  use(sums, 8);
}

/// Four streams side by side, as rows of a matrix that is not interleaved.
void read_rows(const std::byte* data, std::size_t bytes) {
  const std::size_t row = bytes / 4;
  v128_t sums[8] = {};
  for (std::size_t at = 0; at < row; at += 2 * kVector)
    for (int i = 0; i < 8; ++i) sums[i] = wasm_i32x4_add(sums[i], wasm_v128_load(data + (i / 2) * row + at + (i % 2) * kVector));
  use(sums, 8);
}

/// Reads in the order of a product of a 4-bit matrix and a vector: panels of 8 rows, blocks of 32 k, codes, then scales.
void read_gemv(const std::byte* data, std::size_t bytes) {
  constexpr std::size_t kCodes = 8 * kVector, kBlock = kCodes + kVector;
  const v128_t low = wasm_i8x16_splat(15);
  v128_t sums[2] = {};
  std::size_t k = 0;
  for (const std::byte* end = data + bytes / kBlock * kBlock; data < end; data += kBlock) {
    v128_t dots[4] = {};
    for (int i = 0; i < 8; i += 2) {
      const v128_t x = wasm_v128_load32_splat(activations + k + i * 4);
      const v128_t y = wasm_v128_load32_splat(activations + k + i * 4 + 4);
      for (int half = 0; half < 2; ++half) {
        const v128_t codes = wasm_v128_load(data + (i + half) * kVector);
        const v128_t high = wasm_v128_and(wasm_u16x8_shr(codes, 4), low);
        dots[half] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(x, wasm_v128_and(codes, low), dots[half]);
        pin(dots[half]);
        dots[half + 2] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(y, high, dots[half + 2]);
        pin(dots[half + 2]);
      }
    }
    const v128_t scales = wasm_v128_load(data + kCodes);
    for (int half = 0; half < 2; ++half) {
      const v128_t dot = wasm_f32x4_convert_i32x4(wasm_i32x4_add(dots[half], dots[half + 2]));
      const v128_t wide = half == 0 ? wasm_u32x4_extend_low_u16x8(scales) : wasm_u32x4_extend_high_u16x8(scales);
      sums[half] = wasm_f32x4_add(sums[half], wasm_f32x4_mul(dot, wasm_i32x4_shl(wide, 16)));  // from bf16
    }
    k = (k + 32) % sizeof activations;
  }
  use(sums, 2);
}

/// Dot products of registers, in eight chains: as many products as a piece has bytes.
void multiply(const std::byte*, std::size_t dots) {
  v128_t sums[8] = {};
  v128_t x = wasm_i8x16_splat(3), y = wasm_i8x16_splat(5);
  for (std::size_t done = 0; done < dots; done += 8)
    for (auto& sum : sums) {
      sum = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(x, y, sum);
      pin(sum);
    }
  use(sums, 8);
}

using Work = void (*)(const std::byte* data, std::size_t bytes);

/// Billions of bytes per second that `threads` threads process, piece by piece.
double speed(Work work, int threads) {
  using Clock = std::chrono::steady_clock;
  static const std::vector<std::byte> data(kBytes, std::byte{0x35});
  std::atomic<int> ready = 0;
  std::atomic<bool> go = false;
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> pool;
  for (int i = 0; i < threads; ++i)
    pool.emplace_back([&] {
      ++ready;
      while (!go) {
      }
      for (std::size_t at; (at = next.fetch_add(kPiece)) < kBytes;) work(data.data() + at, kPiece);
    });
  while (ready < threads) {
  }
  const auto start = Clock::now();
  go = true;
  for (auto& thread : pool) thread.join();
  return static_cast<double>(kBytes) / std::chrono::duration<double>(Clock::now() - start).count() / 1e9;
}

double stream(int threads) { return speed(read_stream, threads); }
double rows(int threads) { return speed(read_rows, threads); }
double gemv(int threads) { return speed(read_gemv, threads); }
/// GMAC/s: an instruction computes 16 products.
double dot(int threads) { return speed(multiply, threads) * 16; }

}  // namespace

EMSCRIPTEN_BINDINGS(probes) {
  emscripten::function("stream", &stream);
  emscripten::function("rows", &rows);
  emscripten::function("gemv", &gemv);
  emscripten::function("dot", &dot);
}
