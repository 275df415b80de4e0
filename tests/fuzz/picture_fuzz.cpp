// Any image for any projector: an Error, or tiles for the projector's tower that match its layout. The first bytes choose the type
// of projector, then the sizes in its header, then the image's size and bytes.
#include <cstdlib>
#include <set>
#include <string_view>

#include "base/error.hpp"
#include "fuzz/engine_arguments.hpp"
#include "fuzz/small_projectors.hpp"
#include "images/tiles.hpp"

using namespace heed;
using images::Layout;
using images::Picture;
using images::Preparation;
using images::Size;

namespace {

constexpr std::size_t kMostPixels = 1024;  // of images that are worth the time
constexpr std::size_t kMostSteps = 8;      // to fewer pixels

/// As the header of a file asks for it.
Preparation some_preparation(test::Input& input) {
  static const auto projectors = [] {
    std::vector<test::Values> values;
    for (const char* type : test::kProjectorTypes) values.push_back(test::small_projector(type));
    return values;
  }();
  static const std::set<std::string_view> sizes = {
      "clip.vision.image_size",         "clip.vision.patch_size",         "clip.vision.projector.scale_factor",
      "clip.vision.spatial_merge_size", "clip.vision.preproc_image_size", "clip.vision.image_min_pixels",
      "clip.vision.image_max_pixels",   "clip.vision.preproc_min_tiles",  "clip.vision.preproc_max_tiles"};
  const auto some_number = [&](const formats::Metadata::Value& usual) -> formats::Metadata::Value {
    const std::uint8_t form = input.byte();
    if (form >= 248) return std::int64_t{input.any<std::uint32_t>()};
    if (form >= 224) return std::int64_t{input.any<std::uint16_t>()};
    return form >= 128 ? std::int64_t{input.byte()} : usual;
  };
  formats::Metadata metadata;
  for (const auto& [key, value] : projectors[input.below(projectors.size())])
    metadata.set(key, sizes.contains(key) ? some_number(value) : value);
  return models::projector_spec(metadata).vision->preparation;
}

Size some_size(test::Input& input) {
  const bool huge = input.rarely();
  const auto side = [&] { return huge ? std::size_t{input.any<std::uint32_t>() >> input.below(32)} : input.below(64); };
  const std::size_t width = side();
  return {width, side()};
}

Picture some_picture(test::Input& input, Size size) {
  images::check_size(size);
  const std::size_t channels = 3 + input.below(2), missing = input.rarely() ? input.byte() : 0;
  std::vector<std::uint8_t> bytes(size.pixels() * channels - std::min(missing, size.pixels()));
  for (std::uint8_t& byte : bytes) byte = input.byte();
  return images::picture_of(size, bytes);
}

std::size_t pixels_of(const Layout& layout) {
  std::size_t pixels = layout.first ? layout.first->pixels() : 0;
  for (const Size tile : layout.tiles()) pixels += tile.pixels();
  return pixels;
}

void check(const Layout& layout, Size picture) {
  const std::vector<Size> tiles = layout.tiles();
  if (layout.canvas != Size{layout.tile().width * layout.columns, layout.tile().height * layout.rows}) std::abort();
  const std::vector<images::Rectangle> areas = layout.areas(picture);
  if (areas.size() != tiles.size()) std::abort();
  for (const Size tile : tiles)
    if (tile.pixels() == 0) std::abort();
  for (const images::Rectangle& area : areas)
    if (!(area.width > 0 && area.height > 0)) std::abort();
}

void make_tiles(const Preparation& preparation, const Layout& layout, const Picture& picture) {
  const std::vector<Picture> tiles = images::tiles_of(preparation, layout, picture);
  const std::vector<Size> sizes = layout.tiles();
  if (tiles.size() != sizes.size()) std::abort();
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    if (tiles[i].size != sizes[i]) std::abort();
    images::check(tiles[i]);
    if (images::normalize(preparation, tiles[i]).size() != sizes[i].pixels() * 3) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::Input input({data, size});
  try {
    std::optional<Preparation> preparation = some_preparation(input);
    const Size picture = some_size(input);
    std::optional<Picture> pixels;
    for (std::size_t step = 0; preparation && step < kMostSteps; ++step) {
      const Layout layout = images::layout_of(*preparation, picture);
      check(layout, picture);
      if (step == 0 && picture.pixels() + pixels_of(layout) <= kMostPixels)
        make_tiles(*preparation, layout, some_picture(input, picture));
      preparation = images::coarser(*preparation, picture);
    }
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
