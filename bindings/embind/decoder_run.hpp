// A run of the decoder on a given text (engine/decoder_run.hpp), for JavaScript.
#pragma once

#include "changes.hpp"
#include "convert.hpp"
#include "engine/engine.hpp"

namespace heed::bindings {

/// The first and the last position that the query sees, past it; the scale, the soft cap, whether there are a sink and a bias, and the sink;
/// the query, the keys, the bias if there is one, and the weights.
val flat_parts(const runtime::AttentionParts& parts);

class DecoderRun {
 public:
  explicit DecoderRun(engine::Engine& engine) : engine_(engine), run_(engine.read()) {}

  void change(val changes, val ids) { run_.change(changes_of(changes, engine_), ids_of(ids)); }
  void watch(val selection, std::size_t tokens, std::size_t keys);
  void watch_gates(val layers, std::size_t tokens);
  void watch_states(val layers, val positions, std::size_t tokens);
  void watch_heads(std::size_t layer, std::size_t tokens) { run_.watch_heads(layer, tokens); }
  void watch_attribution(std::size_t position) { run_.watch_attribution(position); }
  /// of: the name of a kind of attention.
  void watch_attention_parts(std::uint32_t layer, std::uint32_t head, std::size_t query, std::string of, std::size_t tokens,
                             std::size_t keys);
  void watch_values(val selection, std::size_t tokens);
  bool encode(val ids) { return run_.encode(ids_of(ids)); }
  double reuse(val ids, std::size_t most) { return static_cast<double>(run_.reuse(ids_of(ids), most)); }
  double next_pass(val ids) { return static_cast<double>(run_.next_pass(ids_of(ids))); }
  /// A view of the logits; null if interrupted.
  val forward(val ids, std::size_t rows);
  val watched() { return view(run_.watched()); }
  val mean_of_head(std::size_t head);
  /// As flat_parts() has them.
  val attention_parts() { return flat_parts(run_.attention_parts()); }
  val value_norms();
  /// Log-probabilities; null if interrupted.
  val score(val ids);
  /// The embedding's part, the constant, the sum and the logit; then of each layer the attention's bias, the rest, the number of its heads,
  /// and theirs.
  val attribute(tokenizer::TokenId token);
  /// Of states that are watched, `rows` of them from `first` on: the most probable tokens, each as its id and its log-probability, then the
  /// log-probabilities of the tokens in `watched`.
  val lens(std::size_t first, std::size_t rows, std::size_t top, val watched);

 private:
  engine::Engine& engine_;
  engine::DecoderRun run_;
};

}  // namespace heed::bindings
