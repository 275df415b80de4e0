#include "images/layout.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"

// Ratios are 32-bit floats, as in the families' own processors: which of two sizes is nearer may depend on rounding.
namespace heed::images {
namespace {

float real(std::size_t n) { return static_cast<float>(n); }
std::size_t whole(float x) { return static_cast<std::size_t>(x); }

std::size_t rounded_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

/// The nearest multiple of the unit, at least one.
std::size_t nearest(std::size_t n, std::size_t unit) { return std::max(unit, whole(std::round(real(n) / real(unit))) * unit); }

struct LayOut {
  const Preparation& preparation;
  Size picture;

  Layout operator()(const Square& rule) const { return {.canvas = {rule.side, rule.side}, .fitted = true}; }

  Layout operator()(const OwnSize& rule) const { return {.canvas = own_size(rule, picture), .fitted = preparation.fitted}; }

  Layout operator()(const LongestEdge& rule) const {
    const auto shorter = [&](std::size_t side, std::size_t longer) {
      const double scaled = static_cast<double>(rule.edge) * static_cast<double>(side) / static_cast<double>(longer);
      const auto length = static_cast<std::size_t>(scaled);
      return std::max<std::size_t>(length + length % 2, 1);
    };
    const Size first = picture.width >= picture.height ? Size{rule.edge, shorter(picture.height, picture.width)}
                                                       : Size{shorter(picture.width, picture.height), rule.edge};
    const Size canvas{rounded_up(first.width, rule.tile), rounded_up(first.height, rule.tile)};
    return {.first = first,
            .canvas = canvas,
            .columns = canvas.width / rule.tile,
            .rows = canvas.height / rule.tile,
            .overview = Size{rule.tile, rule.tile},
            .of_canvas = true};
  }

  Layout operator()(const MostPixels& rule) const {
    const Size tile{rule.tile, rule.tile};
    if (rule.most == 0 || (picture.width <= rule.tile && picture.height <= rule.tile)) return {.canvas = tile};
    Layout best;
    std::size_t most_kept = 0, least_wasted = 0;
    for (std::size_t columns = rule.least; columns <= rule.most; ++columns)
      for (std::size_t rows = std::max((rule.least + columns - 1) / columns, rule.least); rows <= rule.most / columns; ++rows) {
        const Size canvas{columns * rule.tile, rows * rule.tile};
        const float scale = std::min(real(canvas.width) / real(picture.width), real(canvas.height) / real(picture.height));
        const std::size_t scaled = whole(real(picture.width) * scale) * whole(real(picture.height) * scale);
        const std::size_t kept = std::min(scaled, picture.pixels()), wasted = canvas.pixels() - std::min(kept, canvas.pixels());
        if (best.canvas.pixels() != 0 && (kept < most_kept || (kept == most_kept && wasted >= least_wasted))) continue;
        best = {.canvas = canvas, .fitted = true, .columns = columns, .rows = rows, .overview = tile};
        most_kept = kept;
        least_wasted = wasted;
      }
    return best;
  }

  Layout operator()(const NearestShape& rule) const {
    constexpr std::size_t kTolerance = 2;  // an image of up to this many times the overview's maximum of pixels is not cut
    const OwnSize& overview = rule.overview;
    const std::size_t pixels = nearest(picture.width, overview.unit) * nearest(picture.height, overview.unit);
    if (rule.most == 0 || pixels <= kTolerance * overview.most) return {.canvas = own_size(overview, picture)};
    std::size_t best_columns = 1, best_rows = 1;
    float least = 0;
    bool found = false;
    for (std::size_t count = rule.least; count <= rule.most; ++count)
      for (std::size_t columns = 1; columns <= count; ++columns) {
        if (count % columns != 0) continue;
        const std::size_t rows = count / columns;
        const float difference = std::abs(real(picture.width) / real(picture.height) - real(columns) / real(rows));
        const bool half_filled = 2 * picture.pixels() > rule.tile * rule.tile * count;
        if (found && (difference > least || (difference == least && !half_filled))) continue;
        found = true;
        least = difference;
        best_columns = columns;
        best_rows = rows;
      }
    return {.canvas = {best_columns * rule.tile, best_rows * rule.tile},
            .fitted = true,
            .columns = best_columns,
            .rows = best_rows,
            .overview = own_size(overview, picture)};
  }

  Layout operator()(const Whole& rule) const { return {.canvas = {rule.side, rule.side}}; }
};

/// Lowers a bound; returns false if that is not possible.
struct Lower {
  const Preparation& preparation;
  Size picture;

  bool operator()(Square&) const { return false; }

  bool operator()(Whole&) const { return false; }

  bool operator()(OwnSize& rule) const {
    const std::size_t pixels = own_size(rule, picture).pixels();
    while (rule.most > rule.least) {
      const std::size_t step = rule.most >= pixels ? rule.most - pixels + 1 : rule.unit * rule.unit;
      rule.most -= std::min(step, rule.most - rule.least);
      if (own_size(rule, picture).pixels() < pixels) return true;
    }
    return false;
  }

  bool operator()(LongestEdge& rule) const {
    if (rule.edge <= rule.tile) return false;
    rule.edge = (rule.edge - 1) / rule.tile * rule.tile;
    return true;
  }

  bool operator()(MostPixels& rule) const { return lower_tiles(rule.most, rule.least * rule.least); }

  bool operator()(NearestShape& rule) const {
    if (lower_tiles(rule.most, rule.least)) return true;
    rule.most = 0;
    return (*this)(rule.overview);
  }

 private:
  /// Lowers the maximum number of tiles in a grid: below the image's number, but at least `least`; otherwise to 0. Returns false if
  /// the image is not cut at all.
  bool lower_tiles(std::size_t& most, std::size_t least) const {
    const Layout layout = layout_of(preparation, picture);
    if (!layout.overview) return false;
    most = layout.columns * layout.rows - 1;
    if (most < least) most = 0;
    return true;
  }
};

}  // namespace

std::vector<Size> Layout::tiles() const {
  std::vector<Size> sizes(columns * rows, tile());
  if (overview) sizes.push_back(*overview);
  return sizes;
}

std::vector<Rectangle> Layout::areas(Size picture) const {
  const Rectangle whole{0, 0, static_cast<double>(picture.width), static_cast<double>(picture.height)};
  const Size inner = fitted ? fitted_size(picture, canvas) : canvas;
  const double x_scale = whole.width / static_cast<double>(inner.width), y_scale = whole.height / static_cast<double>(inner.height);
  const std::size_t left = (canvas.width - inner.width) / 2, top = (canvas.height - inner.height) / 2;
  const double width = static_cast<double>(tile().width) * x_scale, height = static_cast<double>(tile().height) * y_scale;
  std::vector<Rectangle> areas;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      areas.push_back({static_cast<double>(column) * width - static_cast<double>(left) * x_scale,
                       static_cast<double>(row) * height - static_cast<double>(top) * y_scale, width, height});
  if (overview) areas.push_back(whole);
  return areas;
}

Size fitted_size(Size picture, Size canvas) {
  const float scale = std::min(real(canvas.width) / real(picture.width), real(canvas.height) / real(picture.height));
  const auto side = [&](std::size_t n, std::size_t most) { return std::min(whole(std::ceil(real(n) * scale)), most); };
  return {side(picture.width, canvas.width), side(picture.height, canvas.height)};
}

Size own_size(const OwnSize& rule, Size picture) {
  const std::size_t unit = rule.unit;
  const Size size{nearest(picture.width, unit), nearest(picture.height, unit)};
  if (size.pixels() > rule.most) {
    const float shrink = std::sqrt(real(picture.pixels()) / real(rule.most));
    const auto side = [&](std::size_t n) { return std::max(unit, whole(std::floor(real(n) / shrink / real(unit))) * unit); };
    return {side(picture.width), side(picture.height)};
  }
  if (size.pixels() < rule.least) {
    const float grow = std::sqrt(real(rule.least) / real(picture.pixels()));
    const auto side = [&](std::size_t n) { return whole(std::ceil(real(n) * grow / real(unit))) * unit; };
    return {side(picture.width), side(picture.height)};
  }
  return size;
}

Layout layout_of(const Preparation& preparation, Size picture) {
  check_size(picture);
  const Layout layout = std::visit(LayOut{preparation, picture}, preparation.method);
  for (const Size size : {layout.first.value_or(Size{1, 1}), layout.canvas, layout.overview.value_or(Size{1, 1})})
    if (size.width > kMostPixels || size.height > kMostPixels / size.width)
      throw Error(ErrorCode::invalid_argument,
                  "becomes " + std::to_string(size.width) + " x " + std::to_string(size.height) +
                      " pixels for this model; there may be at most " + std::to_string(kMostPixels),
                  "image");
  return layout;
}

std::optional<Preparation> coarser(const Preparation& preparation, Size picture) {
  Preparation lower = preparation;
  if (!std::visit(Lower{preparation, picture}, lower.method)) return std::nullopt;
  return lower;
}

}  // namespace heed::images
