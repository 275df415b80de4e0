#include "runtime/hearing/heard_sound.hpp"

#include <bit>
#include <utility>

#include "audio/mel.hpp"
#include "audio/wav.hpp"
#include "base/checksum.hpp"
#include "base/error.hpp"

namespace heed::runtime {

std::shared_ptr<const HeardSound> heard_sound(std::vector<float> samples) {
  audio::Sound sound{audio::kRate, std::move(samples)};
  audio::check_sound(sound);
  Checksum checksum;
  for (const float sample : sound.samples) checksum.add_word(std::bit_cast<std::uint32_t>(sample));
  const std::size_t count = sound.samples.size();
  return std::make_shared<const HeardSound>(HeardSound{count, std::move(sound.samples), checksum.value()});
}

std::shared_ptr<const HeardSound> planned_sound(std::size_t samples) {
  if (samples == 0) throw Error(ErrorCode::invalid_argument, "has no samples", "audio");
  return std::make_shared<const HeardSound>(HeardSound{.count = samples});
}

bool same(const HeardSound& a, const HeardSound& b) noexcept {
  return &a == &b || (a.checksum == b.checksum && a.samples == b.samples);
}

}  // namespace heed::runtime
