#include "decoder_run.hpp"

#include <utility>

namespace heed::bindings {

void DecoderRun::watch(val selection, std::size_t tokens, std::size_t keys) {
  runtime::AttentionSelection chosen;
  assign(selection, chosen);
  run_.watch(std::move(chosen), tokens, keys);
}

void DecoderRun::watch_gates(val layers, std::size_t tokens) {
  std::vector<std::uint32_t> chosen;
  assign(layers, chosen);
  run_.watch_gates(std::move(chosen), tokens);
}

val DecoderRun::forward(val ids, std::size_t rows) {
  const auto logits = run_.forward(ids_of(ids), rows);
  return logits ? view(*logits) : val::null();
}

}  // namespace heed::bindings
