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

void DecoderRun::watch_states(val layers, val positions, std::size_t tokens) {
  runtime::StateSelection chosen;
  assign(layers, chosen.layers);
  assign(positions, chosen.positions);
  run_.watch_states(std::move(chosen), tokens);
}

val DecoderRun::forward(val ids, std::size_t rows) {
  const auto logits = run_.forward(ids_of(ids), rows);
  return logits ? view(*logits) : val::null();
}

val DecoderRun::mean_of_head(std::size_t head) {
  const std::vector<float> mean = run_.mean_of_head(head);
  return copy(std::span(mean));
}

val DecoderRun::score(val ids) { return copied(run_.score(ids_of(ids))); }

val DecoderRun::attribute(tokenizer::TokenId token) {
  const runtime::Attribution parts = run_.attribute(token);
  std::vector<double> flat = {parts.embedding, parts.constant, parts.sum, parts.logit};
  for (std::size_t layer = 0; layer < parts.heads.size(); ++layer) {
    const std::vector<double>& heads = parts.heads[layer];
    for (const double part : {parts.attention_bias[layer], parts.mlp[layer], static_cast<double>(heads.size())})
      flat.push_back(part);
    for (const double part : heads) flat.push_back(part);
  }
  return copy(std::span(flat));
}

val DecoderRun::lens(std::size_t first, std::size_t rows, std::size_t top, val watched) {
  std::vector<double> flat;
  for (const engine::LensRow& row : run_.lens(first, rows, {top, ids_of(watched)})) {
    for (const auto& [id, logprob] : row.top)
      for (const double number : {static_cast<double>(id), static_cast<double>(logprob)}) flat.push_back(number);
    for (const float logprob : row.watched) flat.push_back(static_cast<double>(logprob));
  }
  return copy(std::span(flat));
}

}  // namespace heed::bindings
