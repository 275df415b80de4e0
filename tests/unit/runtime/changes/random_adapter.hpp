// LoRA files of random factors for all matrices of a model, and the same change merged into its weights.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "runtime/changes/adapters.hpp"
#include "runtime/model.hpp"
#include "support/gguf_writer.hpp"
#include "unit/nn/tensors.hpp"

namespace heed::test {

/// lora_a and lora_b of each matrix that is multiplied by, and of the embedding if `embedding`.
inline Tensors random_factors(const runtime::Model& model, std::size_t rank, unsigned seed, bool embedding = false) {
  std::mt19937 random(seed);
  const auto tensor = [&](std::vector<std::size_t> shape) {
    std::size_t count = 1;
    for (const std::size_t n : shape) count *= n;
    Tensor values{std::move(shape), std::vector<float>(count)};
    for (float& x : values.values) x = (static_cast<float>(random() % 2001) - 1000) * 2e-4f;
    return values;
  };
  Tensors factors;
  for (const nn::StoredMatrix& m : model.matrices()) {
    if (m.use == nn::MatrixUse::other || m.shape.back() != m.columns || m.shape.size() < 2) continue;
    if (m.use == nn::MatrixUse::embedding) {
      if (!embedding) continue;
      factors[m.name + ".lora_a"] = tensor({m.shape[0], rank});
      factors[m.name + ".lora_b"] = tensor({m.shape[1], rank});
      continue;
    }
    std::vector<std::size_t> a = m.shape, b = m.shape;
    a[a.size() - 2] = b.back() = rank;
    factors[m.name + ".lora_a"] = tensor(a);
    factors[m.name + ".lora_b"] = tensor(b);
  }
  return factors;
}

/// Without alpha, additions are not divided by the rank.
inline std::vector<std::byte> adapter_file(const std::string& architecture, const Tensors& factors, std::optional<float> alpha,
                                           const std::vector<std::uint32_t>& invocation = {}) {
  GgufWriter writer;
  writer.set("general.type", "adapter").set("adapter.type", "lora").set("general.architecture", architecture);
  if (alpha) writer.set("adapter.lora.alpha", *alpha);
  if (!invocation.empty()) writer.set("adapter.alora.invocation_tokens", invocation);
  for (const auto& [name, tensor] : factors) writer.tensor(name, tensor.shape, tensor.values);
  return writer.finish();
}

/// W += scale B A for each matrix; for the embedding, each token's row. A scale of the product does not apply to the adapter's
/// addition.
inline void merge(Tensors& tensors, const Tensors& factors, double scale) {
  for (const auto& [name, b] : factors) {
    if (!name.ends_with(".lora_b")) continue;
    const std::string target = name.substr(0, name.size() - 7);
    const Tensor& a = factors.at(target + ".lora_a");
    Tensor& w = tensors.at(target);
    const std::size_t columns = w.shape.back(), rows = w.shape[w.shape.size() - 2], rank = b.shape.back();
    const bool embedding = target == "token_embd.weight";
    const auto own = tensors.find(target.substr(0, target.size() - 6) + "scale");
    const bool scaled = own != tensors.end() && own->second.values.size() == w.values.size() / (rows * columns);
    for (std::size_t i = 0; i < w.values.size(); ++i) {
      const std::size_t column = i % columns, row = i / columns, matrix = row / rows;
      double sum = 0;
      for (std::size_t k = 0; k < rank; ++k)
        sum += embedding ? static_cast<double>(a.values[row * rank + k]) * static_cast<double>(b.values[column * rank + k])
                         : static_cast<double>(b.values[row * rank + k]) *
                               static_cast<double>(a.values[(matrix * rank + k) * columns + column]);
      const double divisor = scaled ? static_cast<double>(own->second.values[matrix]) : 1.0;
      w.values[i] = static_cast<float>(static_cast<double>(w.values[i]) + scale * sum / divisor);
    }
  }
}

inline std::shared_ptr<const runtime::Adapter> random_adapter(const runtime::Model& model, std::size_t rank, unsigned seed,
                                                              const std::vector<std::uint32_t>& invocation = {}) {
  return runtime::read_adapter(model, adapter_file(model.info().architecture, random_factors(model, rank, seed), {}, invocation));
}

}  // namespace heed::test
