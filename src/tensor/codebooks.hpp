// The codebooks of IQ1, IQ2 and IQ3: a stored index selects an entry of four or eight levels. The formats define the set of
// entries, which is sorted; the index is the position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heed {

enum class Codebook : std::uint8_t { iq2_xxs, iq2_xs, iq2_s, iq3_xxs, iq3_s, iq1 };

/// All entries. An entry has a byte per level, eight (IQ3: four) of them, the first level in the lowest. Levels are 0 to 2, in IQ3
/// 0 to 7. Computed by the first call.
std::span<const std::uint64_t> codebook(Codebook book) noexcept;

}  // namespace heed
