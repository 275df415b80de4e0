// A text that is read from its beginning, for its logits, its attention or its gates.
#pragma once

#include <emscripten/val.h>

#include <optional>
#include <vector>

#include "convert.hpp"
#include "runtime/gates.hpp"
#include "runtime/prefix_cache.hpp"
#include "runtime/sequence.hpp"

namespace heed::bindings {

class Reading {
 public:
  Reading(runtime::Workspace& workspace, runtime::PrefixCache& kept) : kept_(kept), sequence_(workspace) {}
  ~Reading() { kept_.keep(std::move(sequence_)); }

  /// Records attention while the next `tokens` tokens are read, to `keys` tokens.
  void watch(val selection, std::size_t tokens, std::size_t keys);
  /// Records the gates of recurrent layers instead.
  void watch_gates(val layers, std::size_t tokens);
  /// What the decoder attends to. False where it was interrupted.
  bool encode(val ids);
  /// Begins with what was read before of these tokens, but for those from `most` on. Returns how many there are.
  double reuse(val ids, std::size_t most);
  /// Logits of the last `rows` tokens, rows x V, good until the next call; null where it was interrupted.
  val forward(val ids, std::size_t rows);
  /// What was watched, [layers][heads][tokens][keys] or, of gates, [layers][2][heads][tokens], good until the next call.
  val watched() { return view(attention_ ? attention_->weights() : gates_->values()); }

 private:
  runtime::PrefixCache& kept_;
  runtime::Sequence sequence_;
  std::optional<runtime::AttentionProbe> attention_;
  std::optional<runtime::GateProbe> gates_;
  runtime::Probe* probe_ = nullptr;  // one of the two
  std::vector<float> logits_;
};

}  // namespace heed::bindings
