#include "changes.hpp"

#include <string>
#include <utility>

namespace heed::bindings {
namespace {

/// A layer and a head stand for the head's output, unless a point is named.
runtime::Edit edit_of(const val& value, const runtime::Model& model, std::size_t index) {
  runtime::Edit edit;
  edit.kind = runtime::Edit::Kind(value["kind"].as<int>());
  read_option(value, "layer", edit.layer);
  read_option(value, "head", edit.head);
  if (edit.head) edit.point = nn::Point::head;
  if (const val at = value["at"]; !at.isUndefined()) {
    const nn::Place place = runtime::find_place(model, at.as<std::string>(), "edits[" + std::to_string(index) + "].at").place;
    edit.point = place.point == nn::Point::embed ? nn::Point::resid : place.point;
    edit.layer = place.point == nn::Point::embed ? -1 : static_cast<std::int32_t>(place.layer);
  }
  read_option(value, "positions", edit.positions);
  read_option(value, "vector", edit.vector);
  read_option(value, "each", edit.each);
  read_option(value, "factor", edit.factor);
  std::vector<std::uint32_t> edges;  // query, key, query, key, ...
  read_option(value, "edges", edges);
  for (std::size_t i = 1; i < edges.size(); i += 2) edit.edges.emplace_back(edges[i - 1], edges[i]);
  return edit;
}

}  // namespace

std::vector<runtime::Edit> edits_of(const val& value, const engine::Engine& engine) {
  std::vector<runtime::Edit> edits;
  for (const val& edit : emscripten::vecFromJSArray<val>(value)) edits.push_back(edit_of(edit, engine.model(), edits.size()));
  return edits;
}

runtime::Changes changes_of(const val& value, const engine::Engine& engine) {
  if (value.isUndefined()) return {};
  std::vector<std::pair<tokenizer::TokenId, float>> numbers;
  assign(value["adapters"], numbers);
  std::vector<std::pair<engine::AdapterId, float>> adapters;
  for (const auto& [id, scale] : numbers) adapters.emplace_back(engine::AdapterId(id), scale);
  return engine.changes(adapters, edits_of(value["edits"], engine));
}

}  // namespace heed::bindings
