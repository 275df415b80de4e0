// heed, the command-line program. Exit status: 0, or 1 with one line on stderr, or 2 for wrong usage.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace {

/// Prints the message, which may contain names from a file, without control characters.
int fail(int status, const std::string& message) {
  std::string line = heed::cli::without_controls(message, [](unsigned code) {
    std::array<char, 8> escape;
    std::snprintf(escape.data(), escape.size(), code < 0x100 ? "\\x%02x" : "\\u%04x", code);
    return std::string(escape.data());
  });
  std::ranges::replace(line, '\n', ' ');
  std::cerr << "heed: " << line << '\n';
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Runs transformer language models.", "heed");
  program.set_version_flag("--version", "heed " HEED_VERSION);
  program.require_subcommand(1);
  heed::cli::add_run(program);
  heed::cli::add_logits(program);
  heed::cli::add_hidden(program);
  heed::cli::add_trace(program);
  heed::cli::add_lens(program);
  heed::cli::add_score(program);
  heed::cli::add_drafts(program);
  heed::cli::add_intervene(program);
  heed::cli::add_attribute(program);
  heed::cli::add_embed(program);
  heed::cli::add_tokenize(program);
  heed::cli::add_vision(program);
  heed::cli::add_transcribe(program);
  heed::cli::add_audio(program);
  heed::cli::add_constrain(program);
  heed::cli::add_bench(program);
  heed::cli::add_rewrite(program);
  heed::cli::add_info(program);
  if (argc > 1 && argv[1][0] != '-' && !program.get_subcommand_no_throw(argv[1]))
    return fail(2, "unknown command '" + std::string(argv[1]) + "'");
  try {
    program.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& help) {
    return program.exit(help);
  } catch (const CLI::ParseError& error) {
    return fail(2, error.what());
  } catch (const heed::Error& error) {
    return fail(1, error.message());
  } catch (const std::bad_alloc&) {
    return fail(1, "not enough memory");
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}
