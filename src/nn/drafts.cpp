#include "nn/drafts.hpp"

#include "nn/dflash.hpp"
#include "nn/draft_heads.hpp"
#include "nn/eagle.hpp"

namespace heed::nn {

std::uint64_t Drafts::share(const Decoder& decoder) noexcept {
  const std::uint64_t of_output = drop_if_same(tables_.own_output, decoder.head());
  if (of_output > 0) tables_.decoder = &decoder;
  return (tables_.own_embedding ? tables_.own_embedding->share(decoder.embedding()) : 0) + of_output;
}

void Drafts::take_tables(Weights& weights, const Decoder& decoder, std::size_t outputs) {
  const bool narrower = decoder.spec().stack.width != spec_.stack.width;  // then it needs tables of its own
  if (weights.contains("token_embd.weight") || narrower)
    tables_.own_embedding.emplace(spec_.embedding, spec_.stack.norm, spec_.stack.prefix, weights);
  if (weights.contains("output.weight") || narrower) tables_.own_output = weights.linear("output", outputs, spec_.stack.width);
  tables_.decoder = &decoder;
}

void Drafts::join(const Norm& embedding_norm, const Norm& state_norm, Activations embedded, const float* before, float* both,
                  Pass& pass) noexcept {
  const std::size_t width = embedded.width;
  pass.pool.parallel_for(embedded.tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) {
      embedding_norm.apply(embedded.data + t * width, width, both + 2 * t * width, pass);
      state_norm.apply(before + t * width, width, both + (2 * t + 1) * width, pass);
    }
  });
}

std::unique_ptr<Drafts> make_drafts(const DraftSpec& spec, std::size_t context_length, Weights& weights, const Decoder& decoder,
                                    bool own_file) {
  if (spec.block) return std::make_unique<DFlash>(spec, context_length, weights, decoder);
  if (spec.eagle) return std::make_unique<Eagle>(spec, context_length, weights, decoder);
  return std::make_unique<DraftHeads>(spec, context_length, weights, own_file ? &decoder : nullptr);
}

}  // namespace heed::nn
