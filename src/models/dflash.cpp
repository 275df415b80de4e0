// DFlash (arXiv:2602.06036): layers like those of Qwen 3 that draft a block of tokens for another model at once. They attend to the
// inputs of some of that model's layers, and to the whole block.
#include "models/drafts.hpp"

namespace heed::models {

nn::DraftSpec dflash(const Hyperparameters& h, const nn::StackSpec& target) {
  nn::AttentionSpec attention = normed_attention(h, nn::RopePairing::halves);
  attention.whole_tiles = true;  // the block counts as a tile
  nn::DraftSpec spec{.embedding = embedding(h),
                     .stack = decoder(h, pre_norm_layer(attention, gated_mlp(h))).stack,
                     .features = features(h, target),
                     .block =
                         nn::DraftBlockSpec{.size = h.count("block_size"),
                                            .mask = static_cast<std::int32_t>(h.metadata().count("tokenizer.ggml.mask_token_id"))}};
  const std::string pattern = "attention.sliding_window_pattern";
  if (h.contains(pattern))
    for_each_attention(spec.stack,
                       [&, local = h.flags(pattern, spec.stack.layers.size(), false)](nn::AttentionSpec& of, std::size_t i) {
                         if (local[i]) of.window = h.count("attention.sliding_window");
                       });
  if (spec.block->size < 2) throw Error(ErrorCode::invalid_file, "must be at least 2", h.full("block_size"));
  if (static_cast<std::size_t>(spec.block->mask) >= spec.embedding.vocabulary)
    throw Error(ErrorCode::invalid_file, "is not in the vocabulary", "tokenizer.ggml.mask_token_id");
  return spec;
}

}  // namespace heed::models
