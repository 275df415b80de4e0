#include "runtime/unmasking.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "runtime/encoder_run.hpp"

namespace heed::runtime {

std::optional<std::vector<Unmasked>> unmask(Workspace& workspace, std::span<const tokenizer::TokenId> text, std::size_t from,
                                            std::size_t end, sampling::SamplerOptions options) {
  constexpr float kCertain = -0.105360516f;  // ln 0.9
  const ModelInfo& info = workspace.model().info();
  if (!info.mask_token) throw Error(ErrorCode::unsupported, "does not write by unmasking", info.architecture);
  if (from > end || end > text.size()) throw Error(ErrorCode::invalid_argument, "is not in the text", "range");
  options.logit_bias.emplace_back(*info.mask_token, -std::numeric_limits<float>::infinity());
  sampling::Sampler sampler(std::move(options), info.vocabulary);
  for (const tokenizer::TokenId id : text)
    if (id != *info.mask_token) sampler.accept(id);

  EncoderRun run(workspace);
  if (!run(text)) return std::nullopt;
  std::vector<Unmasked> all;
  for (std::size_t position = from; position < end; ++position) {
    if (text[position] != *info.mask_token) continue;
    const std::vector<float> logits = run.logits_for(position);
    const tokenizer::TokenId id = sampler.sample(logits);
    all.push_back({position, {id, sampling::logprobs_of(logits, {&id, 1})[0]}});
  }
  if (all.empty()) return all;
  const std::size_t best = std::ranges::max_element(all, {}, [](const Unmasked& one) { return one.token.logprob; })->position;
  std::erase_if(all, [&](const Unmasked& one) { return one.token.logprob < kCertain && one.position != best; });
  return all;
}

}  // namespace heed::runtime
