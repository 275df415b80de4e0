// Vision transformers: ViT (arXiv:2010.11929), and CLIP's towers for images and texts (arXiv:2103.00020).
//
// Heed's layout of both, as metadata and tensors of a GGUF file:
//   vit.image_size, patch_size, image_mean, image_std, embedding_length, block_count, feed_forward_length,
//     attention.head_count, attention.layer_norm_epsilon, labels (optional, one per class)
//   clip.vision.* the same without labels, and projection_dim; clip.use_gelu (otherwise quick GELU)
//   clip.text.context_length, embedding_length, block_count, feed_forward_length, attention.head_count,
//     attention.layer_norm_epsilon, projection_dim; tokenizer.ggml.*
//   v.patch_embd (D x 3 x patch x patch, red first), v.class_embd, v.position_embd, v.pre_ln (CLIP), v.post_ln,
//   v.blk.N.ln1, attn_q, attn_k, attn_v, attn_out, ln2, ffn_up, ffn_down, each with .weight and .bias;
//   v.head (ViT, optional), visual_projection (CLIP); and t.token_embd, t.position_embd, t.blk.N.*, t.post_ln,
//   text_projection.
#include "models/common.hpp"
#include "models/families.hpp"
#include "models/tower.hpp"

namespace heed::models {

ModelSpec vit(const Hyperparameters& h) {
  nn::VisionSpec vision;
  vision.stack = tower(h, "", "v.", nn::Mask::none, kernels::Activation::gelu);
  vision.patches = patches(h, "");
  vision.patches.biased = true;
  vision.preparation = normalizing(h, "");
  vision.preparation.method = images::Whole{.side = vision.patches.image};
  vision.preparation.filter = images::Filter::bilinear;
  if (const auto* labels = h.metadata().find<formats::Metadata::Strings>(h.full("labels"))) vision.classes = labels->size();
  return {.vision = vision};
}

ModelSpec clip(const Hyperparameters& h) {
  for (const char* key : {"projector_type", "vision.projector_type"})
    if (h.contains(key)) throw Error(ErrorCode::unsupported, "belongs to a text model, and is no model by itself", h.full(key));
  const auto activation = h.flag("use_gelu", false) ? kernels::Activation::gelu : kernels::Activation::gelu_quick;
  ModelSpec spec;
  nn::VisionSpec& vision = spec.vision.emplace();
  vision.stack = tower(h, "vision.", "v.", nn::Mask::none, activation);
  vision.patches = patches(h, "vision.");
  vision.preparation = normalizing(h, "vision.");
  vision.preparation.method = images::Whole{.side = vision.patches.image, .cropped = true};
  vision.patches.norm = "pre_ln";
  vision.projection = {"visual_projection", h.count("vision.projection_dim")};

  nn::EncoderSpec& text = spec.encoder.emplace();
  text.stack = tower(h, "text.", "t.", nn::Mask::causal, activation);
  text.embedding.vocabulary = h.metadata().require<formats::Metadata::Strings>("tokenizer.ggml.tokens").size();
  text.embedding.width = text.stack.width;
  text.embedding.context_length = h.count("text.context_length");
  text.embedding.positions = nn::Positions::learned;
  text.pooling = nn::Pooling::last;
  text.projections = {{"text_projection", h.count("text.projection_dim")}};
  return spec;
}

}  // namespace heed::models
