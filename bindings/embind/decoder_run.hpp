// A run of the decoder on a given text (engine/decoder_run.hpp), for JavaScript.
#pragma once

#include "changes.hpp"
#include "convert.hpp"
#include "engine/engine.hpp"

namespace heed::bindings {

/// The values that a call reads: { what, points, of, layers, heads, positions }, all optional except `what` (runtime/requests.hpp).
std::vector<runtime::Request> requests_of(const val& asked, const runtime::Model& model);
/// The recorded points, with their axes and sizes.
val shapes_of(const runtime::Recorder& recorder);

class DecoderRun {
 public:
  explicit DecoderRun(engine::Engine& engine) : engine_(engine), run_(engine.read()) {}

  void change(val changes, val ids) { run_.change(changes_of(changes, engine_), ids_of(ids)); }
  void watch(val asked, std::size_t tokens, std::size_t source);
  bool encode(val ids) { return run_.encode(ids_of(ids)); }
  double reuse(val ids, std::size_t most) { return static_cast<double>(run_.reuse(ids_of(ids), most)); }
  double next_pass(val ids) { return static_cast<double>(run_.next_pass(ids_of(ids))); }
  /// A view of the logits; null if interrupted.
  val forward(val ids, std::size_t rows);
  val watched() { return view(run_.watched()); }
  val shapes() { return run_.recorded() ? shapes_of(*run_.recorded()) : val::array(); }
  /// Log-probabilities; null if interrupted.
  val score(val ids);
  /// The parts of a logit (runtime/attribution.hpp) in one list: embedding, constant, sum, logit, before_cap; then for each layer
  /// attention_bias, mlp, the number of heads, their parts, the number of experts, and each expert's id and part. against: below 0
  /// for none.
  val attribute(tokenizer::TokenId token, tokenizer::TokenId against);
  /// variants: arrays of edits. Returns, for each of the first variants that ran, { logits } of the tokens in `read` (of all tokens
  /// if it is empty) and, unless `asked` is undefined, { values }; null if interrupted.
  val vary(val variants, std::size_t position, val read, val asked);
  /// For `rows` recorded states from `first` on: the `top` most probable tokens, each as id and log-probability, then the
  /// log-probabilities of the tokens in `watched`.
  val lens(std::size_t first, std::size_t rows, std::size_t top, val watched);

 private:
  engine::Engine& engine_;
  engine::DecoderRun run_;
};

}  // namespace heed::bindings
