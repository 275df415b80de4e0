// Any bytes as the header of an mmproj file: an Error, or a projector that converts an image to rows. The input contains no
// weights, which are all the same small number. The seeds are headers of every type of projector.
#include <cstdlib>

#include "base/error.hpp"
#include "base/thread_pool.hpp"
#include "runtime/pictures/picture_text.hpp"
#include "support/load.hpp"
#include "unit/runtime/family_model.hpp"
#include "unit/runtime/pictures/marker_vocabulary.hpp"

using namespace heed;

namespace {

constexpr images::Size kSize{24, 16};
constexpr std::size_t kMostPatches = 64, kMostPixels = 4096;  // that are worth the time

void check(const Error& error) {
  if (error.message().empty()) std::abort();
}

/// Of the width that the seeds' projectors have.
const runtime::Model& text_model() {
  static const auto model = test::load_bytes(test::family_model("llama", 64, {{"embedding_length", std::int64_t{20}}}));
  return *model;
}

std::unique_ptr<runtime::Model> load(std::span<const std::byte> header) {
  static const auto pool = std::make_shared<ThreadPool>(1);
  static const std::vector<std::byte> weights(std::size_t{1} << 16, std::byte{0x3c});  // 0.01 as F32, 1.06 as F16
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
  runtime::LoadOptions options;
  options.memory_limit = kMostBytes;
  runtime::Loader loader(std::move(options), &runtime::kProjectorFile, pool);
  loader.write(header);
  while (loader.info() && loader.bytes_written() < std::min(loader.bytes_expected(), 2 * kMostBytes)) {
    const std::uint64_t missing = loader.bytes_expected() - loader.bytes_written();
    loader.write(std::span(weights).first(static_cast<std::size_t>(std::min<std::uint64_t>(missing, weights.size()))));
  }
  return loader.finish();
}

bool is_cheap(const nn::PatchSpec& patches, const images::Layout& layout) {
  std::size_t pixels = layout.first ? layout.first->pixels() : 0;
  for (const images::Size tile : layout.tiles()) pixels += tile.pixels();
  return pixels <= kMostPixels && pixels <= kMostPatches * patches.patch * patches.patch;
}

/// A text model may refuse its rows; the tower makes them all the same.
void check_pair(runtime::TileRun& run) {
  try {
    runtime::check_reads(text_model(), run);
  } catch (const Error& error) {
    check(error);
  }
}

void read_picture(runtime::TileRun& run) {
  static const auto vocabulary = test::marker_tokenizer();
  const tokenizer::Tokenizer& tokenizer = *vocabulary;
  const images::Layout layout = runtime::layout_within(kSize, 0, tokenizer, run);
  if (!is_cheap(run.spec().patches, layout)) return;
  const auto tiles = layout.tiles();
  const auto areas = layout.areas(kSize);
  for (std::size_t i = 0; i < tiles.size(); ++i)
    if (run.areas(tiles[i], areas[i], kSize).size() != run.rows(tiles[i])) std::abort();

  const images::Picture picture{kSize, std::vector<std::uint8_t>(kSize.pixels() * 3, 200)};
  const std::size_t tokens = runtime::count_tokens(layout, tokenizer, run);
  for (const std::size_t most : {std::size_t{0}, tokens, tokens / 2}) {
    const runtime::PromptPiece piece{.picture = &picture, .most_tokens = most};
    runtime::Pictures known;
    const runtime::PictureText text = runtime::read_text({&piece, 1}, tokenizer, run, known, false);
    if (text.tokens.size() > (most == 0 ? tokens : most)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto projector = load(std::as_bytes(std::span(data, size)));
    runtime::TileRun run(*projector);
    check_pair(run);
    read_picture(run);
  } catch (const Error& error) {
    check(error);
  }
  return 0;
}
