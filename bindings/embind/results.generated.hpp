// Written by tools/contract from api/: converts the engine's results to JavaScript's.
#pragma once

#include "convert.hpp"
#include "engine/engine.hpp"
#include "runtime/generate.hpp"
#include "runtime/model.hpp"

namespace heed::bindings {

inline val to_javascript(const runtime::ModelInfo& from) {
  Object object;
  object.set("architecture", from.architecture);
  object.set("name", from.name);
  object.set("weights", from.weights);
  object.set("parameters", from.parameters);
  object.set("fileBytes", from.file_bytes);
  object.set("generates", from.generates);
  object.set("embeds", from.embeds);
  object.set("reranks", from.reranks);
  object.set("pooling", from.pooling);
  object.set("embeddingLength", from.embedding_length);
  object.set("transcribes", from.transcribes);
  object.set("sees", from.sees);
  object.set("layers", from.layers);
  object.set("encoderLayers", from.encoder_layers);
  object.set("decoderStart", from.generates && from.embeds ? std::optional(from.decoder_start) : std::nullopt);
  object.set("visionLayers", from.vision_layers);
  object.set("visionHeads", from.vision_heads);
  object.set("patches", from.patches);
  object.set("heads", from.heads);
  object.set("kvHeads", from.kv_heads);
  object.set("headDim", from.head_dim);
  object.set("width", from.width);
  object.set("feedForward", from.feed_forward);
  object.set("experts", from.experts);
  object.set("expertsUsed", from.experts_used);
  object.set("recurrentLayers", from.recurrent_layers);
  object.set("recurrentHeads", from.recurrent_heads);
  object.set("vocabulary", from.vocabulary);
  object.set("trainedContext", from.trained_context_length);
  object.set("contextLength", from.context_length);
  object.set("kvCache", from.kv_cache);
  object.set("parallel", from.parallel);
  object.set("memoryBytes", from.memory_bytes);
  object.set("mostMemoryBytes", from.memory_bytes + from.sequence_bytes);
  object.set("threads", from.threads);
  object.set("target", from.target);
  object.set("chatTemplates", from.chat_templates);
  return object;
}

inline val to_javascript(const engine::MemoryUse& from) {
  Object object;
  object.set("bytes", from.bytes);
  object.set("mostBytes", from.most_bytes);
  object.set("contexts", contexts_of(from.contexts));
  return object;
}

inline val to_javascript(const runtime::Timings& from) {
  Object object;
  object.set("promptTokens", from.prompt_tokens);
  object.set("reusedTokens", from.reused_tokens);
  object.set("generatedTokens", from.generated_tokens);
  object.set("guessedTokens", from.guessed_tokens);
  object.set("acceptedTokens", from.accepted_tokens);
  object.set("draftedTokens", static_cast<double>(from.drafts().drafted));
  object.set("acceptedDrafts", static_cast<double>(from.drafts().right));
  object.set("draftsByPlace", places_of(from.draft_places));
  object.set("speculation", from.speculation);
  object.set("prefillMs", from.prompt_seconds * 1000);
  object.set("decodeMs", from.generate_seconds * 1000);
  object.set("prefillTokensPerSecond", rate(from.prompt_tokens - from.reused_tokens, from.prompt_seconds));
  object.set("decodeTokensPerSecond", rate(from.generated_tokens, from.generate_seconds));
  return object;
}

}  // namespace heed::bindings
