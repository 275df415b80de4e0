// The codebooks of IQ1, IQ2 and IQ3: a stored index stands for four or eight levels at once. Which levels go together
// was chosen when the formats were made; an entry is its place in an ascending list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heed {

enum class Codebook : std::uint8_t { iq2_xxs, iq2_xs, iq2_s, iq3_xxs, iq3_s, iq1 };

/// Every entry, as eight bytes (IQ3: four) of a level each, the first value's lowest. Levels are 0 to 2, those of IQ3 0 to
/// 7. Made at the first call.
std::span<const std::uint64_t> codebook(Codebook book) noexcept;

}  // namespace heed
