// The subcommands. Each function adds one to the program; the work is in its callback, which throws
// heed::Error.
#pragma once

#include <CLI/CLI.hpp>

namespace heed::cli {

void add_audio(CLI::App& program);
void add_attribute(CLI::App& program);
void add_bench(CLI::App& program);
void add_constrain(CLI::App& program);
void add_rewrite(CLI::App& program);
void add_drafts(CLI::App& program);
void add_embed(CLI::App& program);
void add_hidden(CLI::App& program);
void add_info(CLI::App& program);
void add_intervene(CLI::App& program);
void add_lens(CLI::App& program);
void add_logits(CLI::App& program);
void add_run(CLI::App& program);
void add_score(CLI::App& program);
void add_tokenize(CLI::App& program);
void add_trace(CLI::App& program);
void add_transcribe(CLI::App& program);
void add_vision(CLI::App& program);

}  // namespace heed::cli
