// Sessions: forks, truncations, and saved bytes that any machine can continue.
#include <catch2/catch_test_macros.hpp>

#include "kernels/dispatch.hpp"
#include "runtime/generate.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/session.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/next_token.hpp"
#include "support/tiny_model.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::check_throws;
using test::load_bytes;
using test::some_tokens;

namespace {

/// Continues the session's text, and appends the result.
std::vector<TokenId> write(Session& session, const std::vector<TokenId>& more, std::size_t count = 8) {
  GenerateOptions options;
  options.max_tokens = count;
  options.stop_at_end = false;
  options.sampling.temperature = 1.5f;
  std::vector<TokenId> prompt = session.tokens;
  prompt.insert(prompt.end(), more.begin(), more.end());
  Generation generation(session.sequence, prompt, options);
  while (test::next_token(generation)) continue;
  session.tokens.assign(generation.text().begin(), generation.text().end());
  return {generation.generated().begin(), generation.generated().end()};
}

}  // namespace

TEST_CASE("a saved session goes on as it would have, on any target", "[runtime][session]") {
  for (const std::string architecture : {"llama", "gemma3", "gemma4", "lfm2", "deepseek2", "bloom", "qwen35", "mamba2", "falcon-h1",
                                         "mamba", "plamo2", "rwkv6", "rwkv7", "kimi-linear", "hrm_text"}) {
    for (const KvType kv : {KvType::f32, KvType::f16, KvType::int16, KvType::q8, KvType::q4}) {
      INFO(architecture << ", " << to_string(kv));
      const auto file = test::family_model(architecture, 700);
      LoadOptions options;
      options.kv_cache = kv;
      const auto model = load_bytes(file, options);
      Workspace workspace(*model);
      Session session(workspace);
      write(session, some_tokens(560));
      const std::vector<std::byte> saved = session.save();
      const std::vector<TokenId> expected = write(session, some_tokens(20, 9));
      for (const kernels::Kernels* target : kernels::available()) {
        INFO(target->name);
        options.target = target->name;
        const auto other = load_bytes(file, options);
        Workspace elsewhere(*other);
        Session again = restore_session(elsewhere, saved);
        CHECK(again.save() == saved);
        CHECK(again.sequence.tokens().size() >= 560);
        CHECK(write(again, some_tokens(20, 9)) == expected);
      }
    }
  }
}

TEST_CASE("a fork and its origin go on by themselves", "[runtime][session]") {
  for (const auto& [architecture, kv] : {std::pair<std::string, KvType>{"llama", KvType::f32},
                                         {"gemma3", KvType::f32},
                                         {"gemma4", KvType::f32},
                                         {"lfm2", KvType::f32},
                                         {"qwen3next", KvType::f32},
                                         {"llama", KvType::q8},
                                         {"llama", KvType::q4},
                                         {"gemma3", KvType::q4},
                                         {"gemma4", KvType::q4}}) {
    INFO(architecture << ", " << to_string(kv));
    LoadOptions options;
    options.kv_cache = kv;
    const auto model = load_bytes(test::family_model(architecture, 700), options);
    Workspace workspace(*model);
    Session first(workspace);
    write(first, some_tokens(300));
    const std::uint64_t before = workspace.decoder_caches()->used_bytes();
    Session second = first;
    CHECK(workspace.decoder_caches()->used_bytes() == before + workspace.decoder_caches()->state_bytes());
    const auto of_second = write(second, some_tokens(30, 5));
    const auto of_first = write(first, some_tokens(40, 6));
    second.truncate(290);
    const auto after_cut = write(second, some_tokens(5, 7));

    const auto alone = [&](std::vector<TokenId> tokens, std::size_t count, std::size_t mark) {
      Workspace fresh(*model);
      Session session(fresh);
      session.tokens = std::move(tokens);
      return write(session, some_tokens(count, mark));
    };
    const std::vector<TokenId> beginning(first.tokens.begin(), first.tokens.begin() + 308);
    CHECK(of_second == alone(beginning, 30, 5));
    CHECK(of_first == alone(beginning, 40, 6));
    CHECK(after_cut == alone({beginning.begin(), beginning.begin() + 290}, 5, 7));
  }
}

TEST_CASE("damaged or foreign bytes are rejected with the reason", "[runtime][session]") {
  const auto model = load_bytes(test::tiny_llama(DType::q8_0)), other = load_bytes(test::tiny_llama(DType::q4_0));
  Workspace workspace(*model);
  Session session(workspace);
  write(session, some_tokens(30));
  const std::vector<std::byte> saved = session.save();
  const auto refused = [&](const std::string& why, std::span<const std::byte> bytes) {
    check_throws(ErrorCode::invalid_argument, "session: " + why, [&] { restore_session(workspace, bytes); });
  };
  refused("these bytes are not a saved session", {});
  refused("these bytes are not a saved session", std::span(saved).first(20));
  refused("is damaged", std::span(saved).first(saved.size() - 1));
  for (std::size_t i = 0; i < saved.size(); i += i < 64 ? 1 : 97) {
    std::vector<std::byte> damaged = saved;
    damaged[i] ^= std::byte{0x10};
    INFO("byte " << i);
    refused(i < 8 ? "these bytes are not a saved session" : i < 12 ? "was saved in format version" : "is damaged", damaged);
  }
  Workspace of_other(*other);
  check_throws(ErrorCode::invalid_argument, "session: belongs to another model", [&] { restore_session(of_other, saved); });
  LoadOptions options;
  options.kv_cache = KvType::f32;
  const auto exact = load_bytes(test::tiny_llama(DType::q8_0), options);
  Workspace of_exact(*exact);
  check_throws(ErrorCode::invalid_argument, "session: was saved with a different kvCache",
               [&] { restore_session(of_exact, saved); });
  options = {};
  options.context_length = 16;
  const auto small = load_bytes(test::tiny_llama(DType::q8_0), options);
  Workspace of_small(*small);
  check_throws(ErrorCode::invalid_argument, "session: has 38 tokens, but the context has room for 16",
               [&] { restore_session(of_small, saved); });
  CHECK(write(session, some_tokens(5)).size() == 8);  // the workspace is as it was
}

TEST_CASE("a full context that is shifted goes on as from a fresh text", "[runtime][session]") {
  for (const std::string architecture : {"llama", "gemma3", "gemma4", "lfm2", "gpt2", "qwen35"}) {
    INFO(architecture);
    const auto model = load_bytes(test::family_model(architecture, 64));
    Workspace workspace(*model);
    GenerateOptions options;
    options.sampling.temperature = 0;
    options.stop_at_end = false;
    options.max_tokens = 200;
    options.context_shift = 6;
    options.speculate = false;  // a pass is a token then
    Sequence sequence(workspace);
    Generation generation(sequence, some_tokens(40), options);
    Generation* const self = &generation;
    std::vector<TokenId> text = some_tokens(40);
    std::size_t shifts = 0;
    while (!generation.ended()) {
      const std::size_t before = generation.generated().size();
      REQUIRE(run_together(workspace, {&self, 1}));
      for (std::size_t i = before; i < generation.generated().size(); ++i) text.push_back(generation.generated()[i]);
      if (generation.text().size() >= text.size()) continue;
      // the first 6 tokens and the later half of the rest stay, and the text continues after these
      REQUIRE(text.size() == 65);
      const std::size_t kept = (65 - 6 + 1) / 2;
      std::vector<TokenId> expected(text.begin(), text.begin() + 6);
      expected.insert(expected.end(), text.end() - static_cast<std::ptrdiff_t>(kept), text.end());
      CHECK(std::ranges::equal(generation.text(), expected));
      text = expected;
      Workspace elsewhere(*model);
      Sequence other(elsewhere);
      GenerateOptions once = options;
      once.max_tokens = 20;
      Generation fresh(other, text, once);
      while (test::next_token(fresh)) continue;
      while (generation.generated().size() < before + 21 && !generation.ended()) REQUIRE(run_together(workspace, {&self, 1}));
      const auto continued = generation.generated().subspan(std::min(before + 1, generation.generated().size()));
      const std::size_t common = std::min<std::size_t>(continued.size(), 20);
      CHECK(std::ranges::equal(continued.first(common), fresh.generated().first(common)));
      text.insert(text.end(), continued.begin(), continued.end());
      ++shifts;
    }
    CHECK(shifts >= 4);
    CHECK(generation.finish_reason() == FinishReason::length);
    CHECK(generation.generated().size() == 200);
  }
}
