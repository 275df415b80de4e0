// Drafts by heads, assistants and small models change the time of a text, never the text; and are those of the whole text, however it came
// to be read.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <tuple>

#include "runtime/drafts/drafting.hpp"
#include "runtime/session.hpp"
#include "support/errors.hpp"
#include "unit/runtime/chain_model.hpp"
#include "unit/runtime/drafted_model.hpp"

using namespace heed;
using namespace heed::runtime;
using namespace heed::test;

namespace {

/// Compares texts with drafts to those without; returns how many drafts there were, and how many were right.
std::pair<std::size_t, std::size_t> compare(const Drafted& drafted, std::size_t texts, bool few = true) {
  std::size_t all = 0, right = 0;
  Sequence kept(*drafted.workspace);
  for (std::size_t i = 0; i < texts; ++i) {
    INFO("text " << i);
    GenerateOptions options = some_options(i, few);
    if (i % 3 == 0) kept = Sequence(*drafted.workspace);
    if (i % 3 == 1) kept.truncate(i % 5);
    Sequence copy = kept;  // a fork
    const std::vector<TokenId> prompt = some_prompt(i);
    const Written with = write(i % 2 == 0 ? kept : copy, prompt, options);
    options.speculate = false;
    Workspace plain(*drafted.model);
    Sequence alone(plain);
    const Written without = write(alone, prompt, options);
    CHECK(with == without);
    CHECK(with.timings.drafts().drafted <= with.timings.guessed_tokens);
    CHECK(without.timings.speculation == Speculation::off);
    check_places(with);
    check_places(without);
    CHECK(without.timings.draft_places[0].drafted == 0);
    all += with.timings.drafts().drafted;
    right += with.timings.drafts().right;
  }
  return {all, right};
}

/// The tokens of a draft after each position from `from` on.
std::vector<TokenId> drafts_of(Workspace& workspace, Sequence sequence, const std::vector<TokenId>& text, std::size_t steps) {
  std::vector<TokenId> drafts;
  for (std::size_t p = sequence.tokens().size(); p < text.size(); ++p) {
    if (workspace.drafter()->begin(sequence, std::span(text).first(p + 1), steps) == DraftStart::ready) {
      TokenId last = text[p];
      for (std::size_t i = 0; i < steps; ++i) drafts.push_back(last = best_of_ten(workspace.drafter()->next(last)).id);
    }
    sequence.forward(std::span(text).subspan(p, 1), {});
  }
  return drafts;
}

}  // namespace

TEST_CASE("with drafts by heads and without, a text is the same", "[runtime][drafts]") {
  std::size_t right = 0, threads = 1;
  for (const auto& [architecture, heads] :
       std::vector<std::pair<std::string, std::int64_t>>{{"qwen35", 1}, {"qwen35moe", 1}, {"step35", 2}, {"qwen35", 2}}) {
    INFO(architecture << ", " << heads);
    const Drafted drafted(model_with_heads(architecture, heads), {}, threads++);
    const auto [all, of_these] = compare(drafted, 24);
    CHECK(all > 100);
    CHECK(of_these < all);
    right += of_these;
  }
  CHECK(right > 50);
}

TEST_CASE("with drafts from a shortlist and without drafts, a text is the same", "[runtime][drafts]") {
  for (const auto& [architecture, heads] : std::vector<std::pair<std::string, std::int64_t>>{{"qwen35", 1}, {"step35", 2}}) {
    INFO(architecture);
    const Drafted drafted(model_with_heads(architecture, heads), {}, 2);
    drafted.workspace->drafter()->use_shortlist();
    const auto [all, right] = compare(drafted, 24);
    CHECK(all > 50);
    CHECK(right > 10);
  }
  const auto target = family_model("qwen35", kDraftContext);
  const Drafted eagle(target, draft_for(target, eagle_values("qwen35"), "output.weight"));
  eagle.workspace->drafter()->use_shortlist();
  CHECK(compare(eagle, 12).first > 25);
  const Drafted dflash(target, draft_for(target, dflash_values(), "output.weight"));
  dflash.workspace->drafter()->use_shortlist();
  CHECK(compare(dflash, 12).first > 25);
}

TEST_CASE("heads choose among the tokens of the shortlist alone", "[runtime][drafts]") {
  const auto file = model_with_heads("qwen35", 1);
  const std::vector<TokenId> text = some_prompt(9);
  const auto first_step = [&](bool with_shortlist) {
    const Drafted drafted(file);
    if (with_shortlist) drafted.workspace->drafter()->use_shortlist();
    Sequence sequence(*drafted.workspace);
    sequence.forward(std::span(text).first(text.size() - 1), {});
    REQUIRE(drafted.workspace->drafter()->begin(sequence, text, 1) == DraftStart::ready);
    const auto logits = drafted.workspace->drafter()->next(text.back());
    return std::vector<float>(logits.begin(), logits.end());
  };
  const std::vector<float> all = first_step(false), some = first_step(true);
  std::size_t listed = 0;
  for (std::size_t id = 0; id < all.size(); ++id) {
    if (std::isinf(some[id])) continue;
    ++listed;
    CHECK(some[id] == all[id]);
  }
  CHECK(std::ranges::none_of(text, [&](TokenId id) { return std::isinf(some[static_cast<std::size_t>(id)]); }));
  CHECK(listed < all.size());
}

TEST_CASE("with drafts by another model and without, a text is the same", "[runtime][drafts]") {
  std::size_t threads = 0;
  for (const std::string architecture :
       {"llama", "gemma3", "qwen35", "lfm2", "falcon-h1", "mamba", "mamba2", "rwkv6", "rwkv7", "kimi-linear", "granitehybrid"}) {
    INFO(architecture);
    const auto file = test::family_model(architecture, kDraftContext);
    const auto [all, right] = compare(Drafted(file, file, 1 + threads++ % 4), 16, false);  // its own draft: right at temperature 0
    CHECK(all > 50);
    CHECK(right > 20);
    CHECK(right < all);
  }
}

TEST_CASE("with an assistant and without, a text is the same", "[runtime][drafts]") {
  const auto target = test::family_model("gemma4", kDraftContext);
  test::Values values = assistant_values();
  const auto assistant = [&](const test::Values& of) { return draft_for(target, of, "token_embd.weight"); };
  const auto [all, right] = compare(Drafted(target, assistant(values), 2), 30);
  CHECK(all > 100);
  CHECK(right > 10);
  CHECK(right < all);
  values["gemma4-assistant.attention.key_length"] = std::int64_t{16};
  test::check_throws(ErrorCode::invalid_file, "gemma4-assistant.attention.head_count_kv: must fit the keys and values",
                     [&] { assistant(values); });
}

TEST_CASE("with EAGLE and without, a text is the same", "[runtime][drafts]") {
  for (const std::string architecture : {"llama", "qwen35", "gemma3"}) {
    INFO(architecture);
    const auto target = test::family_model(architecture, kDraftContext);
    test::Values values = eagle_values(architecture);
    const auto eagle = [&] { return draft_for(target, values, "output.weight"); };
    const Drafted drafted(target, eagle(), 3);
    const auto [all, right] = compare(drafted, 24);
    CHECK(all > 100);
    CHECK(right > 10);
    CHECK(right < all);
    values["eagle3.target_layers"] = formats::Metadata::Integers{0, 5};
    test::check_throws(ErrorCode::invalid_file, "eagle3.target_layers: must be at most 16 layers of the model, which has 4", eagle);
  }
}

TEST_CASE("with DFlash and without, a text is the same", "[runtime][drafts]") {
  for (const std::string architecture : {"llama", "qwen35", "gemma3"}) {
    INFO(architecture);
    const auto target = test::family_model(architecture, kDraftContext);
    const Drafted drafted(target, draft_for(target, dflash_values(), "output.weight"), 3);
    CHECK(drafted.workspace->drafter()->most() == 5);
    const auto [all, right] = compare(drafted, 24);
    CHECK(all > 100);
    CHECK(right > 10);
    CHECK(right < all);
  }
}

TEST_CASE("a DFlash file that does not fit its model is refused", "[runtime][drafts]") {
  const auto target = test::family_model("llama", kDraftContext);
  const auto refused = [&](const char* key, const formats::Metadata::Value& value, const std::string& message) {
    test::Values values = dflash_values();
    values[key] = value;
    test::check_throws(ErrorCode::invalid_file, message, [&] { draft_for(target, values, "output.weight"); });
  };
  refused("dflash.target_layers", formats::Metadata::Integers{0, 5}, "dflash.target_layers: must be at most 16 layers");
  refused("dflash.target_layers", formats::Metadata::Integers{}, "dflash.target_layers: names no layer");
  refused("dflash.block_size", std::int64_t{1}, "dflash.block_size: must be at least 2");
  refused("tokenizer.ggml.mask_token_id", std::int64_t{1000000}, "tokenizer.ggml.mask_token_id: is not in the vocabulary");
}

TEST_CASE("with drafts and without, a text is the same with a cache in blocks", "[runtime][drafts][kv]") {
  for (const KvType cache : {KvType::q8, KvType::q4}) {
    INFO(to_string(cache));
    for (const auto& [architecture, heads] : std::vector<std::pair<std::string, std::int64_t>>{{"qwen35", 1}, {"step35", 2}}) {
      INFO(architecture);
      const auto [all, right] = compare(Drafted(model_with_heads(architecture, heads), {}, 3, cache), 12);
      CHECK(all > 50);
      CHECK(right < all);
    }
    const auto file = test::family_model("gemma3", kDraftContext);
    CHECK(compare(Drafted(file, file, 2, cache), 12, false).second > 10);
    CHECK(compare(Drafted(file, draft_for(file, dflash_values(), "output.weight"), 2, cache), 12).first > 50);
  }
}

TEST_CASE("states can be taken back to any token of a pass that keeps them", "[runtime][drafts]") {
  for (const std::string architecture : {"qwen35", "lfm2", "falcon-h1", "mamba", "mamba2", "rwkv6", "rwkv7", "kimi-linear"}) {
    const auto file = test::family_model(architecture, kDraftContext);
    for (const std::size_t threads : {1, 3}) {
      INFO(architecture << ", " << threads << " threads");
      LoadOptions options;
      options.threads = threads;
      const auto model = test::load_bytes(file, options);
      Workspace workspace(*model);
      const std::vector<TokenId> text = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, other = {20, 21, 22};
      const std::size_t vocabulary = model->info().vocabulary;
      for (std::size_t kept = 1; kept <= 5; ++kept) {
        Sequence sequence(workspace), fresh(workspace);
        sequence.forward(std::span(text).first(4), {});
        const auto next = std::span(text).subspan(4, 6);
        const ForwardInput input{&sequence, next, 0, nullptr, next.size() - 1};
        REQUIRE(forward(workspace, {&input, 1}, {}));
        sequence.truncate(4 + kept);
        REQUIRE(sequence.tokens().size() == 4 + kept);
        std::vector<float> logits(other.size() * vocabulary), expected(logits.size());
        sequence.forward(other, logits);
        fresh.forward(std::span(text).first(4 + kept), {});
        fresh.forward(other, expected);
        CHECK(logits == expected);
      }
    }
  }
}

TEST_CASE("drafts are those of the whole text, however it was read", "[runtime][drafts]") {
  for (const auto& [architecture, heads, cache] : std::vector<std::tuple<std::string, std::int64_t, KvType>>{
           {"qwen35", 1, KvType::f32}, {"step35", 2, KvType::f32}, {"qwen35", 1, KvType::q4}, {"step35", 2, KvType::q4}}) {
    INFO(architecture << ", " << to_string(cache));
    const Drafted drafted(model_with_heads(architecture, heads), {}, 1, cache);
    Workspace& workspace = *drafted.workspace;
    const std::vector<TokenId> text = some_prompt(38);
    const std::size_t half = text.size() / 2;
    const Sequence empty(workspace);
    const std::vector<TokenId> all = drafts_of(workspace, empty, text, 2);
    REQUIRE(all.size() == 2 * text.size());
    const std::vector<TokenId> rest(all.begin() + static_cast<std::ptrdiff_t>(2 * half), all.end());
    Session session(workspace);
    session.tokens.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(half));
    session.sequence.forward(session.tokens, {});
    CHECK(drafts_of(workspace, session.sequence, text, 2) == rest);  // a copy
    CHECK(drafts_of(workspace, restore_session(workspace, session.save()).sequence, text, 2) == rest);
    const auto read = [&](std::span<const TokenId> tokens, std::size_t taken_back) {
      Sequence sequence(workspace);
      sequence.forward(tokens.first(half - 2), {});
      const auto next = tokens.subspan(half - 2, 2 + taken_back);
      const ForwardInput input{&sequence, next, 0, nullptr, next.size() - 1};
      forward(workspace, {&input, 1}, {});
      sequence.truncate(half);
      return sequence;
    };
    for (const std::size_t taken_back : {0, 1, 5}) CHECK(drafts_of(workspace, read(text, taken_back), text, 2) == rest);
  }
}

TEST_CASE("a session that was saved without drafts is continued without them", "[runtime][drafts]") {
  const auto file = model_with_heads("qwen35", 1);
  const auto plain = test::load_bytes(file);
  Workspace without(*plain);
  Session session(without);
  session.tokens = {3, 4, 5, 6};
  session.sequence.forward(session.tokens, {});
  const Drafted drafted(file);
  Session restored = restore_session(*drafted.workspace, session.save());
  GenerateOptions options = some_options(2);
  options.max_tokens = 10;
  std::vector<TokenId> prompt = session.tokens;
  prompt.push_back(7);
  const Written written = write(restored.sequence, prompt, options);
  CHECK(written.timings.drafts().drafted == 0);
  CHECK(written.timings.speculation == Speculation::unread);
  CHECK(written == write(session.sequence, prompt, options));
  // and the other way round
  Session again(*drafted.workspace);
  again.tokens = {3, 4, 5, 6};
  again.sequence.forward(again.tokens, {});
  CHECK(restore_session(without, again.save()).sequence.tokens().size() == 4);
}

TEST_CASE("several texts at once have their own drafts", "[runtime][drafts]") {
  const Drafted drafted(model_with_heads("qwen35", 1), {}, 2);
  for (std::size_t round = 0; round < 6; ++round) {
    std::vector<std::unique_ptr<Sequence>> sequences;
    std::vector<std::unique_ptr<Generation>> generations;
    std::vector<Generation*> running;
    for (std::size_t i = 0; i < 4; ++i) {
      sequences.push_back(std::make_unique<Sequence>(*drafted.workspace));
      generations.push_back(std::make_unique<Generation>(*sequences[i], some_prompt(round * 4 + i), some_options(round * 4 + i)));
      running.push_back(generations[i].get());
    }
    while (!running.empty()) {
      REQUIRE(run_together(*drafted.workspace, running));
      std::erase_if(running, [](const Generation* generation) { return generation->ended(); });
    }
    for (std::size_t i = 0; i < 4; ++i) {
      GenerateOptions options = some_options(round * 4 + i);
      options.speculate = false;
      Sequence alone(*drafted.workspace);
      const Written expected = write(alone, some_prompt(round * 4 + i), options);
      const auto tokens = generations[i]->generated();
      CHECK(std::vector<TokenId>(tokens.begin(), tokens.end()) == expected.tokens);
    }
  }
}

TEST_CASE("timings say why there are no drafts", "[runtime][drafts]") {
  const auto file = test::family_model("lfm2", kDraftContext);
  const auto model = test::load_bytes(file);
  Workspace plain(*model);
  GenerateOptions options = some_options(2);
  const auto speculation = [&](Workspace& workspace) {
    Sequence sequence(workspace);
    return write(sequence, {3, 4, 5}, options).timings.speculation;
  };
  CHECK(speculation(plain) == Speculation::state);
  const Drafted drafted(file, file);
  CHECK(speculation(*drafted.workspace) == Speculation::drafts);
  options.speculate = false;
  CHECK(speculation(*drafted.workspace) == Speculation::off);
  options.speculate = true;
  const auto llama = test::load_bytes(test::family_model("llama", kDraftContext));
  Workspace lookup(*llama);
  CHECK(speculation(lookup) == Speculation::lookup);
  options.attention = AttentionSelection{};
  CHECK(speculation(*drafted.workspace) == Speculation::attention);
}

TEST_CASE("heads are read unasked only where they take nothing from texts", "[runtime][drafts]") {
  const auto file = model_with_heads("qwen35", 1);
  const auto load = [&](OwnHeads heads, std::optional<std::uint64_t> limit = {}) {
    LoadOptions options;
    options.draft_heads = heads;
    options.memory_limit = limit;
    options.parallel = 1;
    return load_bytes(file, options);
  };
  const auto off = load(OwnHeads::off), on = load(OwnHeads::required), unasked = load(OwnHeads::automatic);
  const auto needs = [](const Model& model) { return model.info().memory_bytes + model.info().context_bytes; };
  CHECK(!off->draft());
  CHECK((on->draft() && unasked->draft()));
  CHECK(needs(*unasked) == needs(*on));
  CHECK(on->info().memory_bytes > off->info().memory_bytes);
  CHECK(on->info().context_bytes > off->info().context_bytes);

  const auto same = [](const Model& a, const Model& b) {
    return a.info().kv_cache == b.info().kv_cache && a.info().context_length == b.info().context_length &&
           a.info().parallel == b.info().parallel;
  };
  for (const std::uint64_t limit : {needs(*off), needs(*on) - 1, needs(*on), 2 * needs(*on)}) {
    const auto without = load(OwnHeads::off, limit), with = load(OwnHeads::automatic, limit);
    CHECK(same(*with, *without));
    CHECK(needs(*with) <= limit);
    CHECK((with->draft() != nullptr) == (limit >= needs(*on)));
  }

  LoadOptions options;
  options.draft_heads = OwnHeads::automatic;
  CHECK(!load_bytes(model_with_heads("qwen35", 0), options)->draft());
  const auto left_out = family_model(
      "qwen35", kDraftContext, {{"nextn_predict_layers", std::int64_t{1}}, {"full_attention_interval", std::int64_t{3}}},
      [](Tensors& tensors) {
        std::erase_if(tensors, [](const auto& one) { return one.first.find("nextn.") != std::string::npos; });
      });
  CHECK(!load_bytes(left_out, options)->draft());
  options.draft_heads = OwnHeads::required;
  check_throws(ErrorCode::unsupported, "has no heads for drafts in its file", [&] { load_bytes(left_out, options); });
}

TEST_CASE("a file that does not fit the model cannot draft", "[runtime][drafts]") {
  const auto refused = [](const std::vector<std::byte>& target, const std::vector<std::byte>& draft, ErrorCode code,
                          const char* what) { test::check_throws(code, what, [&] { Drafted(target, draft); }); };
  const auto llama = test::family_model("llama", kDraftContext);
  refused(llama, {}, ErrorCode::unsupported, "llama: has no heads for drafts in its file");
  refused(llama, test::chain_model({"a", "b"}), ErrorCode::invalid_file, "draft: has a vocabulary of 5 tokens");
  refused(test::family_model("t5", kDraftContext), llama, ErrorCode::unsupported, "draft: is for models with a decoder alone");
  refused(llama, test::family_model("bert", kDraftContext), ErrorCode::invalid_file, "draft: has nothing that drafts");
}
