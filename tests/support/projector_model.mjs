// A small projector for a text model of any width: a vision tower as Gemma 3's, of one layer, which makes four rows of an image.
import { fileOf } from './adapters.mjs'

const width = 16, heads = 2, inner = 24, patch = 4

/** Numbers around `mean`, different for each tensor. */
const wave = (shape, seed, size, mean = 0) => Float32Array.from(
  { length: shape.reduce((product, length) => product * length, 1) }, (_, index) => mean + size * Math.sin(7 * index + 13 * seed + 1))

const metadataOf = (side, textWidth) => ({
  'general.architecture': ['string', 'clip'],
  'clip.has_vision_encoder': ['bool', true],
  'clip.projector_type': ['string', 'gemma3'],
  'clip.use_gelu': ['bool', true],
  'clip.vision.image_size': ['u32', side],
  'clip.vision.patch_size': ['u32', patch],
  'clip.vision.embedding_length': ['u32', width],
  'clip.vision.feed_forward_length': ['u32', inner],
  'clip.vision.block_count': ['u32', 1],
  'clip.vision.attention.head_count': ['u32', heads],
  'clip.vision.attention.layer_norm_epsilon': ['f32', 1e-6],
  'clip.vision.image_mean': ['f32', [0.5, 0.5, 0.5]],
  'clip.vision.image_std': ['f32', [0.5, 0.5, 0.5]],
  'clip.vision.projector.scale_factor': ['u32', Math.min(side / patch / 2, 16)],
  'clip.vision.projection_dim': ['u32', textWidth],
})

const norm = name => [[`${name}.weight`, [width], 0.1, 1], [`${name}.bias`, [width], 0.1]]
const linear = (name, to, from) => [[`${name}.weight`, [to, from], 0.4], [`${name}.bias`, [to], 0.1]]

/** `textWidth`: `info.width` of the model that reads its rows; `side`: of the images, in pixels, for which it has positions. */
export function projectorFile(textWidth, side = 16) {
  const tensors = [
    ['v.patch_embd.weight', [width, 3, patch, patch], 0.3], ['v.patch_embd.bias', [width], 0.1],
    ['v.position_embd.weight', [(side / patch) ** 2, width], 0.3],
    ...norm('v.blk.0.ln1'), ...norm('v.blk.0.ln2'), ...norm('v.post_ln'),
    ...['q', 'k', 'v', 'out'].flatMap(name => linear(`v.blk.0.attn_${name}`, width, width)),
    ...linear('v.blk.0.ffn_up', inner, width), ...linear('v.blk.0.ffn_down', width, inner),
    ['mm.soft_emb_norm.weight', [width], 0.1, 1], ['mm.input_projection.weight', [width, textWidth], 0.5],
  ]
  return fileOf(metadataOf(side, textWidth), tensors.map(([name, shape, size, mean], seed) =>
    ({ name, shape, values: wave(shape, seed, size, mean) })))
}

/** An image whose pixels depend on `shade`. */
export const shaded = (shade, width = 40, height = 30) => ({
  width, height, data: Uint8ClampedArray.from({ length: width * height * 4 }, (_, index) => index % 4 === 3 ? 255 : index * shade % 256),
})
