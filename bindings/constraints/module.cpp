// src/grammar for JavaScript (bindings/js/worker/constraints): a module of its own, which pages fetch when they first ask for a form. It
// exports plain functions: texts go in through input(), results of any length come out through output(). Where a function says that it
// refuses, the output is a refusal as JSON: {"code", "keyword", "path", "message"}.
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

struct Made {
  std::string outline;
  std::shared_ptr<Masks> masks;  // nothing where it must be made anew
  std::size_t size;              // when it was made
};

struct Module {
  std::string input, output;
  std::shared_ptr<const TokenTable> table;
  std::map<int, Made> constraints;
  std::map<int, Constraint> texts;
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

/// What `action` returns, or 0 where it refuses.
template <class Action>
auto guarded(Action action) noexcept -> decltype(action()) {
  try {
    return action();
  } catch (const Refusal& refusal) {
    put_refusal(refusal);
  } catch (const std::bad_alloc&) {
    put_refusal({"too-large", "", "", "there is not enough memory"});
  }
  return {};
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

/// The bytes of a constraint, and what is ignored.
std::string described(std::size_t size, const std::vector<Ignored>& ignored) {
  return "{\"size\":" + std::to_string(size) + ",\"ignored\":" + to_json(ignored) + "}";
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
HEED_EXPORT(input) char* heed_input(std::size_t size) {
  return guarded([&] {
    module().input.assign(size, '\0');
    return module().input.data();
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

/// Makes a constraint of an outline, which is the input. Its number, with the output {"size": its bytes, "ignored": [{"keyword",
/// "path"}]}; or refuses.
HEED_EXPORT(make) int heed_make() {
  return guarded([] {
    const std::size_t before = bytes_in_use;
    auto [language, ignored] = make_outline_language(module().input, module().table->trie().texts());
    const std::size_t size = bytes_in_use - before;  // what is found of the vocabulary now serves all constraints
    module().output = described(size, ignored);
    module().constraints.emplace(++module().last,
                                 Made{module().input, std::make_shared<Masks>(std::move(language), module().table), size});
    return module().last;
  });
}
HEED_EXPORT(drop) void heed_drop(int constraint) { module().constraints.erase(constraint); }

/// 1 if the input is a text of the constraint, 2 if not; or refuses.
HEED_EXPORT(accepts) int heed_accepts(int constraint) {
  return guarded([&] {
    Language& language = masks_of(constraint)->language();
    State state = language.start();
    for (const char byte : module().input) {
      language.budget().refill();
      state = language.step(state, static_cast<std::uint8_t>(byte));
      if (state == State::kDead) return 2;
    }
    return language.accepts(state) ? 1 : 2;
  });
}

/// Begins a text of the constraint, which may be dropped before it. Its number.
HEED_EXPORT(begin) int heed_begin(int constraint) {
  return guarded([&] {
    module().texts.emplace(++module().last, Constraint(masks_of(constraint)));
    return module().last;
  });
}
HEED_EXPORT(end) void heed_end(int text) { module().texts.erase(text); }

/// Where the bits of the tokens that may come next are: token i is bit i % 32 of word i / 32. Good until the next call; or refuses.
HEED_EXPORT(mask) const std::uint64_t* heed_mask(int text) {
  return guarded([&] { return module().texts.at(text).mask().data(); });
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
