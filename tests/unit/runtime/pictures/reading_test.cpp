// Models read the rows of images beside tokens: the same bits however the text is divided, and whole tiles where rows attend to
// each other.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "nn/spec.hpp"
#include "runtime/generate.hpp"
#include "runtime/prefix_cache.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/session.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/next_token.hpp"
#include "support/recorders.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/family_model.hpp"
#include "unit/runtime/pictures/some_pictures.hpp"

using namespace heed;
using namespace heed::runtime;
using test::append;
using test::HeldTile;
using test::some_tile;
using test::some_tokens;
using test::with_tiles;

namespace {

using Ids = std::vector<TokenId>;

/// One family for each way to read images.
constexpr const char* kReaders[] = {"llama", "lfm2", "qwen2vl", "qwen3vl", "qwen35", "gemma3", "gemma4", "paddleocr"};

std::unique_ptr<Model> reader_model(const std::string& architecture, std::size_t context = 96, LoadOptions options = {}) {
  test::Values more;
  if (architecture == "qwen3vl") more["n_deepstack_layers"] = std::int64_t{2};
  options.kv_cache = KvType::f32;
  return test::load_bytes(test::family_model(architecture, context, more), options);
}

bool reads_whole(const Model& model) { return nn::reads_whole_tiles(model.spec().decoder->stack); }

/// Logits of all positions, in passes of at most `batch` tokens where tiles allow it.
std::vector<float> logits_of(Workspace& workspace, const Ids& text, std::size_t batch = kMaxBatch) {
  Sequence sequence(workspace);
  PlacedTiles tiles;
  tiles.read(text, 0, workspace.pictures());
  const std::size_t vocabulary = workspace.model().info().vocabulary;
  std::vector<float> logits(text.size() * vocabulary);
  for (std::size_t at = 0, count = 0; at < text.size(); at += count) {
    count = std::min(batch, text.size() - at);
    if (batch == kMaxBatch)
      CHECK(sequence.next_pass(std::span(text).subspan(at)) == (reads_whole(workspace.model()) ? tiles.whole(at, count) : count));
    if (reads_whole(workspace.model())) count = tiles.whole(at, count);
    REQUIRE(sequence.forward(std::span(text).subspan(at, count), std::span(logits).subspan(at * vocabulary, count * vocabulary)));
  }
  return logits;
}

/// The first position whose logits differ.
std::size_t first_difference(const std::vector<float>& a, const std::vector<float>& b, const Model& model) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin()) / model.info().vocabulary;
}

GenerateOptions greedy(std::size_t tokens) {
  GenerateOptions options;
  options.sampling.temperature = 0;
  options.max_tokens = tokens;
  options.stop_at_end = false;
  return options;
}

/// A tile like another, of other pixels, after `change(rows)`.
template <typename Change>
HeldTile changed(Workspace& workspace, TileRows rows, Change change, std::uint8_t first_pixel = 9) {
  rows.tile.rgb[0] = first_pixel;
  change(rows);
  return workspace.pictures().add(rows);
}

Ids generated(Generation& generation) {
  while (test::next_token(generation)) continue;
  return {generation.generated().begin(), generation.generated().end()};
}

}  // namespace

TEST_CASE("rows that are the embeddings of tokens are read as these tokens", "[runtime][vision]") {
  for (const std::string architecture : {"llama", "lfm2", "gemma2"}) {
    INFO(architecture);
    const auto model = reader_model(architecture);
    Workspace workspace(*model);
    const Ids tokens = some_tokens(20);
    test::StateProbe embeddings(*model, {.layers = {kEmbeddingLayer}, .positions = {4, 5, 6, 7, 8, 9}});
    embeddings.prepare(tokens.size());
    Sequence sequence(workspace);
    REQUIRE(sequence.forward(tokens, {}, &embeddings));
    const HeldTile tile = workspace.pictures().add({.tile = {},
                                                    .grid = {.rows = 6, .columns = 3, .lines = 2},
                                                    .width = embeddings.width(),
                                                    .values = {embeddings.values().begin(), embeddings.values().end()}});
    Ids text(tokens.begin(), tokens.begin() + 4);
    append(text, *tile);
    text.insert(text.end(), tokens.begin() + 10, tokens.end());
    CHECK(logits_of(workspace, text) == logits_of(workspace, tokens));
  }
}

TEST_CASE("a text with pictures has the same logits in passes of any size and on any number of threads", "[runtime][vision]") {
  for (const std::string architecture : kReaders) {
    INFO(architecture);
    const auto model = reader_model(architecture);
    Workspace workspace(*model);
    const HeldTile wide = some_tile(workspace, 5, 2, 1), high = some_tile(workspace, 2, 4, 2);
    const Ids text = with_tiles(some_tokens(20), {{3, wide}, {9, high}, {9, wide}});
    const std::vector<float> logits = logits_of(workspace, text);
    CHECK(std::ranges::all_of(logits, [](float value) { return std::isfinite(value); }));
    for (const std::size_t batch : {1u, 3u, 13u}) CHECK(logits_of(workspace, text, batch) == logits);
    LoadOptions options;
    options.threads = 3;
    const auto threaded = reader_model(architecture, 96, options);
    Workspace other(*threaded);
    const HeldTile same_wide = some_tile(other, 5, 2, 1), same_high = some_tile(other, 2, 4, 2);
    CHECK(logits_of(other, with_tiles(some_tokens(20), {{3, same_wide}, {9, same_high}, {9, same_wide}}), 7) == logits);
  }
}

TEST_CASE("rows see later rows of their tile where the family says so, and nothing else that is later", "[runtime][vision]") {
  for (const std::string architecture : kReaders) {
    INFO(architecture);
    const auto model = reader_model(architecture);
    Workspace workspace(*model);
    const HeldTile tile = some_tile(workspace, 4, 3);
    const HeldTile other = changed(workspace, *tile, [](TileRows& rows) { rows.values.back() += 1; });  // its last row
    const Ids tokens = some_tokens(20);
    const auto logits = logits_of(workspace, with_tiles(tokens, {{5, tile}, {12, tile}}));
    const std::size_t first = reads_whole(*model) ? 0 : 11;
    CHECK(first_difference(logits, logits_of(workspace, with_tiles(tokens, {{5, other}, {12, tile}})), *model) == 5 + first);
    CHECK(first_difference(logits, logits_of(workspace, with_tiles(tokens, {{5, tile}, {12, other}})), *model) == 24 + first);
  }
}

TEST_CASE("each part of a deep row is added after its layer", "[runtime][vision]") {
  const auto model = reader_model("qwen3vl");
  Workspace workspace(*model);
  const std::size_t width = model->info().width;
  const HeldTile tile = some_tile(workspace, 2, 2);
  const auto logits = logits_of(workspace, with_tiles(some_tokens(9), {{4, tile}}));
  for (std::size_t part = 0; part < 3; ++part) {
    const auto second_row = [&](TileRows& rows) { rows.values[rows.width + part * width] += 1; };
    const HeldTile other = changed(workspace, *tile, second_row, static_cast<std::uint8_t>(1 + part));
    INFO("part " << part);
    CHECK(first_difference(logits, logits_of(workspace, with_tiles(some_tokens(9), {{4, other}})), *model) == 5);
  }
}

TEST_CASE("the places of a tile's rows count, not only their order", "[runtime][vision]") {
  for (const std::string architecture : {"qwen2vl", "qwen3vl", "qwen35", "paddleocr"}) {
    INFO(architecture);
    const auto model = reader_model(architecture);
    Workspace workspace(*model);
    const HeldTile tile = some_tile(workspace, 4, 3);
    const HeldTile other = changed(workspace, *tile, [](TileRows& rows) { rows.grid = {.rows = 12, .columns = 3, .lines = 4}; });
    const Ids tokens = some_tokens(12);
    const auto logits = logits_of(workspace, with_tiles(tokens, {{5, tile}}));
    CHECK(first_difference(logits, logits_of(workspace, with_tiles(tokens, {{5, other}})), *model) == 5 + 3);
  }
}

TEST_CASE("a tile whose rows attend to each other is read in one pass, alone if it is long", "[runtime][vision]") {
  for (const std::string architecture : {"gemma3", "gemma4"}) {
    INFO(architecture);
    const auto model = reader_model(architecture, 400);
    Workspace workspace(*model);
    const HeldTile tile = some_tile(workspace, 20, 10), small = some_tile(workspace, 3, 3);
    const Ids text = with_tiles(some_tokens(12), {{4, tile}, {8, small}});
    const auto logits = logits_of(workspace, text);
    Sequence sequence(workspace);
    const auto refuses = [&](std::size_t at, std::size_t count, const std::string& message) {
      test::check_throws(ErrorCode::invalid_argument, message, [&] { sequence.forward(std::span(text).subspan(at, count), {}); });
      CHECK(sequence.tokens().size() == at);
    };
    const auto reads = [&](std::size_t at, std::size_t count) { CHECK(sequence.forward(std::span(text).subspan(at, count), {})); };
    refuses(0, 100, "tokens: the rows of an image must be read in one pass");
    reads(0, 4);
    refuses(4, 128, "must be read in one pass");
    refuses(4, 201, "a batch must have from 1 to 128 tokens");
    reads(4, 200);
    refuses(204, 6, "must be read in one pass");
    reads(204, 17);
    sequence.truncate(210);  // within the small one
    CHECK(sequence.tokens().size() <= 208);
    CHECK(sequence.tiles().across(sequence.tokens().size()) == nullptr);
    sequence.truncate(100);
    CHECK(sequence.tokens().size() <= 4);
    CHECK(sequence.tiles().empty());

    Sequence own(workspace);
    Generation generation(own, text, greedy(1));
    generated(generation);
    const auto last = std::span(logits).last(model->info().vocabulary);
    CHECK(generation.generated()[0] == std::ranges::max_element(last) - last.begin());
  }
}

TEST_CASE("texts with pictures are the same alone, beside others, and with another's beginning", "[runtime][vision][scheduler]") {
  for (const std::string architecture : kReaders) {
    INFO(architecture);
    LoadOptions options;
    options.threads = 2;
    const auto model = reader_model(architecture, 400, options);
    Workspace workspace(*model);
    const HeldTile large = some_tile(workspace, 20, 8, 1), small = some_tile(workspace, 4, 3, 2),
                   twin = some_tile(workspace, 4, 3, 3);
    const std::vector<Ids> prompts = {with_tiles(some_tokens(30), {{6, small}, {20, small}}),
                                      with_tiles(some_tokens(30), {{6, twin}, {20, small}}), some_tokens(100, 5),
                                      with_tiles(some_tokens(9), {{6, large}}),
                                      with_tiles(some_tokens(40), {{6, small}, {30, large}})};
    std::vector<Ids> alone;
    for (const Ids& prompt : prompts) {
      Sequence sequence(workspace);
      Generation generation(sequence, prompt, greedy(8));
      alone.push_back(generated(generation));
    }
    CHECK(logits_of(workspace, prompts[0]) != logits_of(workspace, prompts[1]));

    PrefixCache kept(workspace, model->info().sequence_bytes * 4);
    Scheduler scheduler(workspace, kept);
    std::vector<std::unique_ptr<Sequence>> sequences;
    std::vector<std::unique_ptr<Generation>> generations;
    const auto begin = [&](const Ids& prompt) {
      sequences.push_back(std::make_unique<Sequence>(workspace));
      generations.push_back(std::make_unique<Generation>(*sequences.back(), prompt, greedy(8), nullptr, &kept));
      scheduler.add(*generations.back());
    };
    for (const Ids& prompt : prompts) begin(prompt);
    while (!scheduler.idle()) scheduler.step();
    for (std::size_t i = 0; i < prompts.size(); ++i) CHECK(std::ranges::equal(generations[i]->generated(), alone[i]));

    kept.keep(std::move(*sequences[0]));
    begin(prompts[1]);
    CHECK(generations.back()->timings().reused_tokens <= 6);  // the other image is not taken for this one
    begin(prompts[0]);
    if (sequences.back()->truncates_exactly()) CHECK(generations.back()->timings().reused_tokens >= prompts[0].size() - 12);
    while (!scheduler.idle()) scheduler.step();
    CHECK(std::ranges::equal(generations[5]->generated(), alone[1]));
    CHECK(std::ranges::equal(generations[6]->generated(), alone[0]));
    CHECK(std::ranges::none_of(generations, [](const auto& generation) { return generation->error().has_value(); }));
  }
}

TEST_CASE("unsupported operations on texts with images are rejected", "[runtime][vision]") {
  const auto model = reader_model("gemma3");
  Workspace workspace(*model);
  HeldTile tile = some_tile(workspace, 2, 2);
  const Ids text = with_tiles(some_tokens(6), {{3, tile}});
  Sequence sequence(workspace);
  GenerateOptions shifting = greedy(1);
  shifting.context_shift = 2;
  test::check_throws(ErrorCode::invalid_argument, "context_shift: cannot move a text with images",
                     [&] { Generation(sequence, text, shifting); });
  test::check_throws(ErrorCode::invalid_argument, "prompt: must have a token after its last image",
                     [&] { Generation(sequence, Ids(text.begin(), text.begin() + 7), greedy(1)); });
  Generation cut(sequence, text, greedy(1));
  generated(cut);
  Session session(workspace);
  session.tokens = text;
  session.tiles = cut.tiles();
  test::check_throws(ErrorCode::unsupported, "session: cannot be saved: it has images", [&] { session.save(); });
  session.truncate(3);
  CHECK(session.save().size() > 0);

  Sequence edited(workspace);
  const auto change = [&](Edit edit) {
    Changes changes;
    changes.edits = std::make_shared<const Edits>(*model, std::vector{std::move(edit)});
    edited.change(changes);
  };
  change({.kind = Edit::Kind::cut, .edges = {{5, 4}}});
  test::check_throws(ErrorCode::unsupported, "edits: do not cut attention in texts with images", [&] { edited.forward(text, {}); });
  CHECK(edited.tokens().empty());
  GenerateOptions cutting = greedy(1);
  cutting.changes = edited.changes();
  test::check_throws(ErrorCode::unsupported, "edits: do not cut attention", [&] { Generation(sequence, text, cutting); });
  change({.kind = Edit::Kind::scale, .point = nn::Point::head, .head = 0, .factor = 0.5f});
  CHECK(edited.forward(text, {}));
}

TEST_CASE("rows are read as long as something holds them, and a text that has read them does", "[runtime][vision]") {
  const auto model = reader_model("llama");
  Workspace workspace(*model);
  HeldTile tile = some_tile(workspace, 2, 2);
  const Ids text = with_tiles(some_tokens(6), {{3, tile}});
  std::optional<Sequence> sequence(workspace);
  CHECK(sequence->forward(text, {}));
  tile.reset();
  std::optional<Sequence> copy = sequence;
  sequence.reset();
  copy->truncate(4);
  CHECK(copy->forward(std::span(text).subspan(4), {}));
  copy->truncate(3);
  test::check_throws(ErrorCode::invalid_argument, "is not in the vocabulary, nor a row of an image",
                     [&] { copy->forward(std::span(text).subspan(3), {}); });
}
