// Written by tools/contract from api/: the options that the native program shares with npx heed.
#pragma once

#include "cli/add_option.hpp"
#include "cli/constraint_options.hpp"
#include "runtime/generate.hpp"
#include "runtime/load.hpp"
#include "runtime/pooling.hpp"

// clang-format off: a long text stays one string
namespace heed::cli {

inline void add_sampling_options(CLI::App& command, runtime::GenerateOptions& options) {
  add_option(command, "-n,--max-tokens", options.max_tokens, "N", "Maximum number of tokens to generate");
  add_option(command, "--temperature", options.sampling.temperature, "N", "Randomness; 0 always chooses the most probable token");
  add_option(command, "--top-k", options.sampling.top_k, "N", "Choose among the k most probable tokens; 0 for all");
  add_option(command, "--top-p", options.sampling.top_p, "N",
             "Choose among the most probable tokens whose probabilities add up to this");
  add_option(command, "--min-p", options.sampling.min_p, "N",
             "Drop tokens less probable than this fraction of the most probable token's probability");
  add_option(command, "--repetition-penalty", options.sampling.repetition_penalty, "N",
             "Divides the scores of tokens that have occurred; 1 disables it");
  add_option(command, "--frequency-penalty", options.sampling.frequency_penalty, "N",
             "Subtracted from a token's score for every occurrence");
  add_option(command, "--presence-penalty", options.sampling.presence_penalty, "N",
             "Subtracted from a token's score if it has occurred");
  add_option(command, "--penalty-window", options.sampling.penalty_window, "N",
             "Number of most recent tokens that the penalties consider");
  add_option(command, "--logit-bias", options.sampling.logit_bias, "ID=BIAS",
             "Added to the scores of tokens, by id; -Infinity forbids one; repeatable");
  add_option(command, "--seed", options.sampling.seed, "N", "The same seed gives the same text on every machine");
  add_option(command, "--stop", options.stop, "TEXT",
             "Generation ends before the first occurrence of any of these texts; repeatable");
}

inline void add_form_options(CLI::App& command, ConstraintOptions& options) {
  auto* json_schema = add_option(command, "--json-schema", options.json_schema, "FILE", "JSON that is valid under this schema");
  auto* regex = add_option(command, "--regex", options.regex, "REGEX",
                           "A text that this expression matches as a whole, with the meaning of the flag u");
  auto* grammar = add_option(command, "--grammar", options.grammar, "FILE (GBNF)",
                             "A text of this grammar, in GBNF (llama.cpp's notation); its start is the rule root");
  auto* whitespace = add_option(command, "--whitespace", options.whitespace, "any|compact|N",
                                "White space between the tokens of JSON");
  auto* closed = add_option(command, "--closed", options.closed, "true|false",
                            "Whether objects and arrays contain only what the schema describes");
  whitespace->needs(json_schema);
  closed->needs(json_schema);
  json_schema->excludes(regex);
  json_schema->excludes(grammar);
  regex->excludes(grammar);
}

inline void add_loading_options(CLI::App& command, runtime::LoadOptions& options) {
  add_option(command, "--threads", options.threads, "N", CLI::Range(1, 256), "Number of threads");
  add_option(command, "--context", options.context_length, "N", CLI::PositiveNumber, "Context length, in tokens");
  add_option(command, "--kv", options.kv_cache, "auto|f32|f16|int16|q8|q4", "How keys and values are stored");
}

inline void add_embedding_options(CLI::App& command, runtime::EmbeddingForm& options) {
  add_option(command, "--pooling", options.pooling, "mean|cls|last|none", "How the vectors of tokens become one");
  add_option(command, "--normalize,--normalise", options.normalized, "",
             "Scale vectors to length 1, so that their dot product is their cosine similarity");
  add_option(command, "--dimensions", options.dimensions, "N", CLI::PositiveNumber,
             "Keep only the first dimensions numbers of each vector, before scaling");
}

}  // namespace heed::cli
// clang-format on
