// The codebooks of IQ1, IQ2 and IQ3: a stored index selects an entry of four or eight levels. The formats define the set of
// entries; an index is a position in this set, sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heed {

enum class Codebook : std::uint8_t { iq2_xxs, iq2_xs, iq2_s, iq3_xxs, iq3_s, iq1 };

/// All entries, computed by the first call. An entry has one byte per level, the first level in the lowest byte: eight levels from
/// 0 to 2, in IQ3 four levels from 0 to 7.
std::span<const std::uint64_t> codebook(Codebook book) noexcept;

}  // namespace heed
