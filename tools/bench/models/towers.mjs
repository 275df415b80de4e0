// Vision towers of real models, each with a text model of a few layers that reads its rows: pairs of GGUF files with random weights.
import { existsSync } from 'node:fs'
import { pathOf, writeModel, writeRandom } from './index.mjs'
import { storedBytes, types } from './types.mjs'

const half = [0.5, 0.5, 0.5]

/** `more`: additional metadata, below `clip.vision.`. */
const tower = (projector, { width, layers, heads, feedForward, patch, image, positions, rows }, rest) => ({
  projector,
  width,
  layers,
  heads,
  feedForward,
  patch,
  image,
  positions,
  rows,
  epsilon: 1e-6,
  joined: false,
  frames: 1,
  more: {},
  text: {},
  ...rest,
})

const siglip = { width: 768, layers: 12, heads: 12, feedForward: 3072, patch: 16 }

/**
 * `image`, `positions`: the side in pixels for which a tower was trained, and how many positions it has learned; `rows`: the width
 * of a row for the text model; `merge`: the patches per side of the square that becomes a row; `project`: adds the projector's
 * matrices; `control`, `normal`: the tokens that the family puts around rows.
 */
export const towers = {
  'smolvlm2-500m': tower(
    'idefics3',
    { ...siglip, image: 512, positions: 1024, rows: 960 },
    {
      merge: 4,
      // The model enlarges an image to 2048 pixels, and cuts it into 16 tiles: here, one of 512 pixels is one tile beside the overview.
      more: { 'projector.scale_factor': ['u32', 4], preproc_image_size: ['u32', 512] },
      project: (add, { width, rows }) => add.matrix('mm.model.fc', rows, 16 * width),
      control: ['<fake_token_around_image>', '<global-img>', '<row_1_col_1>'],
      normal: ['\n', '\n\n'],
    },
  ),
  'lfm2.5-vl-450m': tower(
    'lfm2',
    { ...siglip, image: 256, positions: 256, rows: 1024 },
    {
      merge: 2,
      more: { 'projector.scale_factor': ['u32', 2] },
      project(add, { width, rows }) {
        add.norm('mm.input_norm', 4 * width)
        add.linear('mm.1', 2560, 4 * width)
        add.linear('mm.2', rows, 2560)
      },
      control: ['<|image_start|>', '<|image_end|>', '<|img_row_1_col_1|>', '<|img_thumbnail|>'],
    },
  ),
  'qwen3.5-0.8b': tower(
    'qwen3vl_merger',
    { ...siglip, image: 768, positions: 2304, rows: 1024 },
    {
      merge: 2,
      joined: true,
      frames: 2,
      more: { spatial_merge_size: ['u32', 2] },
      project(add, { width, rows }) {
        add.linear('mm.0', 4 * width, 4 * width)
        add.linear('mm.2', rows, 4 * width)
      },
      text: {
        family: 'qwen35',
        layers: 4,
        heads: 4,
        kvHeads: 2,
        headDim: 64,
        ropeDims: 32,
        delta: { heads: 4, keyHeads: 2, dim: 64, taps: 4 },
        tied: true,
      },
      control: ['<|vision_start|>', '<|vision_end|>'],
    },
  ),
  'gemma-3-4b': tower(
    'gemma3',
    { width: 1152, layers: 27, heads: 16, feedForward: 4304, patch: 14, image: 896, positions: 4096, rows: 2560 },
    {
      merge: 4,
      project(add, { width, rows }) {
        add.norm('mm.soft_emb_norm', width, false)
        add.half('mm.input_projection', width, rows) // read as columns
      },
      control: ['<start_of_image>', '<end_of_image>'],
    },
  ),
}

const metadataOf = ({ projector, width, layers, heads, feedForward, patch, image, rows, epsilon, more }) => ({
  'general.architecture': ['string', 'clip'],
  'clip.has_vision_encoder': ['bool', true],
  'clip.projector_type': ['string', projector],
  'clip.use_gelu': ['bool', true],
  ...Object.fromEntries(
    Object.entries({
      image_size: ['u32', image],
      patch_size: ['u32', patch],
      embedding_length: ['u32', width],
      feed_forward_length: ['u32', feedForward],
      block_count: ['u32', layers],
      'attention.head_count': ['u32', heads],
      'attention.layer_norm_epsilon': ['f32', epsilon],
      image_mean: ['f32', half],
      image_std: ['f32', half],
      projection_dim: ['u32', rows],
      ...more,
    }).map(([key, value]) => [`clip.vision.${key}`, value]),
  ),
})

/**
 * The tensors of a tower's file, as `tensorsOf` in shapes.mjs returns them. Matrices whose rows are not whole blocks of the format
 * are F16.
 */
export function towerTensors(shape, format) {
  const { width, layers, feedForward, patch, positions, joined, frames, project } = shape
  const tensors = []
  const add = (name, shape, type, more) =>
    tensors.push({
      name,
      shape,
      type,
      bytes: storedBytes(
        type,
        shape.reduce((a, b) => a * b),
      ),
      ...more,
    })
  const matrix = (name, rows, columns) =>
    add(`${name}.weight`, [rows, columns], columns % types[format].values === 0 ? format : 'f16')
  const half = (name, rows, columns) => add(`${name}.weight`, [rows, columns], 'f16')
  const linear = (name, rows, columns) => {
    matrix(name, rows, columns)
    add(`${name}.bias`, [rows], 'f32')
  }
  const norm = (name, size, biased = true) => {
    add(`${name}.weight`, [size], 'f32', { value: 1 })
    if (biased) add(`${name}.bias`, [size], 'f32')
  }
  for (let frame = 0; frame < frames; frame++)
    add(`v.patch_embd.weight${frame === 0 ? '' : `.${frame}`}`, [width, 3, patch, patch], 'f32')
  add('v.patch_embd.bias', [width], 'f32')
  add('v.position_embd.weight', [positions, width], 'f32')
  for (let layer = 0; layer < layers; layer++) {
    const name = `v.blk.${layer}`
    norm(`${name}.ln1`, width)
    if (joined) linear(`${name}.attn_qkv`, 3 * width, width)
    else for (const part of ['q', 'k', 'v']) linear(`${name}.attn_${part}`, width, width)
    linear(`${name}.attn_out`, width, width)
    norm(`${name}.ln2`, width)
    linear(`${name}.ffn_up`, feedForward, width)
    linear(`${name}.ffn_down`, width, feedForward)
  }
  norm('v.post_ln', width)
  project({ matrix, half, linear, norm }, shape)
  return tensors
}

/** A text model whose cost is negligible beside the tower's. */
const textShape = ({ rows, text }) => ({
  family: 'llama',
  width: rows,
  layers: 1,
  heads: rows / 64,
  kvHeads: rows / 64,
  headDim: 64,
  feedForward: 512,
  vocabulary: 1024,
  tied: false,
  ...text,
})

/** Writes a pair. */
export function writePair({ model, projector }, name, format, shape = towers[name]) {
  writeModel(model, `${name} text`, format, textShape(shape), shape)
  writeRandom(projector, metadataOf(shape), towerTensors(shape, format))
}

/** The paths of a pair in the cache folder, {model, projector}; writes the files if they are missing. */
export function pairOf(name, format) {
  const paths = { model: pathOf(`${name}-text-${format}`), projector: pathOf(`${name}-mmproj-${format}`) }
  if (!Object.values(paths).every(path => existsSync(path))) writePair(paths, name, format)
  return paths
}

/**
 * The tower's work for an image with these tiles, {patches, rows} each: MACs of its matrices, including the projector's, and of
 * attention; and the bytes of the largest layer's activations, which are f32.
 */
export function towerCosts(shape, tiles) {
  const { width, layers, feedForward, patch, frames } = shape
  const sum = count => tiles.reduce((total, tile) => total + count(tile), 0)
  const inLayers = layers * (4 * width ** 2 + 2 * width * feedForward) + frames * 3 * patch ** 2 * width
  const inProjector = towerTensors(shape, 'f16')
    .filter(({ name, shape }) => name.startsWith('mm.') && shape.length === 2)
    .reduce((total, { shape: [rows, columns] }) => total + rows * columns, 0)
  return {
    products: sum(({ patches, rows }) => patches * inLayers + rows * inProjector),
    attention: sum(({ patches }) => 2 * layers * patches ** 2 * width),
    // The layer's input, queries, keys, values and head outputs; or its input and the inside of the MLP.
    activationBytes: Math.max(...tiles.map(({ patches }) => 4 * patches * (2 * width + Math.max(4 * width, feedForward)))),
  }
}
