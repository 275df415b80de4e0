#include "cli/png.hpp"

#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <memory>
#include <vector>

#include "base/error.hpp"

namespace heed::cli {
namespace {

/// Carries the message out of libpng's error function, which jumps.
struct PngFailure {
  std::string message = "is not a sound PNG file";
};

struct PngReader {
  PngFailure failure;
  png_structp png = nullptr;
  png_infop info = nullptr;

  PngReader() {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure, fail, ignore);
    if (png) info = png_create_info_struct(png);
    if (!info) throw Error(ErrorCode::out_of_memory, "not enough memory to read PNG files", "image");
  }
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  static void fail(png_structp png, png_const_charp message) {
    static_cast<PngFailure*>(png_get_error_ptr(png))->message = std::string("is not a sound PNG file: ") + message;
    png_longjmp(png, 1);
  }
  static void ignore(png_structp, png_const_charp) {}
};

// libpng reports errors by longjmp, which skips destructors: the functions that call it have no objects to destroy.

/// Reads the header, and asks for 8-bit RGB. Returns false on failure.
bool begin_png(PngReader& reader, std::FILE* file, images::Size& size) {
  png_structp const png = reader.png;
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_init_io(png, file);
  png_set_user_limits(png, images::kMostSide, images::kMostSide);
  png_read_info(png, reader.info);
  size = {png_get_image_width(png, reader.info), png_get_image_height(png, reader.info)};
  png_set_strip_16(png);
  png_set_palette_to_rgb(png);
  png_set_expand_gray_1_2_4_to_8(png);
  png_set_gray_to_rgb(png);
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, reader.info);
  return true;
}

/// `rows`: where each row begins. Returns false on failure.
bool read_png_rows(PngReader& reader, png_bytepp rows) {
  png_structp const png = reader.png;
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_read_image(png, rows);
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

images::Picture read_png(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) throw Error(ErrorCode::io, "cannot be opened", path);
  PngReader reader;
  images::Picture picture;
  if (!begin_png(reader, file.get(), picture.size)) throw Error(ErrorCode::invalid_argument, reader.failure.message, path);
  images::check_size(picture.size);
  if (png_get_rowbytes(reader.png, reader.info) != picture.size.width * 3)
    throw Error(ErrorCode::invalid_argument, "has pixels that are not of three values", path);
  picture.rgb.resize(picture.size.pixels() * 3);
  std::vector<png_bytep> rows;
  rows.reserve(picture.size.height);
  for (std::size_t y = 0; y < picture.size.height; ++y) rows.push_back(picture.at(0, y));
  if (!read_png_rows(reader, rows.data())) throw Error(ErrorCode::invalid_argument, reader.failure.message, path);
  return picture;
}

}  // namespace heed::cli
