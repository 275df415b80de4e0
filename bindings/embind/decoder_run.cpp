#include "decoder_run.hpp"

#include <utility>

namespace heed::bindings {

std::vector<runtime::Request> requests_of(const val& asked, const runtime::Model& model) {
  runtime::Asked what{asked["what"].as<std::string>(), {}};
  read_option(asked, "points", what.points);
  read_option(asked, "of", what.of);
  read_option(asked, "layers", what.layers);
  read_option(asked, "heads", what.heads);
  read_option(asked, "positions", what.positions);
  return runtime::requests_of(model, what);
}

val shapes_of(const runtime::Recorder& recorder) {
  val shapes = val::array();
  for (std::size_t i = 0; i < recorder.requests().size(); ++i) {
    const auto& place = recorder.requests()[i].at;
    std::vector<double> sizes;
    for (const std::size_t size : recorder.shape(i)) sizes.push_back(static_cast<double>(size));
    Object shape;
    shape.set("point", place.name());
    shape.set("axes", static_cast<int>(nn::rule_of(place.place.point).axes));
    shape.set("shape", copy(std::span(sizes)));
    shapes.call<void>("push", static_cast<const val&>(shape));
  }
  return shapes;
}

void DecoderRun::watch(val asked, std::size_t tokens, std::size_t source) {
  run_.watch(requests_of(asked, engine_.model()), tokens, source);
}

val DecoderRun::forward(val ids, std::size_t rows) {
  const auto logits = run_.forward(ids_of(ids), rows);
  return logits ? view(*logits) : val::null();
}

val DecoderRun::score(val ids) { return copied(run_.score(ids_of(ids))); }

val DecoderRun::attribute(tokenizer::TokenId token, tokenizer::TokenId against) {
  const runtime::Attribution parts = run_.attribute(token, against < 0 ? std::nullopt : std::optional(against));
  std::vector<double> flat = {parts.embedding, parts.constant, parts.sum, parts.logit, parts.before_cap};
  for (std::size_t layer = 0; layer < parts.heads.size(); ++layer) {
    const std::vector<double>& heads = parts.heads[layer];
    for (const double part : {parts.attention_bias[layer], parts.mlp[layer], static_cast<double>(heads.size())})
      flat.push_back(part);
    for (const double part : heads) flat.push_back(part);
    flat.push_back(static_cast<double>(parts.experts[layer].size()));
    for (const auto& [id, part] : parts.experts[layer]) {
      flat.push_back(static_cast<double>(id));
      flat.push_back(part);
    }
  }
  return copy(std::span(flat));
}

val DecoderRun::vary(val variants, std::size_t position, val read, val asked) {
  std::vector<std::vector<runtime::Edit>> edits;
  for (const val& variant : emscripten::vecFromJSArray<val>(variants)) edits.push_back(edits_of(variant, engine_));
  const auto watch = asked.isUndefined() ? std::vector<runtime::Request>() : requests_of(asked, engine_.model());
  const auto made = run_.vary(edits, position, ids_of(read), watch);
  if (!made) return val::null();
  val results = val::array();
  for (const engine::DecoderRun::Variant& variant : *made) {
    Object result;
    result.set("logits", copy(std::span(variant.logits)));
    if (variant.recorded) result.set("values", copy(variant.recorded->values()));
    results.call<void>("push", static_cast<const val&>(result));
  }
  return results;
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
