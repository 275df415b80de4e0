// Written by tools/contract from api/: converts the options of JavaScript's calls to the engine's.
#pragma once

#include "convert.hpp"
#include "runtime/generate.hpp"
#include "runtime/load.hpp"
#include "runtime/pooling.hpp"
#include "runtime/transcription/transcription.hpp"

namespace heed::bindings {

inline runtime::GenerateOptions generate_options(const val& options) {
  runtime::GenerateOptions read;
  read_option(options, "maxTokens", read.max_tokens);
  read_option(options, "temperature", read.sampling.temperature);
  read_option(options, "topK", read.sampling.top_k);
  read_option(options, "topP", read.sampling.top_p);
  read_option(options, "minP", read.sampling.min_p);
  read_option(options, "repetitionPenalty", read.sampling.repetition_penalty);
  read_option(options, "frequencyPenalty", read.sampling.frequency_penalty);
  read_option(options, "presencePenalty", read.sampling.presence_penalty);
  read_option(options, "penaltyWindow", read.sampling.penalty_window);
  read_option(options, "logitBias", read.sampling.logit_bias);
  read_option(options, "seed", read.sampling.seed);
  read_option(options, "stop", read);
  read_option(options, "stopAtEnd", read.stop_at_end);
  read_option(options, "special", read.special);
  read_option(options, "topLogprobs", read.top_logprobs);
  read_option(options, "attention", read.attention);
  read_option(options, "speculate", read.speculate);
  read_option(options, "contextShift", read.context_shift);
  return read;
}

inline runtime::LoadOptions load_options(const val& options) {
  runtime::LoadOptions read;
  read_option(options, "threads", read.threads);
  read_option(options, "contextLength", read.context_length);
  read_option(options, "kvCache", read.kv_cache);
  read_option(options, "memoryLimit", read.memory_limit);
  read_option(options, "parallel", read.parallel);
  read_option(options, "prefixCache", read.prefix_cache_bytes);
  read_option(options, "draft", read.draft_heads);
  return read;
}

inline runtime::EmbeddingForm embedding_form(const val& options) {
  runtime::EmbeddingForm read;
  read_option(options, "pooling", read.pooling);
  read_option(options, "normalize", read.normalized);
  read_option(options, "dimensions", read.dimensions);
  return read;
}

inline runtime::TranscribeOptions transcribe_options(const val& options) {
  runtime::TranscribeOptions read;
  read_option(options, "language", read.language);
  read_option(options, "task", read.task);
  read_option(options, "words", read.words);
  read_option(options, "attention", read.attention);
  read_option(options, "timestamps", read.timestamps);
  read_option(options, "prompt", read.prompt);
  read_option(options, "suppressNonSpeech", read.suppress_non_speech);
  read_option(options, "temperature", read.temperatures);
  read_option(options, "seed", read.seed);
  return read;
}

}  // namespace heed::bindings
