// Reads the description of embedding models and rerankers in files: pooling_type, and the labels of a classifier.
#include "models/common.hpp"

namespace heed::models {
namespace {

constexpr std::size_t kRank = 4;  // pooling_type of a reranker

nn::Pooling pooling(const Hyperparameters& h) {
  constexpr nn::Pooling kTypes[] = {nn::Pooling::none, nn::Pooling::mean, nn::Pooling::cls, nn::Pooling::last};
  const std::size_t type = h.count("pooling_type", 1);
  if (type < std::size(kTypes)) return kTypes[type];
  throw Error(ErrorCode::unsupported,
              "pooling " + std::to_string(type) + " is not supported; known: none (0), mean (1), cls (2), last (3), rank (4)",
              h.full("pooling_type"));
}

void see_both_sides(nn::StackSpec& stack) {
  for_each_attention(stack, [](nn::AttentionSpec& attention, std::size_t) { attention.mask = nn::Mask::none; });
}

}  // namespace

nn::EncoderSpec encoder(const nn::DecoderSpec& parts, const Hyperparameters& h, nn::Pooling ranked) {
  nn::EncoderSpec spec{.embedding = parts.embedding, .stack = parts.stack};
  if (h.count("pooling_type", 1) == kRank) {
    spec.pooling = ranked;
    const auto* labels = h.metadata().find<formats::Metadata::Strings>(h.full("classifier.output_labels"));
    spec.scores = labels ? labels->size() : 1;
  } else {
    spec.pooling = pooling(h);
  }
  return spec;
}

ModelSpec encoder_only(nn::DecoderSpec parts, const Hyperparameters& h, nn::Pooling ranked) {
  see_both_sides(parts.stack);
  return {.encoder = encoder(parts, h, ranked)};
}

ModelSpec as_file_asks(ModelSpec spec, const Hyperparameters& h) {
  const bool both_sides = !h.flag("attention.causal", true);
  if (!spec.decoder || spec.encoder || (h.count("pooling_type", 0) == 0 && !both_sides)) return spec;
  bool shares_keys = false;
  for_each_attention(spec.decoder->stack,
                     [&](const nn::AttentionSpec& attention, std::size_t) { shares_keys = shares_keys || attention.keys_of; });
  if (shares_keys || spec.decoder->per_layer.width != 0)
    throw Error(ErrorCode::unsupported, "no embeddings from a decoder with per-layer inputs or shared keys and values",
                h.full("pooling_type"));
  if (both_sides) see_both_sides(spec.decoder->stack);
  nn::EncoderSpec embeds = encoder(*spec.decoder, h, nn::Pooling::last);
  embeds.probabilities = embeds.scores > 1;  // a reranker that answers "yes" or "no" (arXiv:2506.05176)
  embeds.unread = "output.";                 // the decoder's head
  return {.encoder = std::move(embeds)};
}

}  // namespace heed::models
