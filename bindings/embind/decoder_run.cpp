#include "decoder_run.hpp"

#include <utility>

namespace heed::bindings {

void DecoderRun::watch(val selection, std::size_t tokens, std::size_t keys) {
  runtime::AttentionSelection chosen;
  assign(selection, chosen);
  run_.watch(std::move(chosen), tokens, keys);
}

val flat_parts(const runtime::AttentionParts& parts) {
  std::vector<double> flat = {static_cast<double>(parts.begin),
                              static_cast<double>(parts.end),
                              static_cast<double>(parts.scale),
                              static_cast<double>(parts.softcap),
                              parts.sink ? 1.0 : 0.0,
                              parts.bias.empty() ? 0.0 : 1.0,
                              static_cast<double>(parts.sink.value_or(0.0f))};
  for (const std::vector<float>* numbers : {&parts.query, &parts.keys, &parts.bias, &parts.weights})
    flat.insert(flat.end(), numbers->begin(), numbers->end());
  return copy(std::span(flat));
}

void DecoderRun::watch_attention_parts(std::uint32_t layer, std::uint32_t head, std::size_t query, std::string of,
                                       std::size_t tokens, std::size_t keys) {
  run_.watch_attention_parts(layer, head, query, runtime::parse_attention_of(of), tokens, keys);
}

void DecoderRun::watch_values(val selection, std::size_t tokens) {
  runtime::AttentionSelection chosen;
  assign(selection, chosen);
  run_.watch_values(std::move(chosen), tokens);
}

val DecoderRun::value_norms() {
  const std::vector<float> norms = run_.value_norms();
  return copy(std::span(norms));
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
