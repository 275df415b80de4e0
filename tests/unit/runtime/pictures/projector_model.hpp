// A complete small mmproj file of any type, with random weights.
#pragma once

#include "unit/runtime/family_model.hpp"

namespace heed::test {

/// `change` may alter the weights.
inline std::vector<std::byte> projector_model(const Values& values, const std::function<void(Tensors&)>& change = {}) {
  RandomWeights weights;
  const nn::ModelSpec spec = projector_spec_of(values);
  if (spec.vision) weights.add(*spec.vision);
  if (spec.hearing) weights.add(*spec.hearing);
  GgufWriter writer;
  for (const auto& [key, value] : values)
    if (!key.starts_with("tokenizer.")) std::visit([&](const auto& v) { writer.set(key, v); }, value);
  Tensors tensors = weights.take();
  if (change) change(tensors);
  for (const auto& [name, tensor] : tensors) writer.tensor(name, tensor.shape, tensor.values);
  return writer.finish();
}

inline std::vector<std::byte> projector_model(const std::string& type, const std::function<void(Tensors&)>& change = {}) {
  return projector_model(projector_values(type), change);
}

/// The same with an audio tower.
inline std::vector<std::byte> hearing_model(const std::string& type, const std::function<void(Tensors&)>& change = {}) {
  return projector_model(hearing_values(type), change);
}

}  // namespace heed::test
