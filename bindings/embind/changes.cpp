#include "changes.hpp"

#include <utility>

namespace heed::bindings {
namespace {

runtime::Edit edit_of(const val& value) {
  runtime::Edit edit;
  edit.kind = runtime::Edit::Kind(value["kind"].as<int>());
  assign(value["layer"], edit.layer);
  read_option(value, "head", edit.head);
  read_option(value, "positions", edit.positions);
  read_option(value, "vector", edit.vector);
  read_option(value, "factor", edit.factor);
  std::vector<std::uint32_t> edges;  // query, key, query, key, ...
  read_option(value, "edges", edges);
  for (std::size_t i = 1; i < edges.size(); i += 2) edit.edges.emplace_back(edges[i - 1], edges[i]);
  return edit;
}

}  // namespace

runtime::Changes changes_of(const val& value, const engine::Engine& engine) {
  if (value.isUndefined()) return {};
  std::vector<std::pair<tokenizer::TokenId, float>> numbers;
  assign(value["adapters"], numbers);
  std::vector<std::pair<engine::AdapterId, float>> adapters;
  for (const auto& [id, scale] : numbers) adapters.emplace_back(engine::AdapterId(id), scale);
  std::vector<runtime::Edit> edits;
  for (const val& edit : emscripten::vecFromJSArray<val>(value["edits"])) edits.push_back(edit_of(edit));
  return engine.changes(adapters, std::move(edits));
}

}  // namespace heed::bindings
