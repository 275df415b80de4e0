// src/grammar for JavaScript (bindings/js/worker/constraints), as a WebAssembly module that pages fetch for their first constraint.
// It exports plain functions. Texts are passed through input(); results of any length are returned through output(). A function
// that "may refuse" returns 0 in that case, with the Refusal in the output: {"code", "keyword", "path", "message"}. A function that
// "may pause" returns -1 if the imported `pause` asks for it; cached results are kept, so repeating the call continues the work.
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

/// The bytes that are allocated with new.
std::size_t bytes_in_use = 0;

/// Languages cache the states of all their texts. If these caches exceed this limit, languages are compiled again for new texts.
constexpr std::size_t kMostCacheBytes = std::size_t{128} << 20;

/// The memory that one call may allocate.
constexpr std::size_t kMostGrowth = std::size_t{512} << 20;

/// `bytes_in_use` at the start of the current call.
std::size_t bytes_before = 0;

/// Thrown to make a function return -1.
struct Paused {};

/// Asked regularly during work. Returns 0 to continue, 1 to pause, 2 to refuse because the call takes too long.
__attribute__((import_module("env"), import_name("pause"))) extern "C" int heed_pause();

void check_limits() {
  if (bytes_in_use > bytes_before + kMostGrowth)
    throw Refusal{"too-large", "", "", "this takes more than " + std::to_string(kMostGrowth >> 20) + " MB"};
  const int answer = heed_pause();
  if (answer == 1) throw Paused();
  if (answer == 2) throw Refusal{"too-large", "", "", "this takes too long"};
}

struct CompiledConstraint {
  std::string outline;
  std::shared_ptr<Masks> masks;  // nullptr if it must be compiled again
  std::size_t size;              // bytes after compiling, before caches grow
};

/// A comparison of a text with a constraint, which may pause.
struct Comparison {
  std::shared_ptr<Masks> masks;
  std::string text;
  std::size_t read;
  State state;
  std::uint64_t steps_left;
};
/// Additional steps per byte of a compared text.
constexpr std::uint64_t kStepsPerByte = 32;

struct Module {
  Module() { Budget::on_progress = check_limits; }

  std::string input, output;
  std::shared_ptr<const TokenTable> table;
  std::map<int, CompiledConstraint> constraints;
  std::map<int, Constraint> texts;
  std::map<int, Comparison> comparisons;
  int last_id = 0;
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

/// The result of `action`; 0 if it refuses, -1 if it pauses.
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

/// The masks of a constraint, for a new text. If caches are too large, all constraints are compiled again; current texts keep their
/// masks.
const std::shared_ptr<Masks>& masks_of(int constraint) {
  std::size_t most = kMostCacheBytes;
  for (const auto& [_, compiled] : module().constraints) most += compiled.size;
  if (bytes_in_use > most)
    for (auto& [_, compiled] : module().constraints) compiled.masks.reset();
  CompiledConstraint& compiled = module().constraints.at(constraint);
  if (!compiled.masks) {
    auto [language, ignored] = make_outline_language(compiled.outline, module().table->trie().texts());
    compiled.masks = std::make_shared<Masks>(std::move(language), module().table);
  }
  return compiled.masks;
}

/// A description of a constraint, as JSON.
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

// Count allocated bytes, for limits and for the size of a constraint.
void* operator new(std::size_t size) { return heed::bindings::allocate(size); }
void operator delete(void* memory) noexcept { heed::bindings::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { heed::bindings::release(memory); }

using namespace heed::bindings;
using heed::tokenizer::TokenId;

#define HEED_EXPORT(name) extern "C" __attribute__((export_name(#name)))

/// The address of `size` bytes for the input of the next call. May refuse.
HEED_EXPORT(input) int heed_input(std::size_t size) {
  return guarded([&] {
    module().input.assign(size, '\0');
    return address(module().input.data());
  });
}
HEED_EXPORT(output) const char* heed_output() { return module().output.data(); }
HEED_EXPORT(outputSize) std::size_t heed_output_size() { return module().output.size(); }

/// Sets the vocabulary to the input: `count` tokens as stored by heed::grammar::TokenTexts. Returns 1. May refuse.
HEED_EXPORT(setVocabulary) int heed_set_vocabulary(std::size_t count) {
  return guarded([&] {
    TokenTexts texts(std::exchange(module().input, {}), count);
    module().table = std::make_shared<const TokenTable>(std::move(texts));
    return 1;
  });
}

/// Compiles the input, an outline, to a constraint. Returns its id, with the output {"size": bytes, "steps": steps spent,
/// "ignored": [{"keyword", "path"}]}. May refuse and pause.
HEED_EXPORT(make) int heed_make() {
  return guarded([] {
    const std::size_t before = bytes_in_use;
    auto [language, ignored] = make_outline_language(module().input, module().table->trie().texts());
    const std::size_t size = bytes_in_use - before;  // without Masks, which may build tables that all constraints share
    module().output = described(size, Budget::kSteps - language->budget().left(), ignored);
    module().constraints.emplace(
        ++module().last_id, CompiledConstraint{module().input, std::make_shared<Masks>(std::move(language), module().table), size});
    return module().last_id;
  });
}
HEED_EXPORT(drop) void heed_drop(int constraint) { module().constraints.erase(constraint); }

/// Begins to compare the input, a text, with a constraint, which may then be dropped. Returns the comparison's id. May refuse and
/// pause.
HEED_EXPORT(beginCompare) int heed_begin_compare(int constraint) {
  return guarded([&] {
    const auto& masks = masks_of(constraint);
    std::string text = std::exchange(module().input, {});
    const std::uint64_t steps = Budget::kSteps + kStepsPerByte * text.size();
    module().comparisons.emplace(++module().last_id, Comparison{masks, std::move(text), 0, masks->language().start(), steps});
    return module().last_id;
  });
}
/// Returns 1 if the text matches the constraint, 2 if not. May refuse and pause.
HEED_EXPORT(compare) int heed_compare(int id) {
  Comparison& comparison = module().comparisons.at(id);
  Language& language = comparison.masks->language();
  language.budget().refill(comparison.steps_left);
  const int result = guarded([&] {
    for (; comparison.read < comparison.text.size() && comparison.state != State::kDead; ++comparison.read)
      comparison.state = language.step(comparison.state, static_cast<std::uint8_t>(comparison.text[comparison.read]));
    return comparison.state != State::kDead && language.accepts(comparison.state) ? 1 : 2;
  });
  comparison.steps_left = language.budget().left();
  return result;
}
HEED_EXPORT(endCompare) void heed_end_compare(int id) { module().comparisons.erase(id); }

/// Begins to generate a text under a constraint, which may then be dropped. Returns the text's id. May refuse and pause.
HEED_EXPORT(begin) int heed_begin(int constraint) {
  return guarded([&] {
    module().texts.emplace(++module().last_id, Constraint(masks_of(constraint)));
    return module().last_id;
  });
}
HEED_EXPORT(end) void heed_end(int text) { module().texts.erase(text); }

/// Computes the text's mask in advance. Returns 1. May refuse and pause; when the call is repeated after a pause, `first_attempt`
/// is 0.
HEED_EXPORT(prepare) int heed_prepare(int text, int first_attempt) {
  return guarded([&] {
    module().texts.at(text).prepare(first_attempt != 0);
    return 1;
  });
}
/// Returns the address of the mask: token i is bit i % 32 of word i / 32. Valid until the next call. May refuse.
HEED_EXPORT(mask) int heed_mask(int text) {
  return guarded([&] { return address(module().texts.at(text).mask().data()); });
}
/// Appends the token and returns 1 if it may come next; otherwise returns 2. May refuse.
HEED_EXPORT(accept) int heed_accept(int text, TokenId token) {
  return guarded([&] { return module().texts.at(text).accept(token) ? 1 : 2; });
}
/// Returns 1 if nothing may follow, otherwise 2. May refuse.
HEED_EXPORT(finished) int heed_finished(int text) {
  return guarded([&] { return module().texts.at(text).finished() ? 1 : 2; });
}
/// Outputs the bytes that every continuation starts with, at most `limit`. Returns 1. May refuse.
HEED_EXPORT(forced) int heed_forced(int text, std::size_t limit) {
  return guarded([&] {
    module().output = module().texts.at(text).forced(limit);
    return 1;
  });
}
