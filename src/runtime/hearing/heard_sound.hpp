// A sound in a text, as towers read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heed::runtime {

struct HeardSound {
  std::size_t count = 0;            // samples, at audio::kRate
  std::vector<float> samples = {};  // empty if only their number is known
  std::uint64_t checksum = 0;       // of the samples
};

/// A part of a sound. A tower reads one part at a time.
struct SoundPart {
  std::shared_ptr<const HeardSound> sound = {};
  std::size_t index = 0;
};

/// Throws invalid_argument if there are no samples, or if one is not a finite number from -8 to 8.
std::shared_ptr<const HeardSound> heard_sound(std::vector<float> samples);
/// A sound of which only the number of samples is known, to plan a prompt. Throws invalid_argument for 0.
std::shared_ptr<const HeardSound> planned_sound(std::size_t samples);

/// Whether both have the same samples.
bool same(const HeardSound& a, const HeardSound& b) noexcept;

}  // namespace heed::runtime
