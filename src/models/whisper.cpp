// Whisper (arXiv:2212.04356): an audio tower, and a decoder like GPT-2's that attends to it. There are no GGUF files of it:
// formats/whisper_file.cpp makes these metadata and tensors from whisper.cpp's files, with the names that towers have in mmproj
// files:
//   whisper.context_length, embedding_length, block_count, feed_forward_length, attention.head_count, attention.layer_norm_epsilon, of
//     the decoder; whisper.audio.*, the same of the tower; whisper.audio.num_mel_bins, whisper.audio.mel_filters (bins x 201)
//   a.conv1d.1, a.conv1d.2, a.position_embd, a.blk.N.ln1, attn_q, attn_k (no bias), attn_v, attn_out, ln2, ffn_up, ffn_down, a.post_ln
//   token_embd, position_embd, blk.N.attn_norm, attn_q, attn_k (no bias), ..., cross_attn_norm, cross_attn_q, ..., ffn_norm, output_norm
#include "models/common.hpp"
#include "models/families.hpp"
#include "models/tower.hpp"

namespace heed::models {

ModelSpec whisper(const Hyperparameters& h) {
  nn::AudioSpec audio;
  audio.mel = {h.count("audio.num_mel_bins"), h.metadata().require<formats::Metadata::Floats>(h.full("audio.mel_filters"))};
  audio.positions = h.count("audio.context_length");
  audio.stack = tower(h, "audio.", "a.", nn::Mask::none, audio.activation);
  for_each_attention(audio.stack, [](nn::AttentionSpec& attention, std::size_t) { attention.biased = false; });

  nn::AttentionSpec cross = attention(h);
  cross.mask = nn::Mask::none;
  cross.cross = true;
  cross.name = "cross_attn";
  const nn::LayerSpec layer{.sublayers = {{.pre_norm = "attn_norm", .block = attention(h)},
                                          {.pre_norm = "cross_attn_norm", .block = cross},
                                          {.pre_norm = "ffn_norm", .block = plain_mlp(h)}}};
  nn::DecoderSpec text = decoder(h, layer_norm(h), layer);
  text.embedding.positions = nn::Positions::learned;
  return {.decoder = text, .audio = audio};
}

}  // namespace heed::models
