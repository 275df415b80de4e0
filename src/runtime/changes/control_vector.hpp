// Control vectors (arXiv:2310.01405): a direction for each layer, in a GGUF file as llama.cpp writes it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/changes/edits.hpp"

namespace heed::runtime {

class Model;

/// Edits that add `scale` times the directions to the states after their layers. Tensor direction.N is for the state after layer N,
/// counted from 0; layer 0 has none. layers: the first and the last layer to steer; absent: all. Layers that the model lacks are
/// skipped. Throws invalid_file, naming the tensor, for a damaged file or one with other tensors, and invalid_argument for vectors
/// of another width.
std::vector<Edit> read_control_vector(const Model& model, std::span<const std::byte> file, float scale,
                                      std::optional<std::pair<std::size_t, std::size_t>> layers = {});

}  // namespace heed::runtime
