// LoRA files: the low-rank changes (nn/adapters/adapter.hpp), and the tokens that switch an activated adapter on (aLoRA,
// arXiv:2504.12397).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "nn/adapters/adapter.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

class Model;

struct Adapter {
  nn::Adapter factors;
  std::vector<tokenizer::TokenId> invocation;  // empty unless it is an aLoRA
};

/// file: all bytes of a GGUF file as llama.cpp's converter writes it, for the model's architecture. Throws invalid_file, naming the
/// key or the tensor, if the file is damaged or has values that are not finite; invalid_argument if it was made for another model;
/// unsupported for another kind of adapter, and for a model with an encoder; out_of_memory.
std::shared_ptr<const Adapter> read_adapter(const Model& model, std::span<const std::byte> file);

}  // namespace heed::runtime
