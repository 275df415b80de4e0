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
#include "runtime/generate.hpp"
#include "runtime/model.hpp"
#include "runtime/pooling.hpp"

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

inline void assign(const val& value, KvType& field) {
  const auto name = value.as<std::string>();
  const auto type = parse_kv_type(name);
  if (!type) throw Error(ErrorCode::invalid_argument, "\"" + name + "\" is not one of f32, f16, int16, int8", "kvCache");
  field = *type;
}

inline void assign(const val& value, runtime::AttentionOf& field) {
  const auto name = value.as<std::string>();
  const auto of = runtime::parse_attention_of(name);
  if (!of) throw Error(ErrorCode::invalid_argument, "\"" + name + "\" is not one of decoder, encoder, cross, image", "of");
  field = *of;
}

inline void assign(const val& value, runtime::Pooling& field) {
  const auto name = value.as<std::string>();
  const auto pooling = runtime::parse_pooling(name);
  if (!pooling) throw Error(ErrorCode::invalid_argument, "\"" + name + "\" is not one of mean, cls, last, none", "pooling");
  field = *pooling;
}

inline void assign(const val& value, runtime::AttentionSelection& field);
inline void assign(const val& value, runtime::ReasoningBudget& field);

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

/// An object whose integers are numbers: with 64-bit memory, Embind converts sizes to BigInt.
class Object : public val {
 public:
  Object() : val(val::object()) {}

  template <class T>
  void set(const char* name, const T& value) {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) val::set(name, static_cast<double>(value));
    else val::set(name, value);
  }
};

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

/// Null if the call was interrupted.
inline val copied(const std::optional<std::vector<float>>& values) { return values ? copy(std::span(*values)) : val::null(); }

inline std::vector<tokenizer::TokenId> ids_of(const val& ids) {
  return emscripten::convertJSArrayToNumberVector<tokenizer::TokenId>(ids);
}

/// A token with its text, even if it is a control token.
inline val token_object(const tokenizer::Tokenizer& tokenizer, tokenizer::TokenId id) {
  val object = val::object();
  object.set("id", id);
  object.set("text", tokenizer.token_bytes(id, true));
  return object;
}

inline val to_javascript(const runtime::ModelInfo& info) {
  Object object;
  object.set("architecture", info.architecture);
  object.set("name", info.name);
  object.set("weights", info.weights);
  object.set("parameters", static_cast<double>(info.parameters));
  object.set("fileBytes", static_cast<double>(info.file_bytes));
  object.set("generates", info.generates);
  object.set("embeds", info.embeds);
  object.set("reranks", info.reranks);
  object.set("sees", info.sees);
  object.set("layers", info.layers);
  object.set("heads", info.heads);
  object.set("kvHeads", info.kv_heads);
  object.set("headDim", info.head_dim);
  object.set("width", info.width);
  object.set("feedForward", info.feed_forward);
  object.set("experts", info.experts);
  object.set("expertsUsed", info.experts_used);
  object.set("recurrentLayers", val::array(info.recurrent_layers));
  object.set("recurrentHeads", info.recurrent_heads);
  object.set("encoderLayers", info.encoder_layers);
  if (info.pooling) object.set("pooling", std::string(runtime::to_string(*info.pooling)));
  object.set("embeddingLength", info.embedding_length);
  if (info.generates && info.embeds) object.set("decoderStart", info.decoder_start);
  object.set("visionLayers", info.vision_layers);
  object.set("visionHeads", info.vision_heads);
  object.set("patches", info.patches);
  object.set("vocabulary", info.vocabulary);
  object.set("trainedContext", info.trained_context_length);
  object.set("contextLength", info.context_length);
  object.set("kvCache", std::string(to_string(info.kv_cache)));
  object.set("parallel", info.parallel);
  object.set("memoryBytes", static_cast<double>(info.memory_bytes));
  object.set("mostMemoryBytes", static_cast<double>(info.memory_bytes + info.sequence_bytes));
  object.set("threads", info.threads);
  object.set("target", info.target);
  val templates = val::object();
  for (const auto& [name, text] : info.chat_templates) templates.set(name.empty() ? "default" : name, text);
  object.set("chatTemplates", templates);
  return object;
}

inline val to_javascript(const runtime::Timings& timings) {
  Object object;
  object.set("promptTokens", timings.prompt_tokens);
  object.set("reusedTokens", timings.reused_tokens);
  object.set("generatedTokens", timings.generated_tokens);
  object.set("guessedTokens", timings.guessed_tokens);
  object.set("acceptedTokens", timings.accepted_tokens);
  object.set("promptSeconds", timings.prompt_seconds);
  object.set("generateSeconds", timings.generate_seconds);
  return object;
}

}  // namespace heed::bindings
