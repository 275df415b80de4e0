// src/grammar for JavaScript (bindings/js/worker/constraints): a module of its own, which pages fetch when they first ask for a form. It
// exports plain functions: texts go in through input(), results of any length come out through output(). Where a function says that it
// refuses, it returns 0, and the output is a refusal as JSON: {"code", "keyword", "path", "message"}. Where it says that it may pause, it
// returns -1 when its caller wants it to (`pause`): what it has found out is kept, so that the same call again gets further.
#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/constraint.hpp"
#include "grammar/masks/token_table.hpp"
#include "grammar/masks/token_texts.hpp"
#include "grammar/outline/outline.hpp"
#include "grammar/refusal.hpp"
#include "grammar/schema/json.hpp"

namespace heed::bindings {
namespace {

using namespace grammar;

/// Of all that is allocated.
std::size_t bytes_in_use = 0;

/// A language keeps all states that its texts were in. Beyond this, and what constraints take when they are made, they are made anew for
/// the texts to come.
constexpr std::size_t kMostBytes = std::size_t{128} << 20;

/// The most that one call may take of memory.
constexpr std::size_t kMostGrowth = std::size_t{512} << 20;

/// Of what allocates: `bytes_in_use` when the call began.
std::size_t bytes_before = 0;

/// Not an error: the call is to be repeated.
struct Paused {};

/// What the caller says now and then: 0 to go on, 1 to pause, 2 that it has taken too long.
__attribute__((import_module("env"), import_name("pause"))) extern "C" int heed_pause();

void look_at_work() {
  if (bytes_in_use > bytes_before + kMostGrowth)
    throw Refusal{"too-large", "", "", "this takes more than " + std::to_string(kMostGrowth >> 20) + " MB"};
  const int told = heed_pause();
  if (told == 1) throw Paused();
  if (told == 2) throw Refusal{"too-large", "", "", "this takes too long"};
}

struct Made {
  std::string outline;
  std::shared_ptr<Masks> masks;  // nothing where it must be made anew
  std::size_t size;              // when it was made
};

/// A text that is being compared with a constraint.
struct Trial {
  std::shared_ptr<Masks> masks;
  std::string text;
  std::size_t read;
  State state;
  std::uint64_t left;  // of its budget
};
/// Beyond those of the budget, for each byte of a text.
constexpr std::uint64_t kStepsOfByte = 32;

struct Module {
  Module() { Budget::at_work = look_at_work; }

  std::string input, output;
  std::shared_ptr<const TokenTable> table;
  std::map<int, Made> constraints;
  std::map<int, Constraint> texts;
  std::map<int, Trial> trials;
  int last = 0;
};
Module& module() {
  static Module only;
  return only;
}

std::string quoted(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

void put_refusal(const Refusal& refusal) {
  module().output = "{\"code\":" + quoted(refusal.code) + ",\"keyword\":" + quoted(refusal.keyword) +
                    ",\"path\":" + quoted(refusal.path) + ",\"message\":" + quoted(refusal.message) + "}";
}

/// What `action` returns, 0 where it refuses, or -1 where it pauses.
template <class Action>
int guarded(Action action) noexcept {
  bytes_before = bytes_in_use;
  try {
    return action();
  } catch (const Paused&) {
    return -1;
  } catch (const Refusal& refusal) {
    put_refusal(refusal);
  } catch (const std::bad_alloc&) {
    put_refusal({"memory", "", "", "there is not enough memory"});
  }
  return 0;
}

template <class T>
int address(T* pointer) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(pointer));
}

std::string to_json(const std::vector<Ignored>& ignored) {
  std::string json = "[";
  for (const auto& [keyword, path] : ignored) {
    if (json.size() > 1) json += ',';
    json += "{\"keyword\":" + quoted(keyword) + ",\"path\":" + quoted(path) + "}";
  }
  return json + "]";
}

/// Of a constraint that was made. Texts that were begun keep what they began with.
const std::shared_ptr<Masks>& masks_of(int constraint) {
  std::size_t most = kMostBytes;
  for (const auto& [_, made] : module().constraints) most += made.size;
  if (bytes_in_use > most)
    for (auto& [_, made] : module().constraints) made.masks.reset();
  Made& made = module().constraints.at(constraint);
  if (!made.masks) {
    auto [language, ignored] = make_outline_language(made.outline, module().table->trie().texts());
    made.masks = std::make_shared<Masks>(std::move(language), module().table);
  }
  return made.masks;
}

/// The bytes of a constraint, the steps that it took, and what is ignored.
std::string described(std::size_t size, std::uint64_t steps, const std::vector<Ignored>& ignored) {
  return "{\"size\":" + std::to_string(size) + ",\"steps\":" + std::to_string(steps) + ",\"ignored\":" + to_json(ignored) + "}";
}

void* allocate(std::size_t size) {
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (!memory) throw std::bad_alloc();
  bytes_in_use += malloc_usable_size(memory);
  return memory;
}

void release(void* memory) noexcept {
  if (memory) bytes_in_use -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace
}  // namespace heed::bindings

// Counted, so that a constraint can say how large it is.
void* operator new(std::size_t size) { return heed::bindings::allocate(size); }
void operator delete(void* memory) noexcept { heed::bindings::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { heed::bindings::release(memory); }

using namespace heed::bindings;
using heed::tokenizer::TokenId;

#define HEED_EXPORT(name) extern "C" __attribute__((export_name(#name)))

/// Room for `size` bytes that the next function reads; 0 where there is none.
HEED_EXPORT(input) int heed_input(std::size_t size) {
  return guarded([&] {
    module().input.assign(size, '\0');
    return address(module().input.data());
  });
}
HEED_EXPORT(output) const char* heed_output() { return module().output.data(); }
HEED_EXPORT(outputSize) std::size_t heed_output_size() { return module().output.size(); }

/// The input is a vocabulary of `count` tokens, as heed::grammar::TokenTexts stores it. 1, or refuses.
HEED_EXPORT(setVocabulary) int heed_set_vocabulary(std::size_t count) {
  return guarded([&] {
    TokenTexts texts(std::exchange(module().input, {}), count);
    module().table = std::make_shared<const TokenTable>(std::move(texts));
    return 1;
  });
}

/// Makes a constraint of an outline, which is the input. Its number, with the output {"size": its bytes, "steps": of its
/// budget, "ignored": [{"keyword", "path"}]}; or refuses. May pause.
HEED_EXPORT(make) int heed_make() {
  return guarded([] {
    const std::size_t before = bytes_in_use;
    auto [language, ignored] = make_outline_language(module().input, module().table->trie().texts());
    const std::size_t size = bytes_in_use - before;  // what is found of the vocabulary now serves all constraints
    module().output = described(size, Budget::kSteps - language->budget().left(), ignored);
    module().constraints.emplace(++module().last,
                                 Made{module().input, std::make_shared<Masks>(std::move(language), module().table), size});
    return module().last;
  });
}
HEED_EXPORT(drop) void heed_drop(int constraint) { module().constraints.erase(constraint); }

/// Begins to compare the input with a constraint, which may be dropped before it is done. Its number, for `compare`; or refuses. May pause.
HEED_EXPORT(beginCompare) int heed_begin_compare(int constraint) {
  return guarded([&] {
    const auto& masks = masks_of(constraint);
    std::string text = std::exchange(module().input, {});
    const std::uint64_t left = Budget::kSteps + kStepsOfByte * text.size();
    module().trials.emplace(++module().last, Trial{masks, std::move(text), 0, masks->language().start(), left});
    return module().last;
  });
}
/// 1 if it is a text of the constraint, 2 if not; or refuses. May pause.
HEED_EXPORT(compare) int heed_compare(int number) {
  Trial& trial = module().trials.at(number);
  Language& language = trial.masks->language();
  language.budget().refill(trial.left);
  const int told = guarded([&] {
    for (; trial.read < trial.text.size() && trial.state != State::kDead; ++trial.read)
      trial.state = language.step(trial.state, static_cast<std::uint8_t>(trial.text[trial.read]));
    return trial.state != State::kDead && language.accepts(trial.state) ? 1 : 2;
  });
  trial.left = language.budget().left();
  return told;
}
HEED_EXPORT(endCompare) void heed_end_compare(int number) { module().trials.erase(number); }

/// Begins a text of the constraint, which may be dropped before it. Its number; or refuses. May pause.
HEED_EXPORT(begin) int heed_begin(int constraint) {
  return guarded([&] {
    module().texts.emplace(++module().last, Constraint(masks_of(constraint)));
    return module().last;
  });
}
HEED_EXPORT(end) void heed_end(int text) { module().texts.erase(text); }

/// Makes the text's mask, before `mask` is called: 1; or refuses. May pause; then `anew` is 0 the next time.
HEED_EXPORT(prepare) int heed_prepare(int text, int anew) {
  return guarded([&] {
    module().texts.at(text).prepare(anew != 0);
    return 1;
  });
}
/// Where the bits of the tokens that may come next are: token i is bit i % 32 of word i / 32. Good until the next call; or refuses.
HEED_EXPORT(mask) int heed_mask(int text) {
  return guarded([&] { return address(module().texts.at(text).mask().data()); });
}
/// 1 if the token may come next, which it does then, 2 if not; or refuses.
HEED_EXPORT(accept) int heed_accept(int text, TokenId token) {
  return guarded([&] { return module().texts.at(text).accept(token) ? 1 : 2; });
}
/// Whether nothing may follow: 1 or 2; or refuses.
HEED_EXPORT(finished) int heed_finished(int text) {
  return guarded([&] { return module().texts.at(text).finished() ? 1 : 2; });
}
/// The output is the bytes, at most `limit`, that follow in any case. 1; or refuses.
HEED_EXPORT(forced) int heed_forced(int text, std::size_t limit) {
  return guarded([&] {
    module().output = module().texts.at(text).forced(limit);
    return 1;
  });
}
