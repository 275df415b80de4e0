// Plans of edits, as JSON: {"ops": [...]}, each with "op" and the fields that it needs.
//
//   add         layer, vector, scale (1), positions       the state after the layer += scale x vector
//   replace     layer, vector, positions                  the state after the layer = vector
//   patch       layer, position, tokens, from             ... = the state at `from` where the unmodified model reads `tokens`
//   scale-head  layer, head, factor, positions            what the head gives x factor
//   set-head    layer, head, vector, positions            what the head gives = vector
//   mean-head   layer, head, tokens, positions            ... = its mean where the unmodified model reads `tokens`
//   cut         layer, head or "all", edges               [query, key] pairs: these keys are not seen
//
// layer -1 is what enters layer 0; positions are a list, or "all", which is the default.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace heed::cli {

/// Reads a plan, and runs the model where edits come from other texts. Throws io, and invalid_argument, naming the op and the field.
std::vector<runtime::Edit> read_plan(const std::string& path, engine::Engine& engine);

}  // namespace heed::cli
