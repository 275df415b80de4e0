// A run of the decoder on a given text (engine/decoder_run.hpp), for JavaScript, where it is called Reading.
#pragma once

#include "convert.hpp"
#include "engine/engine.hpp"

namespace heed::bindings {

class DecoderRun {
 public:
  explicit DecoderRun(engine::Engine& engine) : run_(engine.read()) {}

  void watch(val selection, std::size_t tokens, std::size_t keys);
  void watch_gates(val layers, std::size_t tokens);
  bool encode(val ids) { return run_.encode(ids_of(ids)); }
  double reuse(val ids, std::size_t most) { return static_cast<double>(run_.reuse(ids_of(ids), most)); }
  /// A view of the logits; null if interrupted.
  val forward(val ids, std::size_t rows);
  val watched() { return view(run_.watched()); }

 private:
  engine::DecoderRun run_;
};

}  // namespace heed::bindings
