#include "grammar/regular/leap_second.hpp"

#include <array>
#include <optional>

namespace heed::grammar {
namespace {

/// The progress within "hh:mm:60.f+hh:mm", packed into a state.
struct TimeRead {
  std::uint32_t place;  // position of the next byte, 0 to 15, or kEnd
  std::uint32_t hour, minute;
  bool east;  // the offset has a +

  static constexpr std::uint32_t kFraction = 9;  // the fraction's first digit
  static constexpr std::uint32_t kMoreFraction = 10;
  static constexpr std::uint32_t kOffset = 11;
  static constexpr std::uint32_t kEnd = 16;

  std::uint32_t packed() const { return place | hour << 5 | minute << 10 | (east ? 1U : 0U) << 16; }
  static TimeRead unpack(std::uint32_t state) { return {state & 31, state >> 5 & 31, state >> 10 & 63, (state >> 16 & 1) != 0}; }

  /// Byte `at` (0 to 4) of the offset after its sign.
  std::uint8_t offset_byte(std::uint32_t at) const {
    const std::uint32_t hours = east ? (minute == 59 ? hour + 1 : hour) % 24 : 23 - hour;
    const std::uint32_t minutes = east ? (minute + 1) % 60 : 59 - minute;
    const std::array<std::uint32_t, 5> bytes = {'0' + hours / 10, '0' + hours % 10, ':', '0' + minutes / 10, '0' + minutes % 10};
    return static_cast<std::uint8_t>(bytes[at]);
  }
};

bool is_between(std::uint8_t byte, char first, char last) { return byte >= first && byte <= last; }

std::optional<TimeRead> read(TimeRead time, std::uint8_t byte) {
  const std::uint32_t digit = byte - std::uint32_t{'0'};
  const std::uint32_t place = time.place++;
  switch (place) {
    case 0: time.hour = digit; return is_between(byte, '0', '2') ? std::optional(time) : std::nullopt;
    case 1: {
      const char last = time.hour == 2 ? '3' : '9';
      time.hour = 10 * time.hour + digit;
      return is_between(byte, '0', last) ? std::optional(time) : std::nullopt;
    }
    case 3: time.minute = digit; return is_between(byte, '0', '5') ? std::optional(time) : std::nullopt;
    case 4: time.minute = 10 * time.minute + digit; return is_between(byte, '0', '9') ? std::optional(time) : std::nullopt;
    case 2:
    case 5: return byte == ':' ? std::optional(time) : std::nullopt;
    case 6: return byte == '6' ? std::optional(time) : std::nullopt;
    case 7: return byte == '0' ? std::optional(time) : std::nullopt;
    case 8:
      if (byte == '.') return time;
      break;
    case TimeRead::kFraction:
    case TimeRead::kMoreFraction:
      time.place = TimeRead::kMoreFraction;
      if (is_between(byte, '0', '9')) return time;
      if (place == TimeRead::kFraction) return std::nullopt;
      break;
    case TimeRead::kEnd: return std::nullopt;
    default: return byte == time.offset_byte(place - TimeRead::kOffset) ? std::optional(time) : std::nullopt;
  }
  time.place = TimeRead::kOffset;
  time.east = byte == '+';
  if (byte == '+' || byte == '-') return time;
  const bool utc = (byte == 'Z' || byte == 'z') && time.hour == 23 && time.minute == 59;
  time.place = TimeRead::kEnd;
  return utc ? std::optional(time) : std::nullopt;
}

}  // namespace

std::uint8_t LeapSecond::class_of(std::uint8_t byte) const {
  static constexpr std::string_view kBytes = "0123456789:.+-Z";
  const std::size_t found = kBytes.find(byte == 'z' ? 'Z' : static_cast<char>(byte));
  return static_cast<std::uint8_t>(found == std::string_view::npos ? kBytes.size() : found);
}

std::uint32_t LeapSecond::step(std::uint32_t state, std::uint8_t byte) {
  const auto time = read(TimeRead::unpack(state), byte);
  return time ? time->packed() : kDead;
}

bool LeapSecond::accepts(std::uint32_t state) { return TimeRead::unpack(state).place == TimeRead::kEnd; }

}  // namespace heed::grammar
