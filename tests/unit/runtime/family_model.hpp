// A complete small model of any family, with random weights and the vocabulary of tiny_llama().
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "support/gguf_writer.hpp"
#include "support/tiny_model.hpp"
#include "unit/models/family_values.hpp"
#include "unit/nn/random_weights.hpp"

namespace heed::test {

/// The file of a spec, with the metadata that it was made from; keys of a tokenizer only if they are in `more`. `change` may alter the
/// weights.
inline std::vector<std::byte> file_of(const nn::ModelSpec& spec, const Values& values,
                                      const std::function<void(Tensors&)>& change = {}, const Values& more = {},
                                      RandomWeights weights = RandomWeights()) {
  if (spec.encoder) weights.add(*spec.encoder);
  if (spec.decoder) weights.add(*spec.decoder);
  if (spec.vision) weights.add(*spec.vision);
  if (spec.draft) weights.add(*spec.draft);

  GgufWriter writer;
  for (const auto& [key, value] : values)
    if (!key.starts_with("tokenizer.") || more.contains(key)) std::visit([&](const auto& v) { writer.set(key, v); }, value);
  if (!more.contains("tokenizer.ggml.tokens")) set_tiny_vocabulary(writer);
  Tensors tensors = weights.take();
  if (change) change(tensors);
  for (const auto& [name, tensor] : tensors) writer.tensor(name, tensor.shape, tensor.values);
  return writer.finish();
}

/// `more`: keys without the architecture, which those that begin with tokenizer. or diffusion. do not have. `change` may alter the weights.
inline std::vector<std::byte> family_model(const std::string& architecture, std::size_t context = 64, const Values& more = {},
                                           const std::function<void(Tensors&)>& change = {}) {
  Values values = values_of(architecture);
  values[architecture + ".embedding_length"] = std::int64_t{32};
  values[architecture + ".context_length"] = static_cast<std::int64_t>(context);
  values[architecture + ".feed_forward_length"] = std::int64_t{40};
  mix_layers(values, architecture);
  const auto is_bare = [](const std::string& key) { return key.starts_with("tokenizer.") || key.starts_with("diffusion."); };
  for (const auto& [key, value] : more) values[is_bare(key) ? key : architecture + "." + key] = value;
  return file_of(spec_of(values), values, change, more);
}

}  // namespace heed::test
