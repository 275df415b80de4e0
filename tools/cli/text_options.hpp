// The options of commands that inspect the processing of a given text.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cli/change_options.hpp"
#include "cli/given_text.hpp"
#include "cli/model_options.hpp"
#include "engine/engine.hpp"

namespace heed::cli {

struct TextOptions {
  ModelOptions model;
  ChangeOptions change;
  GivenText given;
  std::size_t batch = runtime::kMaxBatch;

  /// Keys and values are in f32, as in other engines.
  TextOptions() { model.loading.kv_cache = KvType::f32; }

  /// Adds the model's options, those of the text, --batch, --lora and --control-vector.
  void add_to(CLI::App& command);

  /// Makes room for the tokens and, by default, for as many of another text or for a prompt of any length.
  engine::Engine open(std::size_t other_tokens = 0) const;
  runtime::PictureText text(engine::Engine& engine) const { return given.read(engine, model); }
  /// A run over these tokens with the requested adapters and control vectors, and these edits.
  std::unique_ptr<engine::DecoderRun> begin(engine::Engine& engine, std::span<const tokenizer::TokenId> tokens,
                                            std::vector<runtime::Edit> edits = {}) const;

  /// The number of the following tokens to run at once: at most `batch`, except for a tile that must be run whole.
  std::size_t next_pass(const engine::DecoderRun& run, std::span<const tokenizer::TokenId> left) const;
  /// Runs all tokens, and passes on the logits of each pass, if requested.
  void read(engine::DecoderRun& run, std::span<const tokenizer::TokenId> tokens,
            const std::function<void(std::span<const float>)>& logits = {}) const;
};

}  // namespace heed::cli
