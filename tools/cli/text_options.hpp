// The options of the commands that look into the reading of a given text.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cli/change_options.hpp"
#include "cli/model_options.hpp"
#include "engine/engine.hpp"

namespace heed::cli {

struct TextOptions {
  ModelOptions model;
  ChangeOptions change;
  std::vector<tokenizer::TokenId> tokens;
  std::optional<std::size_t> context;
  std::size_t batch = runtime::kMaxBatch;

  /// Keys and values are in f32, as in other engines.
  TextOptions() { model.kv = KvType::f32; }

  /// Adds the model's options, --tokens, --context, --batch, --lora and --control-vector.
  void add_to(CLI::App& command);

  engine::Engine open() const;
  /// A run that reads by what is asked to change, and by these edits.
  std::unique_ptr<engine::DecoderRun> begin(engine::Engine& engine, std::vector<runtime::Edit> edits = {}) const;

  /// Runs all tokens, at most `batch` at a time, and passes the logits of each pass on, if asked for.
  void read(engine::DecoderRun& run, const std::function<void(std::span<const float>)>& logits = {}) const;
};

}  // namespace heed::cli
