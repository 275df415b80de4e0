// Conversions between C++ and JavaScript that Embind lacks.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "runtime/generate.hpp"
#include "runtime/pooling.hpp"
#include "runtime/transcription/transcription.hpp"

namespace heed::bindings {

using emscripten::val;

template <class T>
void assign(const val& value, T& field) {
  field = value.as<T>();
}

/// 64-bit integers are converted to numbers, which are exact up to 2^53.
inline void assign(const val& value, std::uint64_t& field) { field = static_cast<std::uint64_t>(value.as<double>()); }

template <class T>
void assign(const val& value, std::vector<T>& field) {
  field = emscripten::convertJSArrayToNumberVector<T>(value);
}

inline void assign(const val& value, std::vector<std::string>& field) { field = emscripten::vecFromJSArray<std::string>(value); }

inline void assign(const val& value, std::vector<std::pair<tokenizer::TokenId, float>>& field) {
  for (const val& pair : emscripten::vecFromJSArray<val>(value))
    field.emplace_back(pair[0].as<tokenizer::TokenId>(), pair[1].as<float>());
}

/// The option `stop`: texts, and token ids.
inline void assign(const val& value, runtime::GenerateOptions& field) {
  for (const val& end : emscripten::vecFromJSArray<val>(value)) {
    if (end.isNumber()) field.end_tokens.push_back(end.as<tokenizer::TokenId>());
    else field.stop.push_back(end.as<std::string>());
  }
}

/// The value with this name. The page has checked names already. Throws invalid_argument for an unknown one.
template <class T>
T named(const val& value, std::optional<T> (*parse)(std::string_view name) noexcept, const char* option) {
  const auto name = value.as<std::string>();
  if (const auto parsed = parse(name)) return *parsed;
  throw Error(ErrorCode::invalid_argument, "\"" + name + "\" is not a value of it", option);
}
inline void assign(const val& value, KvType& field) { field = named(value, parse_kv_type, "kvCache"); }
inline void assign(const val& value, runtime::AttentionOf& field) { field = named(value, runtime::parse_attention_of, "of"); }
inline void assign(const val& value, runtime::Pooling& field) { field = named(value, runtime::parse_pooling, "pooling"); }

inline void assign(const val& value, runtime::Task& field) {
  field = value.as<std::string>() == "translate" ? runtime::Task::translate : runtime::Task::transcribe;
}

inline void assign(const val& value, runtime::OwnHeads& field) {
  const auto name = value.as<std::string>();
  field = name == "auto" ? runtime::OwnHeads::automatic : name == "heads" ? runtime::OwnHeads::required : runtime::OwnHeads::off;
}

inline void assign(const val& value, runtime::AttentionSelection& field);
inline void assign(const val& value, runtime::ReasoningBudget& field);

/// "auto" becomes nullopt.
inline void assign(const val& value, std::optional<KvType>& field) {
  if (value.as<std::string>() == "auto") field.reset();
  else assign(value, field.emplace());
}

template <class T>
void assign(const val& value, std::optional<T>& field) {
  assign(value, field.emplace());
}

/// Sets `field` to options[name]; leaves it unchanged if that is undefined.
template <class T>
void read_option(const val& options, const char* name, T& field) {
  if (const val value = options[name]; !value.isUndefined()) assign(value, field);
}

inline void assign(const val& value, runtime::AttentionSelection& field) {
  assign(value["layers"], field.layers);
  assign(value["heads"], field.heads);
  read_option(value, "of", field.of);
}

inline void assign(const val& value, runtime::ReasoningBudget& field) {
  assign(value["begun"], field.begun);
  assign(value["open"], field.open);
  assign(value["closes"], field.closes);
  assign(value["maxTokens"], field.max_tokens);
  assign(value["ending"], field.ending);
}

/// An object whose integers are numbers, because with 64-bit memory Embind converts sizes to BigInt, and whose enumerations are names.
class Object : public val {
 public:
  Object() : val(val::object()) {}

  template <class T>
  void set(const char* name, const T& value) {
    using runtime::to_string;
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) val::set(name, static_cast<double>(value));
    else if constexpr (std::is_enum_v<T>) val::set(name, std::string(to_string(value)));
    else val::set(name, value);
  }
  void set(const char* name, const std::vector<std::uint32_t>& values) { val::set(name, val::array(values)); }
  template <class T>
  void set(const char* name, const std::optional<T>& value) {
    if (value) set(name, *value);
  }
  /// Texts by name; the name "" becomes "default".
  void set(const char* name, const std::vector<std::pair<std::string, std::string>>& texts) {
    val object = val::object();
    for (const auto& [key, text] : texts) object.set(key.empty() ? "default" : key, text);
    val::set(name, object);
  }
};

/// The memory that contexts would take: for each, its length, and its bytes by KV cache type.
inline val contexts_of(const std::vector<engine::ContextCost>& costs) {
  val contexts = val::array();
  for (const engine::ContextCost& cost : costs) {
    Object bytes, context;
    for (const auto& [type, count] : cost.bytes) bytes.set(to_string(type).data(), count);
    context.set("contextLength", cost.length);
    context.set("bytes", static_cast<const val&>(bytes));
    contexts.call<void>("push", static_cast<const val&>(context));
  }
  return contexts;
}

/// How many tokens were drafted and accepted, by place in the draft.
inline val places_of(std::span<const runtime::DraftPlace> places) {
  val list = val::array();
  for (const auto& [drafted, right] : places) {
    if (drafted == 0) break;
    Object place;
    place.set("drafted", static_cast<double>(drafted));
    place.set("accepted", static_cast<double>(right));
    list.call<void>("push", static_cast<const val&>(place));
  }
  return list;
}

/// A typed array on the WebAssembly heap, valid until its memory is freed.
template <class T>
val view(std::span<T> values) {
  return val(emscripten::typed_memory_view(values.size(), values.data()));
}

/// A typed array with a copy of the values.
template <class T>
val copy(std::span<T> values) {
  return view(values).template call<val>("slice");
}

/// A copy of the values; null if the call was interrupted.
inline val copied(const std::optional<std::vector<float>>& values) { return values ? copy(std::span(*values)) : val::null(); }

inline std::vector<tokenizer::TokenId> ids_of(const val& ids) {
  return emscripten::convertJSArrayToNumberVector<tokenizer::TokenId>(ids);
}

/// Tokens per second; 0 without tokens or time.
inline double rate(std::size_t tokens, double seconds) {
  return tokens > 0 && seconds > 0 ? static_cast<double>(tokens) / seconds : 0;
}

/// A token with its text, even if it is a control token.
inline val token_object(const tokenizer::Tokenizer& tokenizer, tokenizer::TokenId id) {
  val object = val::object();
  object.set("id", id);
  object.set("text", tokenizer.token_bytes(id, true));
  return object;
}

}  // namespace heed::bindings
