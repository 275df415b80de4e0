// Written by tools/contract from api/: the options that npx heed has, too.
#pragma once

#include "cli/add_option.hpp"
#include "cli/constraint_options.hpp"
#include "runtime/generate.hpp"
#include "runtime/load.hpp"
#include "runtime/pooling.hpp"

namespace heed::cli {

inline void add_sampling_options(CLI::App& command, runtime::GenerateOptions& options) {
  add_option(command, "-n,--max-tokens", options.max_tokens, "N", "Maximum number of tokens to generate");
  add_option(command, "--temperature", options.sampling.temperature, "N", "0 always takes the most probable token");
  add_option(command, "--top-k", options.sampling.top_k, "N", "Sample from the k most probable tokens; 0 for all");
  add_option(command, "--top-p", options.sampling.top_p, "N",
             "Sample from the fewest tokens that reach this total probability; 1 for all");
  add_option(command, "--min-p", options.sampling.min_p, "N",
             "Sample from tokens with this share of the best one's probability; 0 for all");
  add_option(command, "--repetition-penalty", options.sampling.repetition_penalty, "N",
             "Divides the logits of recent tokens; 1 for none");
  add_option(command, "--frequency-penalty", options.sampling.frequency_penalty, "N",
             "Subtracted for each occurrence of a recent token");
  add_option(command, "--presence-penalty", options.sampling.presence_penalty, "N", "Subtracted once for a recent token");
  add_option(command, "--penalty-window", options.sampling.penalty_window, "N", "How many tokens count as recent");
  add_option(command, "--logit-bias", options.sampling.logit_bias, "ID=BIAS", "Added to a token's logit; -inf bans it; repeatable");
  add_option(command, "--seed", options.sampling.seed, "N", "The same seed gives the same text");
  add_option(command, "--stop", options.stop, "TEXT", "End before this text; repeatable");
}

inline void add_form_options(CLI::App& command, ConstraintOptions& options) {
  auto* json_schema = add_option(command, "--json-schema", options.json_schema, "FILE",
                                 "Write JSON that is valid under this schema");
  auto* regex = add_option(command, "--regex", options.regex, "REGEX", "Write a text that matches this expression as a whole");
  auto* grammar = add_option(command, "--grammar", options.grammar, "FILE (GBNF)", "Write a text of this grammar");
  auto* whitespace = add_option(command, "--whitespace", options.whitespace, "any|compact|N",
                                "Between the parts of the JSON, where a byte at most is by default: any, none, or indented");
  auto* closed = add_option(command, "--closed", options.closed, "true|false",
                            "Whether objects and arrays have only what the schema describes");
  whitespace->needs(json_schema);
  closed->needs(json_schema);
  json_schema->excludes(regex);
  json_schema->excludes(grammar);
  regex->excludes(grammar);
}

inline void add_loading_options(CLI::App& command, runtime::LoadOptions& options) {
  add_option(command, "--threads", options.threads, "N", CLI::Range(1, 256), "Threads to compute with");
  add_option(command, "--context", options.context_length, "N", CLI::PositiveNumber,
             "Tokens to make room for; by default the model's maximum or, of given tokens, their number");
  add_option(command, "--kv", options.kv_cache, "f32|f16|int16|int8",
             "Type of the KV cache; by default one that suits the weights");
}

inline void add_embedding_options(CLI::App& command, runtime::EmbeddingForm& options) {
  add_option(command, "--pooling", options.pooling, "mean|cls|last|none",
             "How to pool token vectors into one; by default as the file specifies");
  add_option(command, "--normalize,--normalise", options.normalized, "", "Then scale vectors to length 1");
  add_option(command, "--dimensions", options.dimensions, "N", CLI::PositiveNumber,
             "Keep only this many numbers of each vector, the first ones");
}

}  // namespace heed::cli
