// Damaged projectors, and projectors and images that do not fit each other: each is an error with the reason, or works.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "runtime/pictures/picture_text.hpp"
#include "support/damage.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "unit/runtime/pictures/marker_vocabulary.hpp"
#include "unit/runtime/pictures/projector_model.hpp"

using namespace heed;

namespace {

/// Of the width that the small projectors have.
const runtime::Model& hostile_reader() {
  static const auto model = test::load_bytes(test::family_model("llama", 256, {{"embedding_length", std::int64_t{20}}}));
  return *model;
}

std::unique_ptr<runtime::Model> load_hostile(std::span<const std::byte> file, std::size_t chunk) {
  runtime::LoadOptions options;
  options.memory_limit = std::uint64_t{64} << 20;
  return test::load_bytes(file, options, chunk, &runtime::kProjectorFile);
}

/// The tokens of the image.
std::size_t read_hostile(const runtime::Model& projector, const images::Picture& picture) {
  constexpr std::size_t kMostTokens = 400;
  runtime::TileRun run(projector);
  const runtime::PromptPiece piece{.picture = &picture, .most_tokens = kMostTokens};
  runtime::Pictures known;
  return runtime::read_text({&piece, 1}, *test::marker_tokenizer(), run, known, false).tokens.size();
}

}  // namespace

TEST_CASE("damaged projectors are errors or read pictures", "[runtime][hostile][vision]") {
  const images::Picture picture{{24, 16}, std::vector<std::uint8_t>(24 * 16 * 3, 99)};
  test::DamageOutcomes outcomes;
  for (const std::string type : test::kProjectorTypes) {
    const auto file = test::projector_model(type);
    CHECK(read_hostile(*load_hostile(file, 65536), picture) > 0);
    test::use_damaged(file, type, 60, outcomes, [&](const std::vector<std::byte>& copy, std::size_t chunk) {
      const std::size_t tokens = read_hostile(*load_hostile(copy, chunk), picture);
      CHECK(tokens > 0);
    });
  }
  CHECK(outcomes.refused > 300);  // the damage is real,
  CHECK(outcomes.worked > 60);    // and is not all of it
}

TEST_CASE("pictures and projectors that cannot be read are refused, by name", "[runtime][hostile][vision]") {
  const auto tokenizer = test::marker_tokenizer();
  std::size_t refused = 0;
  const auto refuses = [&](ErrorCode code, const std::string& part, auto&& action) {
    test::check_throws(code, part, action);
    ++refused;
  };
  for (const std::string type : test::kProjectorTypes) {
    INFO(type);
    const test::Values values = test::projector_values(type);
    const auto projector = test::load_projector(test::projector_model(values));
    const runtime::TileRun run(*projector);
    for (const images::Size size : {images::Size{0, 0}, {0, 5}, {5, 0}, {32769, 1}, {1, 100000}, {100000, 100000}, {20000, 20000}})
      refuses(ErrorCode::invalid_argument, "image: " + std::to_string(size.width) + " x " + std::to_string(size.height) + " pixels",
              [&] { runtime::layout_within(size, 0, *tokenizer, run); });
    for (const std::size_t bytes : {0, 1, 24 * 16 * 3 - 1, 24 * 16 * 3 + 1, 24 * 16 * 4})
      refuses(ErrorCode::invalid_argument, "image: has " + std::to_string(bytes) + " bytes",
              [&] { read_hostile(*projector, {{24, 16}, std::vector<std::uint8_t>(bytes)}); });
    refuses(ErrorCode::invalid_argument, "maxImageTokens: 1 is too few",
            [&] { runtime::layout_within({24, 16}, 1, *tokenizer, run); });
    for (const std::int64_t width : {1, 19, 21, 4096}) {
      const auto other = test::load_projector(test::projector_model(test::with(values, "clip.vision.projection_dim", width)));
      runtime::TileRun rows(*other);
      refuses(ErrorCode::invalid_file, "clip.vision.projection_dim: makes rows of " + std::to_string(rows.row_width()),
              [&] { runtime::check_reads(hostile_reader(), rows); });
    }
    for (const std::string wanted : {"v.patch_embd.weight", "v.blk.0.attn_out.weight", "v.blk.1.ffn_down.weight"}) {
      if (type == "mlp" && wanted.starts_with("v.blk.1")) continue;
      const auto drop = [&](test::Tensors& tensors) {
        std::erase_if(tensors, [&](const auto& tensor) { return tensor.first == wanted; });
      };
      refuses(ErrorCode::invalid_file, wanted, [&] { test::load_projector(test::projector_model(values, drop)); });
    }
  }
  CHECK(refused > 200);
}
