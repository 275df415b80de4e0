// A sound in a text, as towers read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heed::runtime {

struct HeardSound {
  std::size_t count = 0;            // samples, at audio::kRate
  std::vector<float> samples = {};  // these; empty where only their number is known
  std::uint64_t checksum = 0;       // of them
};

/// A part of a sound, which a tower reads at a time.
struct SoundPart {
  std::shared_ptr<const HeardSound> sound = {};
  std::size_t index = 0;
};

/// Throws invalid_argument for no samples, and for one that is no finite number or beyond 8.
std::shared_ptr<const HeardSound> heard_sound(std::vector<float> samples);
/// One without samples, to plan a prompt. Throws invalid_argument for 0.
std::shared_ptr<const HeardSound> planned_sound(std::size_t samples);

/// Whether both have the same samples.
bool same(const HeardSound& a, const HeardSound& b) noexcept;

}  // namespace heed::runtime
