// A small projector for a text model of any width: a vision tower like Gemma 3's, with one layer, which makes four rows of an image
// by default.
import { ggufFile } from '../../tools/bench/models/gguf.mjs'

const width = 16,
  heads = 2,
  inner = 24,
  patch = 4

/** Numbers around `mean`, different for each tensor. */
const wave = (shape, seed, size, mean = 0) =>
  Float32Array.from(
    { length: shape.reduce((product, length) => product * length, 1) },
    (_, index) => mean + size * Math.sin(7 * index + 13 * seed + 1),
  )

const metadataOf = (type, side, textWidth, merged) => ({
  'general.architecture': ['string', 'clip'],
  'clip.has_vision_encoder': ['bool', true],
  'clip.projector_type': ['string', type],
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
  'clip.vision.projector.scale_factor': ['u32', merged],
  'clip.vision.projection_dim': ['u32', textWidth],
})

const norm = name => [
  [`${name}.weight`, [width], 0.1, 1],
  [`${name}.bias`, [width], 0.1],
]
const patches = positions => [
  ['v.patch_embd.weight', [width, 3, patch, patch], 0.3],
  ['v.patch_embd.bias', [width], 0.1],
  ['v.position_embd.weight', [positions, width], 0.3],
]
const linear = (name, to, from) => [
  [`${name}.weight`, [to, from], 0.4],
  [`${name}.bias`, [to], 0.1],
]

const layer = [
  ...norm('v.blk.0.ln1'),
  ...norm('v.blk.0.ln2'),
  ...['q', 'k', 'v', 'out'].flatMap(name => linear(`v.blk.0.attn_${name}`, width, width)),
  ...linear('v.blk.0.ffn_up', inner, width),
  ...linear('v.blk.0.ffn_down', width, inner),
]
const written = (metadata, tensors) =>
  ggufFile(
    metadata,
    tensors.map(([name, shape, size, mean], seed) => ({ name, shape, values: wave(shape, seed, size, mean) })),
  )

/**
 * `textWidth`: `info.width` of the model that reads its rows; `side`: of the images, in pixels, for which it has positions;
 * `merged`: the side, in patches of 4 pixels, of the square that becomes a row.
 */
export function projectorFile(textWidth, side = 16, merged = Math.min(side / patch / 2, 16)) {
  return written(metadataOf('gemma3', side, textWidth, merged), [
    ...patches((side / patch) ** 2),
    ...layer,
    ...norm('v.post_ln'),
    ['mm.soft_emb_norm.weight', [width], 0.1, 1],
    ['mm.input_projection.weight', [width, textWidth], 0.5],
  ])
}

/** A tower as InternVL's, which cuts an image into tiles of 16 x 16 pixels, four rows each, and has an overview besides. */
export const tilingProjectorFile = textWidth =>
  written(metadataOf('internvl', 16, textWidth, 2), [
    ...patches(17),
    ...layer,
    ['v.class_embd', [width], 0.3],
    ['v.blk.0.ls1.weight', [width], 0.1, 1],
    ['v.blk.0.ls2.weight', [width], 0.1, 1],
    ['mm.model.mlp.0.weight', [4 * width], 0.1, 1],
    ['mm.model.mlp.0.bias', [4 * width], 0.1],
    ...linear('mm.model.mlp.1', inner, 4 * width),
    ...linear('mm.model.mlp.3', textWidth, inner),
  ])

/** A projector for audio as that of Gemma 4 without a tower: each 640 samples, 40 ms, become a row. */
export const hearingProjectorFile = textWidth =>
  written(
    {
      'general.architecture': ['string', 'clip'],
      'clip.has_audio_encoder': ['bool', true],
      'clip.projector_type': ['string', 'gemma4ua'],
      'clip.audio.num_mel_bins': ['u32', 640],
      'clip.audio.projection_dim': ['u32', textWidth],
    },
    [['mm.a.input_projection.weight', [textWidth, 640], 0.2]],
  )

/** An image whose pixels depend on `shade`. */
export const shaded = (shade, width = 40, height = 30) => ({
  width,
  height,
  data: Uint8ClampedArray.from({ length: width * height * 4 }, (_, index) => (index % 4 === 3 ? 255 : (index * shade) % 256)),
})
