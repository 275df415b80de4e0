// The layout of codes of kBits bits. A block has 32 codes per row, in eight groups of four k, and takes kBits vectors of bytes per
// vector of rows. A byte is for one k of one row. Each vector holds 8 / kBits whole groups, the first in the lowest bits. The 8 %
// kBits spare bits above them hold further groups in pieces, each as soon as there are enough spare bits. So a whole group costs
// one mask and at most one shift; only few groups cost more.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "kernels/kernels.hpp"

namespace heed::kernels::generic {

inline constexpr std::size_t kBlock = 32;  // k that share an activation scale
inline constexpr std::size_t kGroup = 4;   // k per lane of a dot product
inline constexpr std::size_t kGroups = kBlock / kGroup;

/// A part of a group's codes: their bits [to, to + width) are bits [from, from + width) of the bytes of a vector.
struct CodePiece {
  std::size_t vector, from, to, width;
};

inline constexpr std::size_t kMostPieces = 3;

struct GroupPieces {
  std::size_t count = 0;
  std::array<CodePiece, kMostPieces> pieces{};
};

constexpr std::array<GroupPieces, kGroups> code_pieces(std::size_t bits) {
  const std::size_t whole_in_vector = 8 / bits, spare_in_vector = 8 % bits;  // per vector: whole groups, and bits above them
  std::array<GroupPieces, kGroups> groups{};
  std::size_t whole = 0, spare = 0, spare_at = 0;  // whole groups so far; unused spare bits, and the first of them
  for (GroupPieces& group : groups) {
    if (spare < bits) {
      if (whole % whole_in_vector == 0) spare += spare_in_vector;
      group = {1, {{{whole / whole_in_vector, whole % whole_in_vector * bits, 0, bits}}}};
      ++whole;
      continue;
    }
    for (std::size_t to = 0; to < bits;) {
      const std::size_t vector = spare_at / spare_in_vector, used = spare_at % spare_in_vector;
      const std::size_t width = std::min(spare_in_vector - used, bits - to);
      group.pieces[group.count++] = {vector, 8 - spare_in_vector + used, to, width};
      to += width;
      spare_at += width;
      spare -= width;
    }
  }
  return groups;
}

/// Bytes of a block with expanded codes: one per code, or two if widened.
template <class Isa>
constexpr std::size_t expanded_bytes(bool widened) {
  return kBlock * kPanelVectors * Isa::kLanes * (widened ? 2 : 1);
}

template <class Isa, std::size_t kBits>
struct PackedCodes {
  static constexpr std::size_t P = kPanelVectors * Isa::kLanes;
  static constexpr std::size_t kBytes = kBits * kGroup * P;  // of a block
  static constexpr auto kGroupPieces = code_pieces(kBits);

  /// The codes of group g for the rows of vector v, one byte each. Callers pass constants for g and v.
  static typename Isa::Bytes load(const std::byte* block, std::size_t g, std::size_t v) {
    const GroupPieces& group = kGroupPieces[g];
    auto codes = load(block, group.pieces[0], v);
#pragma clang loop unroll(full)
    for (std::size_t i = 1; i < kMostPieces; ++i)
      if (i < group.count) codes = Isa::or_(codes, load(block, group.pieces[i], v));
    return codes;
  }

  /// Stores the 32 codes of one row, xor `flipped`.
  static void put(std::byte* block, std::size_t lane, const std::uint8_t* codes, std::uint32_t flipped) {
    constexpr std::uint32_t kEach = 0x01010101;  // four codes at once
    std::uint32_t vectors[kBits] = {};
#pragma clang loop unroll(full)
    for (std::size_t g = 0; g < kGroups; ++g) {
      std::uint32_t group;
      std::memcpy(&group, codes + g * kGroup, kGroup);
      group ^= flipped * kEach;
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < kMostPieces; ++i) {
        const auto& [vector, from, to, width] = kGroupPieces[g].pieces[i];
        if (i < kGroupPieces[g].count) vectors[vector] |= (group >> to & mask(width) * kEach) << from;
      }
    }
    for (std::size_t i = 0; i < kBits; ++i) std::memcpy(block + (i * P + lane) * kGroup, &vectors[i], kGroup);
  }

  static unsigned get(const std::byte* block, std::size_t k, std::size_t lane) {
    const GroupPieces& group = kGroupPieces[k / kGroup];
    unsigned code = 0;
    for (std::size_t i = 0; i < group.count; ++i) {
      const CodePiece& piece = group.pieces[i];
      const auto byte = static_cast<unsigned>(block[(piece.vector * P + lane) * kGroup + k % kGroup]);
      code |= (byte >> piece.from & mask(piece.width)) << piece.to;
    }
    return code;
  }

 private:
  static constexpr std::uint32_t mask(std::size_t bits) { return (1u << bits) - 1; }

  static typename Isa::Bytes load(const std::byte* block, const CodePiece& piece, std::size_t v) {
    const auto bytes = Isa::load_bytes(block + (piece.vector * kPanelVectors + v % kPanelVectors) * kGroup * Isa::kLanes);
    if constexpr (kBits == 8) return bytes;
    return Isa::and_(moved_down(bytes, piece.from - piece.to),
                     Isa::splat_byte(static_cast<std::uint8_t>(mask(piece.width) << piece.to)));
  }
  static typename Isa::Bytes moved_down(typename Isa::Bytes bytes, std::size_t n) {
    switch (n) {
      case 1: return Isa::template shift_right_16<1>(bytes);
      case 2: return Isa::template shift_right_16<2>(bytes);
      case 3: return Isa::template shift_right_16<3>(bytes);
      case 4: return Isa::template shift_right_16<4>(bytes);
      case 5: return Isa::template shift_right_16<5>(bytes);
      case 6: return Isa::template shift_right_16<6>(bytes);
      case 7: return Isa::template shift_right_16<7>(bytes);
      default: return bytes;
    }
  }
};

}  // namespace heed::kernels::generic
