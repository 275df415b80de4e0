// A projector beside a text model: prompts with images, and their caching.
#include "engine/projector.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/pictures/projector_model.hpp"
#include "unit/runtime/pictures/some_pictures.hpp"

using namespace heed;
using engine::Engine;
using engine::Projector;
using runtime::PictureText;
using runtime::TokenId;
using test::check_throws;

namespace {

/// Of the width that the small projectors have.
std::unique_ptr<runtime::Model> text_model() {
  return test::load_bytes(test::family_model("llama", 256, {{"embedding_length", std::int64_t{20}}}));
}

images::Picture shaded(std::uint8_t shade) {
  images::Picture picture{{40, 30}, std::vector<std::uint8_t>(40 * 30 * 3)};
  for (std::size_t i = 0; i < picture.rgb.size(); ++i) picture.rgb[i] = static_cast<std::uint8_t>(i * shade);
  return picture;
}

PictureText read_picture(Projector& projector, const std::string& prompt, const std::vector<images::Picture>& pictures,
                         bool add_special = true) {
  return projector.read(runtime::split_at_marks(prompt, pictures), add_special);
}

struct PictureRun {
  std::vector<TokenId> ids;
  std::size_t reused = 0;
};

PictureRun run_prompt(Engine& engine, const PictureText& prompt, std::optional<engine::SessionId> session = {}) {
  runtime::GenerateOptions options;
  options.sampling.temperature = 0;
  options.max_tokens = 6;
  options.stop_at_end = false;
  engine.begin({.prompt = prompt.tokens, .options = options, .session = session});
  PictureRun outcome;
  while (engine.generates())
    for (const engine::Event& event : engine.step()) {
      CHECK_FALSE(event.error);
      if (event.token) outcome.ids.push_back(event.token->id);
      if (event.ended) outcome.reused = event.ended->timings.reused_tokens;
    }
  return outcome;
}

}  // namespace

TEST_CASE("a picture in a prompt is its rows, the same ones whenever it comes", "[engine][vision]") {
  Engine engine(text_model());
  Projector projector(engine, test::load_projector(test::projector_model("gemma3")));
  const PictureText one = read_picture(projector, "a <image> b", {shaded(3)});
  CHECK(one.tiles.size() == 1);
  CHECK(std::ranges::count_if(one.tokens, [](TokenId id) { return id < 0; }) == 4);
  const std::size_t around = engine.model().tokenizer().encode("a ").size() +
                             engine.model().tokenizer().encode(" b", {.add_special = false}).size();
  CHECK(projector.tokens({40, 30}) == one.tokens.size() - around);
  CHECK(read_picture(projector, "a <image> b", {shaded(3)}).tokens == one.tokens);
  CHECK(read_picture(projector, "a <image> b", {shaded(5)}).tokens != one.tokens);
  const PictureText two = read_picture(projector, "<image><image>", {shaded(3), shaded(5)}, false);
  CHECK(two.tiles[0] == one.tiles[0]);
  CHECK(two.tiles[1] != one.tiles[0]);
}

TEST_CASE("a prefix read with one image is not reused for another", "[engine][vision]") {
  Engine engine(text_model());
  Projector projector(engine, test::load_projector(test::projector_model("gemma3")));
  const PictureRun first = run_prompt(engine, read_picture(projector, "a <image> b", {shaded(3)}));
  CHECK(first.reused == 0);
  const PictureText again = read_picture(projector, "a <image> b", {shaded(3)});
  const PictureRun second = run_prompt(engine, again);
  CHECK(second.reused == again.tokens.size() - 1);
  CHECK(second.ids == first.ids);
  const PictureText other = read_picture(projector, "a <image> b", {shaded(5)});
  const auto picture = std::ranges::find_if(other.tokens, [](TokenId id) { return id < 0; });
  const PictureRun third = run_prompt(engine, other);
  CHECK(third.reused == static_cast<std::size_t>(picture - other.tokens.begin()));
  Engine fresh(text_model());
  Projector alone(fresh, test::load_projector(test::projector_model("gemma3")));
  CHECK(third.ids == run_prompt(fresh, read_picture(alone, "a <image> b", {shaded(5)})).ids);
}

TEST_CASE("a session goes on after pictures", "[engine][vision]") {
  Engine engine(text_model());
  Projector projector(engine, test::load_projector(test::projector_model("gemma3")));
  const engine::SessionId session = engine.create_session();
  run_prompt(engine, read_picture(projector, "a <image> b", {shaded(3)}), session);
  const std::vector<TokenId> before(engine.session_tokens(session).begin(), engine.session_tokens(session).end());
  const engine::SessionId fork = engine.fork_session(session);
  const PictureText more = read_picture(projector, "c <image> d", {shaded(5)}, false);
  const PictureRun continued = run_prompt(engine, more, session);
  CHECK(continued.reused >= before.size() - 1);
  engine.truncate_session(fork, 3);
  CHECK_NOTHROW(engine.save_session(fork));
  check_throws(ErrorCode::unsupported, "session: cannot be saved: it has images", [&] { engine.save_session(session); });

  Engine fresh(text_model());
  Projector alone(fresh, test::load_projector(test::projector_model("gemma3")));
  PictureText whole = read_picture(alone, "a <image> b", {shaded(3)});
  whole.tokens.insert(whole.tokens.end(), before.begin() + static_cast<std::ptrdiff_t>(whole.tokens.size()), before.end());
  const PictureText rest = read_picture(alone, "c <image> d", {shaded(5)}, false);
  whole.tokens.insert(whole.tokens.end(), rest.tokens.begin(), rest.tokens.end());
  CHECK(run_prompt(fresh, whole).ids == continued.ids);
}

TEST_CASE("a projector's file is loaded beside the engine's model, on its threads and in its memory", "[engine][vision]") {
  const std::vector<std::byte> file = test::projector_model("gemma3");
  Engine engine(text_model());
  const std::uint64_t before = engine.memory().bytes;
  const auto loader = Projector::loader(engine);
  loader->write(file);
  auto model = loader->finish();
  CHECK(&model->pool() == &engine.model().pool());
  const std::uint64_t bytes = model->info().memory_bytes;
  CHECK(bytes > 0);
  const std::uint64_t left = engine.bytes_left();
  Projector projector(engine, std::move(model));
  CHECK(engine.memory().bytes == before + bytes);
  CHECK(engine.bytes_left() == left - bytes);

  // including the tower's memory for its largest tile
  read_picture(projector, "<image>", {shaded(3)});
  const std::uint64_t taken = left - bytes - engine.bytes_left();
  const auto alone = test::load_projector(file);
  CHECK(taken == runtime::TileRun(*alone).bytes({32, 32}));
  read_picture(projector, "<image>", {shaded(5)});
  CHECK(engine.bytes_left() == left - bytes - taken);

  Engine small(text_model());
  small.take_bytes(small.bytes_left() - bytes / 2, "test");
  check_throws(ErrorCode::out_of_memory, "but the limit is", [&] { Projector::loader(small)->write(file); });
  check_throws(ErrorCode::out_of_memory, "projector: needs", [&] { Projector(small, test::load_projector(file)); });

  Engine narrow(text_model());
  Projector cramped(narrow, test::load_projector(file));
  narrow.take_bytes(narrow.bytes_left() - taken / 2, "test");
  check_throws(ErrorCode::out_of_memory, "image: needs", [&] { read_picture(cramped, "<image>", {shaded(3)}); });
}

TEST_CASE("a prompt is read tile by tile, without those that are known", "[engine][vision]") {
  Engine engine(text_model());
  Projector projector(engine, test::load_projector(test::projector_model("gemma3")));
  const std::vector<images::Picture> pictures = {shaded(3), shaded(5), shaded(3), shaded(7)};
  const auto pieces = runtime::split_at_marks("a <image> b <image><image> c <image> d", pictures);
  std::size_t steps = 0;
  runtime::PictureTextReader reader = projector.begin_read(pieces);
  while (!reader.prepared()) reader.step();
  for (; !reader.done(); ++steps) reader.step();
  CHECK(steps == 4);  // three tiles, and the text after the last
  const PictureText whole = projector.read(pieces);
  CHECK(reader.text().tokens == whole.tokens);
  const auto either = [](TokenId planned, TokenId id) { return planned == std::max(id, -1); };
  CHECK(std::ranges::equal(projector.plan(pieces), whole.tokens, either));
  CHECK(reader.text().tiles == whole.tiles);
  CHECK(whole.tiles[0] == whole.tiles[2]);
  runtime::PictureTextReader again = projector.begin_read(pieces);
  while (!again.prepared()) again.step();
  again.step();
  CHECK(again.done());
}

TEST_CASE("where the tokens of a picture come from is known without its pixels", "[engine][vision]") {
  Engine engine(text_model());
  for (const std::string type : {"gemma3", "internvl", "pixtral"}) {
    INFO(type);
    Projector projector(engine, test::load_projector(test::projector_model(type)));
    const PictureText text = read_picture(projector, "<image>", {shaded(3)});
    const auto places = projector.picture_tokens({40, 30});
    CHECK(places.size() == static_cast<std::size_t>(std::ranges::count_if(text.tokens, [](TokenId id) { return id < 0; })));
    CHECK(places.back().tile + 1 == text.tiles.size());
  }
}

TEST_CASE("logits and the score of a text with pictures, whose rows have no probability", "[engine][vision]") {
  for (const std::string architecture : {"llama", "qwen3vl", "gemma3"}) {
    INFO(architecture);
    const auto model = test::load_bytes(test::family_model(architecture, 512));
    runtime::Workspace workspace(*model);
    runtime::PrefixCache prefix_cache(workspace, 0);
    const auto tile = test::some_tile(workspace, 20, 10), small = test::some_tile(workspace, 3, 3);  // one is longer than a pass
    const auto text = test::with_tiles(test::some_tokens(14), {{4, tile}, {9, small}, {12, tile}});
    const std::size_t vocabulary = model->info().vocabulary;
    /// Calls `use` for the passes over the first `count` tokens.
    const auto in_passes = [&](std::size_t count, const auto& use) {
      engine::DecoderRun run(workspace, prefix_cache);
      for (std::size_t at = 0, next = 0; at < count; at += next) {
        next = run.next_pass(std::span(text).subspan(at, count - at));
        use(run, at, next);
      }
    };
    std::vector<float> logits;
    in_passes(text.size(), [&](engine::DecoderRun& run, std::size_t at, std::size_t count) {
      const auto rows = *run.forward(std::span(text).subspan(at, count), count);
      REQUIRE(rows.size() == count * vocabulary);
      logits.insert(logits.end(), rows.begin(), rows.end());
    });
    std::vector<float> expected;
    for (std::size_t i = 1; i < text.size(); ++i)
      if (text[i] >= 0)
        expected.push_back(sampling::logprobs_of(std::span(logits).subspan((i - 1) * vocabulary, vocabulary),
                                                 std::span(text).subspan(i, 1))[0]);
    std::vector<float> scored;
    in_passes(text.size() - 1, [&](engine::DecoderRun& run, std::size_t at, std::size_t count) {
      const auto part = *run.score(std::span(text).subspan(at, count + 1));
      scored.insert(scored.end(), part.begin(), part.end());
    });
    CHECK(scored == expected);
    CHECK(scored.size() == 13);
  }
}

TEST_CASE("a bound on a picture's tokens is kept, or named", "[engine][vision]") {
  Engine engine(text_model());
  Projector projector(engine, test::load_projector(test::projector_model("internvl")));
  const images::Picture picture{{90, 60}, std::vector<std::uint8_t>(90 * 60 * 3, 7)};
  const std::size_t free = projector.tokens(picture.size);
  std::size_t before = 0;
  for (std::size_t most = free; most > free / 2; --most) {
    INFO("at most " << most << " of " << free);
    const std::size_t count = projector.tokens(picture.size, most);
    CHECK(count <= most);
    if (count == before) continue;
    before = count;
    const std::vector<runtime::PromptPiece> prompt = {{.picture = &picture, .most_tokens = most}};
    CHECK(projector.plan(prompt, false).size() == count);
    CHECK(projector.read(prompt, false).tokens.size() == count);
    CHECK(projector.picture_tokens(picture.size, most).size() < count);
  }
  CHECK(projector.tokens(picture.size, 1000) == free);
  CHECK(before < free);
  check_throws(ErrorCode::invalid_argument, "maxImageTokens: 3 is too few: an image of 90 x 60 pixels becomes at least ",
               [&] { projector.tokens(picture.size, 3); });
}

TEST_CASE("a projector for another model is refused", "[engine][vision]") {
  Engine wide(test::load_bytes(test::family_model("llama")));
  check_throws(ErrorCode::invalid_file, "clip.vision.projection_dim: makes rows of 20 numbers, but the model reads 32",
               [&] { Projector(wide, test::load_projector(test::projector_model("gemma3"))); });
  Engine reading(text_model());
  check_throws(ErrorCode::unsupported, "has no projector",
               [&] { Projector(reading, test::load_bytes(test::family_model("vit"))); });
  Engine encoder(test::load_bytes(test::family_model("bert")));
  check_throws(ErrorCode::unsupported, "bert: has no decoder to read images",
               [&] { Projector(encoder, test::load_projector(test::projector_model("gemma3"))); });
  Engine both(test::load_bytes(test::family_model("t5")));
  check_throws(ErrorCode::unsupported, "t5: has an encoder, which reads no images",
               [&] { Projector(both, test::load_projector(test::projector_model("gemma3"))); });
}
