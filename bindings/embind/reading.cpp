#include "reading.hpp"

#include <algorithm>

#include "runtime/encoder_run.hpp"

namespace heed::bindings {

void Reading::watch(val selection, std::size_t tokens, std::size_t keys) {
  runtime::AttentionSelection chosen;
  assign(selection, chosen);
  attention_.emplace(sequence_.model(), std::move(chosen.layers), std::move(chosen.heads), chosen.of).prepare(0, tokens, keys);
  probe_ = &*attention_;
}

void Reading::watch_gates(val layers, std::size_t tokens) {
  std::vector<std::uint32_t> chosen;
  assign(layers, chosen);
  gates_.emplace(sequence_.model(), std::move(chosen)).prepare(tokens);
  probe_ = &*gates_;
}

bool Reading::encode(val ids) {
  runtime::EncoderRun run(sequence_.workspace());
  if (!run(ids_of(ids))) return false;
  sequence_.attend_to(run);
  return true;
}

double Reading::reuse(val ids, std::size_t most) {
  const std::vector<tokenizer::TokenId> tokens = ids_of(ids);
  const std::span<const tokenizer::TokenId> wanted = std::span(tokens).first(std::min(most, tokens.size()));
  if (wanted.empty()) return 0;
  sequence_ = kept_.find(wanted);
  sequence_.truncate(static_cast<std::size_t>(std::ranges::mismatch(wanted, sequence_.tokens()).in1 - wanted.begin()));
  return static_cast<double>(sequence_.tokens().size());
}

val Reading::forward(val ids, std::size_t rows) {
  logits_.resize(rows * sequence_.model().info().vocabulary);
  const bool done = sequence_.forward(ids_of(ids), logits_, probe_);
  return done ? view(std::span(std::as_const(logits_))) : val::null();
}

}  // namespace heed::bindings
