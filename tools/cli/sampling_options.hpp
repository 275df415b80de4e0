// Written by tools/contract from api/: the options of sampling that are numbers.
#pragma once

#include "runtime/generate.hpp"

namespace heed::cli {

/// Calls `add` with the name of each option, the field that it sets, and its purpose.
template <class Add>
void add_sampling_options(runtime::GenerateOptions& options, const Add& add) {
  add("-n,--max-tokens", options.max_tokens, "Maximum number of tokens to generate");
  add("--temperature", options.sampling.temperature, "0 always takes the most probable token");
  add("--top-k", options.sampling.top_k, "Sample from the k most probable tokens; 0 for all");
  add("--top-p", options.sampling.top_p, "Sample from the fewest tokens that reach this total probability; 1 for all");
  add("--min-p", options.sampling.min_p, "Sample from tokens with this share of the best one's probability; 0 for all");
  add("--repetition-penalty", options.sampling.repetition_penalty, "Divides the logits of recent tokens; 1 for none");
  add("--frequency-penalty", options.sampling.frequency_penalty, "Subtracted for each occurrence of a recent token");
  add("--presence-penalty", options.sampling.presence_penalty, "Subtracted once for a recent token");
  add("--penalty-window", options.sampling.penalty_window, "How many tokens count as recent");
  add("--seed", options.sampling.seed, "The same seed gives the same text");
}

}  // namespace heed::cli
