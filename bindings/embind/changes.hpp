// Adapters and edits of JavaScript's calls (bindings/js/worker/changes.ts).
#pragma once

#include "convert.hpp"
#include "engine/engine.hpp"

namespace heed::bindings {

/// value: an array of edits.
std::vector<runtime::Edit> edits_of(const val& value, const engine::Engine& engine);
/// value: { adapters: [number, scale][], edits }, or undefined for none.
runtime::Changes changes_of(const val& value, const engine::Engine& engine);

}  // namespace heed::bindings
