// Token embeddings with positions (arXiv:1706.03762, section 3.5) and token types (arXiv:1810.04805).
#pragma once

#include "unit/nn/naive/norm.hpp"

namespace heed::test::naive {

inline Sequence embedding(const nn::EmbeddingSpec& spec, const nn::StackSpec& stack, const std::vector<int>& tokens,
                          const Parameters& parameters) {
  const std::string prefix(stack.prefix);
  const std::string own = prefix + "token_embd.weight", table = parameters.has(own) ? own : "token_embd.weight";
  Sequence x;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    Vector row(spec.width);
    add(row, parameters.row(table, static_cast<std::size_t>(tokens[t])), spec.scale);
    if (spec.types) add(row, parameters.row("token_types.weight", 0));
    if (spec.positions == nn::Positions::learned) add(row, parameters.row(prefix + "position_embd.weight", t));
    if (spec.positions == nn::Positions::sinusoidal)
      for (std::size_t i = 0; i < spec.width / 2 * 2; ++i) {
        const double exponent = static_cast<double>(i / 2 * 2) / static_cast<double>(spec.width);
        const double turned = static_cast<double>(t) / std::pow(10000.0, exponent);
        row[i] += i % 2 == 0 ? std::sin(turned) : std::cos(turned);
      }
    x.push_back(norm(spec.norm_kind.value_or(stack.norm), row, prefix, spec.norm, parameters));
  }
  return x;
}

}  // namespace heed::test::naive
