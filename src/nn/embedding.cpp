#include "nn/embedding.hpp"

#include <algorithm>
#include <string>

#include "base/deterministic_math.hpp"
#include "nn/adapters/adaptation.hpp"

namespace heed::nn {

Embedding::Embedding(const EmbeddingSpec& spec, const NormSpec& norm, std::string_view prefix, Weights& weights,
                     const Embedding* shared)
    : spec_(spec) {
  if (const std::string own = std::string(prefix) + "token_embd"; weights.contains(own + ".weight"))
    table_ = weights.linear(own, spec.vocabulary, spec.width);
  else if (shared) shared_ = shared;
  else
    table_ = weights.linear(
        weights.contains("token_embd.weight") || weights.outputs("output.weight") != spec.vocabulary ? "token_embd" : "output",
        spec.vocabulary, spec.width);
  weights.mark(std::string(prefix) + "token_embd.weight", MatrixUse::embedding);
  if (spec.positions == Positions::learned) {
    const std::string name = std::string(prefix) + "position_embd";
    positions_ = weights.linear(name, spec.context_length, spec.width);
    weights.mark(name + ".weight", MatrixUse::other);
  }
  if (spec.positions == Positions::sinusoidal)
    for (std::size_t i = 0; i < spec.width / 2; ++i)
      frequencies_.push_back(
          deterministic_exp(-2.0 * static_cast<double>(i) / static_cast<double>(spec.width) * deterministic_log(10000.0)));
  if (const char* const types = "token_types.weight"; spec.types && weights.contains(types))  // DistilBERT has none
    types_ = weights.table(types, weights.rows(types), spec.width);
  if (!spec.norm.empty())
    norm_.emplace(spec.norm_kind.value_or(norm), spec.width, std::string(prefix) + std::string(spec.norm), weights);
}

std::uint64_t Embedding::share(const Embedding& other) noexcept {
  if (shared_ || !same_table(table_, other.table())) return 0;
  const std::uint64_t freed = table_.storage.size();
  table_ = {};
  shared_ = &other;
  return freed;
}

void Embedding::operator()(std::span<const std::int32_t> tokens, Activations x, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  float* positions = pass.scratch.allocate<float>(x.tokens * x.width);
  pass.pool.parallel_for(x.tokens, 4, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) {
      float* row = x.data + t * x.width;
      if (const float* const picture = pass.picture_row(t)) {
        std::copy_n(picture, x.width, row);
      } else {
        look_up(table(), static_cast<std::size_t>(tokens[t]), row, pass);
        if (pass.adaptation)
          pass.adaptation->add_to_embedding(static_cast<std::size_t>(tokens[t]), t, row, positions + t * x.width, pass.kernels);
        if (spec_.scale != 1.0f) pass.kernels.scale(row, spec_.scale, x.width);
      }
      if (!types_.empty()) pass.kernels.add(row, types_.data(), x.width);
      if (spec_.positions == Positions::none) continue;
      pass.visit_row({Point::token_embed}, t, row, x.width);
      float* position = positions + t * x.width;
      if (spec_.positions == Positions::learned) {
        look_up(positions_, pass.position(t), position, pass);
      } else {
        for (std::size_t i = 0; i < frequencies_.size(); ++i) {
          const auto angle = deterministic_sine_cosine(static_cast<double>(pass.position(t)) * frequencies_[i]);
          position[2 * i] = static_cast<float>(angle.sine);
          position[2 * i + 1] = static_cast<float>(angle.cosine);
        }
        if (x.width % 2 != 0) position[x.width - 1] = 0.0f;
      }
      pass.visit_row({Point::position_embed}, t, position, x.width);
      pass.kernels.add(row, position, x.width);
    }
  });
  if (norm_) (*norm_)(x, x.data, pass);
}

}  // namespace heed::nn
