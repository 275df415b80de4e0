#include "images/picture.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace heed::images {

void check_size(Size size) {
  const std::string text = std::to_string(size.width) + " x " + std::to_string(size.height) + " pixels; ";
  if (size.width == 0 || size.height == 0 || size.width > kMostSide || size.height > kMostSide)
    throw Error(ErrorCode::invalid_argument, text + "sides must be from 1 to " + std::to_string(kMostSide), "image");
  if (size.pixels() > kMostPixels)
    throw Error(ErrorCode::invalid_argument, text + "there may be at most " + std::to_string(kMostPixels), "image");
}

void check(const Picture& picture) {
  check_size(picture.size);
  if (picture.rgb.size() != picture.size.pixels() * 3)
    throw Error(ErrorCode::invalid_argument,
                "has " + std::to_string(picture.rgb.size()) + " bytes, but must have 3 for each of " +
                    std::to_string(picture.size.width) + " x " + std::to_string(picture.size.height) + " pixels",
                "image");
}

Picture picture_of(Size size, std::span<const std::uint8_t> bytes) {
  check_size(size);
  if (bytes.size() != size.pixels() * 4) {
    Picture picture{size, {bytes.begin(), bytes.end()}};
    check(picture);
    return picture;
  }
  Picture picture{size, std::vector<std::uint8_t>(size.pixels() * 3)};
  for (std::size_t i = 0; i < size.pixels(); ++i)
    for (std::size_t c = 0; c < 3; ++c) picture.rgb[i * 3 + c] = on_white(bytes[i * 4 + c], bytes[i * 4 + 3]);
  return picture;
}

}  // namespace heed::images
