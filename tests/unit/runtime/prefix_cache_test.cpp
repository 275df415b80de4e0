// Text that has been processed is not processed again, as far as memory allows.
#include "runtime/prefix_cache.hpp"

#include <catch2/catch_test_macros.hpp>

#include "runtime/generate.hpp"
#include "support/load.hpp"
#include "support/next_token.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;

namespace {

std::vector<TokenId> text(std::size_t common, std::size_t own, TokenId mark) {
  std::vector<TokenId> tokens;
  for (std::size_t i = 0; i < common; ++i) tokens.push_back(static_cast<TokenId>(3 + i * 7 % 300));
  tokens.insert(tokens.end(), own, mark);
  return tokens;
}

Sequence read(Workspace& workspace, const std::vector<TokenId>& tokens) {
  Sequence sequence(workspace);
  for (std::size_t i = 0; i < tokens.size(); i += kMaxBatch)
    REQUIRE(sequence.forward(std::span(tokens).subspan(i, std::min(kMaxBatch, tokens.size() - i)), {}));
  return sequence;
}

}  // namespace

TEST_CASE("a prompt finds the longest beginning that was read before", "[runtime][prefix]") {
  const auto model = test::load_bytes(test::family_model("llama", 1000));
  Workspace workspace(*model);
  PrefixCache kept(workspace, model->info().sequence_bytes);
  kept.keep(read(workspace, text(300, 10, 5)));
  kept.keep(read(workspace, text(400, 10, 6)));
  CHECK(kept.size() == 2);
  CHECK(kept.find(text(300, 5, 5)).tokens().size() == 310);
  CHECK(kept.find(text(400, 5, 9)).tokens().size() == 410);
  CHECK(kept.find({}).tokens().empty());
  CHECK(kept.find(std::vector<TokenId>{1}).tokens().empty());

  GenerateOptions options;
  options.max_tokens = 5;
  options.stop_at_end = false;
  Sequence sequence = kept.find(text(400, 30, 8));
  Generation reusing(sequence, text(400, 30, 8), options);
  Sequence fresh(workspace);
  Generation alone(fresh, text(400, 30, 8), options);
  for (Generation* generation : {&reusing, &alone})
    while (test::next_token(*generation)) continue;
  CHECK(reusing.timings().reused_tokens == 400);
  CHECK(std::ranges::equal(reusing.generated(), alone.generated()));
}

TEST_CASE("a text that goes on takes the place of its beginning", "[runtime][prefix]") {
  const auto model = test::load_bytes(test::family_model("llama", 1000));
  Workspace workspace(*model);
  PrefixCache kept(workspace, model->info().sequence_bytes);
  kept.keep(read(workspace, text(100, 0, 0)));
  kept.keep(read(workspace, text(200, 0, 0)));
  CHECK(kept.size() == 1);
  kept.keep(read(workspace, text(100, 1, 5)));
  CHECK(kept.size() == 2);
}

TEST_CASE("the least recently used sequence is dropped first, and memory stays within the budget", "[runtime][prefix]") {
  const auto model = test::load_bytes(test::family_model("llama", 1000));
  Workspace workspace(*model);
  const std::uint64_t of_one = [&] {
    const Sequence one = read(workspace, text(0, 256, 5));
    return workspace.decoder_caches()->used_bytes();
  }();
  PrefixCache kept(workspace, 3 * of_one);
  for (const TokenId mark : {5, 6, 7}) kept.keep(read(workspace, text(0, 256, mark)));
  CHECK(kept.size() == 3);
  CHECK_FALSE(kept.find(text(0, 10, 5)).tokens().empty());  // it is used again
  kept.keep(read(workspace, text(0, 256, 8)));
  CHECK(kept.size() == 3);
  CHECK(kept.find(text(0, 10, 6)).tokens().empty());
  CHECK_FALSE(kept.find(text(0, 10, 5)).tokens().empty());
  CHECK(workspace.decoder_caches()->used_bytes() <= 3 * of_one);
  kept.clear();
  CHECK(workspace.decoder_caches()->used_bytes() == 0);
  CHECK(workspace.decoder_caches()->allocated_bytes() == 0);
}

TEST_CASE("texts in use do not count against the cache", "[runtime][prefix]") {
  const auto model = test::load_bytes(test::family_model("llama", 1000));
  Workspace workspace(*model);
  std::vector<Sequence> used;
  for (const TokenId mark : {5, 6, 7}) used.push_back(read(workspace, text(0, 256, mark)));
  const std::uint64_t of_one = workspace.decoder_caches()->used_bytes() / used.size();
  PrefixCache kept(workspace, 2 * of_one);
  for (const TokenId mark : {8, 9, 10}) kept.keep(read(workspace, text(0, 256, mark)));
  CHECK(kept.size() == 2);
  for (const Sequence& sequence : used) kept.keep(sequence);
  CHECK(kept.size() == 3);  // a copy of a text in use counts half
}

TEST_CASE("by default, the cache is at most as large as a text that fills the context", "[runtime][prefix]") {
  for (const char* family : {"llama", "mamba2"}) {
    CAPTURE(family);
    const auto model = test::load_bytes(test::family_model(family, 1000));
    Workspace workspace(*model);
    PrefixCache kept(workspace, model->info().prefix_cache_bytes);
    kept.keep(read(workspace, text(0, 1000, 3)));
    CHECK(kept.size() == 1);
    for (TokenId mark = 10; mark < 140; ++mark) kept.keep(read(workspace, text(0, 20, mark)));
    CHECK(workspace.decoder_caches()->used_bytes() <= model->info().prefix_cache_bytes);
    CHECK(kept.size() > 1);
  }
}

TEST_CASE("recurrent states count as memory of the cache", "[runtime][prefix]") {
  const auto model = test::load_bytes(test::family_model("mamba2", 1000));  // keeps nothing else
  Workspace workspace(*model);
  const std::uint64_t of_one = [&] {
    const Sequence one = read(workspace, text(0, 300, 5));
    return workspace.decoder_caches()->used_bytes();
  }();
  CHECK(of_one >= 2 * workspace.decoder_caches()->state_bytes());  // including the saved states
  PrefixCache kept(workspace, 3 * of_one);
  for (const TokenId mark : {5, 6, 7, 8}) kept.keep(read(workspace, text(0, 300, mark)));
  CHECK(kept.size() == 3);
  kept.clear();
  CHECK(workspace.decoder_caches()->used_bytes() == 0);
  CHECK(workspace.decoder_caches()->allocated_bytes() == 0);
}

TEST_CASE("twenty conversations over one beginning read that once", "[runtime][prefix]") {
  const auto model = test::load_bytes(test::family_model("llama", 2000));
  Workspace workspace(*model);
  PrefixCache kept(workspace, model->info().sequence_bytes);
  GenerateOptions options;
  options.max_tokens = 3;
  options.stop_at_end = false;
  std::size_t prompts = 0, reused = 0;
  for (TokenId i = 0; i < 20; ++i) {
    const auto prompt = text(1000, 20, i + 10);
    Sequence sequence = kept.find(prompt);
    Generation generation(sequence, prompt, options);
    while (test::next_token(generation)) continue;
    kept.keep(std::move(sequence));
    if (i == 0) continue;
    prompts += 1000;
    reused += generation.timings().reused_tokens;
  }
  CHECK(reused >= prompts * 95 / 100);
  // shared: one text of 1000 tokens, and a chunk or so for each conversation
  CHECK(workspace.decoder_caches()->used_bytes() <= model->info().context_bytes * (4 + 20) / 8);
}
