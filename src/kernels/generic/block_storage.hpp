// The storage of quantized weights in a panel, and how it is read: the same for all instruction sets with equal vectors.
//
// A panel is one stream, so that a product reads it at the full speed of memory. It consists of spans; a span is the k that share a
// float scale, and has the scales of P rows, then their codes, in blocks of 32 k. A block has eight groups of 4 k. In a group, each
// of the P rows has four codes: thus four activations, splat, are multiplied by a vector of rows at once, and no sum crosses lanes.
// Codes of fewer than eight bits share bytes (packed_codes.hpp).
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "kernels/generic/block_layout.hpp"
#include "kernels/generic/packed_codes.hpp"
#include "kernels/kernels.hpp"
#include "tensor/half.hpp"

namespace heed::kernels::generic {

/// The offsets of the parts of a span: scales [P], minimums [P], int8 run scales [runs][P], run minimums [runs][P], codes [blocks].
template <class Isa, DType kType>
struct Span {
  static constexpr BlockLayout kLayout = block_layout(kType);
  static constexpr std::size_t P = kPanelVectors * Isa::kLanes;
  static constexpr std::size_t kColumns = kLayout.scale_span;
  static constexpr std::size_t kBlocks = kColumns / kBlock;
  static constexpr bool kHasRuns = kLayout.run > 0;
  static constexpr std::size_t kRun = kHasRuns ? kLayout.run : kBlock;
  using Codes = PackedCodes<Isa, kLayout.bits>;

  static constexpr std::size_t kScaleBytes = kLayout.float_runs ? 0 : kLayout.exponent ? 1 : 2;
  static constexpr std::size_t kMinimums = P * kScaleBytes;
  static constexpr std::size_t kRunScales = kMinimums + (kLayout.minimum ? P * 2 : 0);
  static constexpr std::size_t kRunMinimums = kRunScales + (kHasRuns ? kColumns / kRun * P : 0);
  static constexpr std::size_t kCodes = kRunMinimums + (kHasRuns && kLayout.minimum ? kColumns / kRun * P : 0);
  static constexpr std::size_t kBytes = kCodes + kBlocks * Codes::kBytes;
};

/// Converts E4M3 numbers to f32: the bits of the number << 20, read as an f32, times this are half the number.
inline constexpr float kHalfE4M3 = 0x1p119f;

/// The storage of kType, which types with the same layout share. kBias: added to signed weights by the instruction set.
template <class Isa, DType kType, int kBias>
struct BlockStorage {
  using Span = generic::Span<Isa, kType>;
  static constexpr BlockLayout kLayout = Span::kLayout;
  static constexpr std::size_t P = Span::P;
  static constexpr std::size_t kRun = Span::kRun;
  static constexpr bool kSigned = has_signed_weights(kType);
  /// The offset of stored weights: dot products exceed the true ones by kOffset times the sum of activations.
  static constexpr int kOffset = kSigned ? kBias : kLayout.offset;
  /// The table's values plus kOffset.
  static constexpr std::array<std::int8_t, 16> with_offset(const std::int8_t* table) {
    std::array<std::int8_t, 16> numbers{};
    for (std::size_t i = 0; table != nullptr && i < numbers.size(); ++i) numbers[i] = static_cast<std::int8_t>(table[i] + kOffset);
    return numbers;
  }
  static constexpr std::array<std::int8_t, 16> kNumbers = with_offset(kLayout.table);
  /// The type of kNumbers in a register; NoNumbers for types without a table.
  struct NoNumbers {};
  using Numbers = std::conditional_t<kLayout.codebook || kLayout.table != nullptr, typename Isa::Bytes, NoNumbers>;

  static std::size_t panel_bytes(std::size_t columns) { return columns / Span::kColumns * Span::kBytes; }

  // pack() runs once per row of a file, unpack() once per token, so both are small instead of fast: optimized for speed, they would
  // be an eighth of the kernels' download.

  [[clang::minsize]] static void pack(DType dtype, std::byte* panel, std::size_t columns, std::size_t lane,
                                      const std::byte* stored) {
    const DTypeInfo& type = info(dtype);
    const std::size_t stored_blocks = columns / type.block_values;
    for (std::size_t i = 0; i < stored_blocks; ++i, stored += type.block_bytes, panel += Span::kBytes) {
      BlockParts parts;
      read_block(dtype, stored, parts);
      std::memcpy(panel + lane * Span::kScaleBytes, &parts.scale, Span::kScaleBytes);
      if constexpr (kLayout.minimum) std::memcpy(panel + Span::kMinimums + lane * 2, &parts.minimum, 2);
      for (std::size_t run = 0; Span::kHasRuns && run < Span::kColumns / kRun; ++run) {
        panel[Span::kRunScales + run * P + lane] = static_cast<std::byte>(parts.run_scales[run]);
        if constexpr (kLayout.minimum) panel[Span::kRunMinimums + run * P + lane] = static_cast<std::byte>(parts.run_minimums[run]);
      }
      std::byte* block = panel + Span::kCodes;
      constexpr std::uint32_t kFlipped = kLayout.bits == 8 && kBias != 0 ? 0x80 : 0;  // adds 128
      for (std::size_t b = 0; b < Span::kBlocks; ++b, block += Span::Codes::kBytes) {
        const std::uint8_t* codes = parts.codes + b * kBlock;
        Span::Codes::put(block, lane, codes, kFlipped);
      }
    }
  }

  [[clang::minsize]] static void unpack(DType dtype, const std::byte* panel, std::size_t columns, std::size_t lane, float* out) {
    for (std::size_t k = 0; k < columns; ++k) {
      const std::byte* span = panel + k / Span::kColumns * Span::kBytes;
      const std::size_t at = k % Span::kColumns;
      const std::byte* block = span + Span::kCodes + at / kBlock * Span::Codes::kBytes;
      const unsigned code = Span::Codes::get(block, at % kBlock, lane);

      const std::size_t run = at / kRun * P + lane;
      float scale = scale_value(kLayout.float_runs ? span + run : span + lane * Span::kScaleBytes);
      if constexpr (Span::kHasRuns && !kLayout.float_runs)
        scale *= static_cast<float>(static_cast<std::int8_t>(span[Span::kRunScales + run]));
      out[k] = scale * static_cast<float>(number(dtype, code));
      if constexpr (kLayout.minimum) {
        float minimum = scale_value(span + Span::kMinimums + lane * 2);
        if constexpr (Span::kHasRuns) minimum *= static_cast<float>(static_cast<std::int8_t>(span[Span::kRunMinimums + run]));
        out[k] -= minimum;
      }
    }
  }

  /// Expands the codes of a panel. Each block becomes bytes [group][row][4], the layout of 8-bit codes; or, if kWidened, 16-bit
  /// integers [group][even, odd][row][2], without the offset if the values of adjacent codes differ by 1.
  template <bool kWidened>
  static void expand(DType dtype, const std::byte* panel, std::size_t columns, std::byte* expanded) {
    const Numbers numbers = numbers_of(dtype);
    const std::byte* end = panel + panel_bytes(columns);
    for (const std::byte* span = panel; span != end; span += Span::kBytes) {
      const std::byte* codes = span + Span::kCodes;
      for (std::size_t b = 0; b < Span::kBlocks; ++b, codes += Span::Codes::kBytes, expanded += expanded_bytes<Isa>(kWidened)) {
#pragma clang loop unroll(full)
        for (std::size_t g = 0; g < kGroups; ++g) {
#pragma clang loop unroll(full)
          for (std::size_t v = 0; v < kPanelVectors; ++v) {
            auto bytes = weights(codes, g, v, numbers);
            if constexpr (kWidened && kLayout.step == 1 && kOffset != 0) bytes = Isa::sub_bytes(bytes, Isa::splat_byte(kOffset));
            const auto store = [&](std::size_t i, typename Isa::Bytes vector) {
              std::memcpy(expanded + (i * kPanelVectors + v) * sizeof vector, &vector, sizeof vector);
            };
            if constexpr (kWidened) {
              store(g * 2, Isa::even_i8_as_i16(bytes));
              store(g * 2 + 1, Isa::odd_i8_as_i16(bytes));
            } else {
              store(g, bytes);
            }
          }
        }
      }
    }
  }

  // Functions for one vector of rows, of any panel.

  static Numbers numbers_of([[maybe_unused]] DType dtype) {
    if constexpr (kLayout.codebook) return Isa::load_table(with_offset(code_numbers(dtype)).data());
    else if constexpr (kLayout.table != nullptr) return Isa::load_table(kNumbers.data());
    else return {};
  }
  static typename Isa::Bytes weights(const std::byte* block, std::size_t g, std::size_t v, [[maybe_unused]] Numbers numbers) {
    const auto code = Span::Codes::load(block, g, v);
    if constexpr (std::is_same_v<Numbers, NoNumbers>) return code;
    else return Isa::look_up(numbers, code);
  }

 private:
  // Functions for one value.

  static int number([[maybe_unused]] DType dtype, unsigned code) {
    if constexpr (kLayout.codebook) return code_numbers(dtype)[code];
    else if constexpr (kLayout.table != nullptr) return kLayout.table[code];
    else if constexpr (kLayout.bits == 8) return static_cast<std::int8_t>(code - static_cast<unsigned>(kBias));
    else return static_cast<int>(code) * kLayout.step - kLayout.offset;
  }
  static float scale_value(const std::byte* at) {
    if constexpr (kLayout.exponent) return power_of_two(static_cast<std::int32_t>(*at));
    if constexpr (kLayout.float_runs) return std::bit_cast<float>(static_cast<std::int32_t>(*at) << 20) * kHalfE4M3;
    std::uint16_t half;
    std::memcpy(&half, at, sizeof half);
    return f16_to_f32(half) * (kLayout.codebook ? 0.125f : 1.0f);
  }
  static float power_of_two(std::int32_t biased) {
    const float power = std::bit_cast<float>(biased << 23);
    return (0x1p-127f < power ? power : 0x1p-127f) * 0.5f;
  }
};

}  // namespace heed::kernels::generic
