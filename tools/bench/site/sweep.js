// Sweeps beside the same cells as calls of their own, and the features of a text beside its pass.
import { loadModel } from 'heed'

let model, clean, corrupted, states

const metric = { token: 7, against: 11 }
const idsOf = (length, step) => Array.from({ length }, (_, index) => 300 + ((7 * index + step) % 1000))

async function timed(run) {
  const start = performance.now()
  await run()
  return performance.now() - start
}

async function load({ url, threads, simd }) {
  await model?.dispose()
  model = await loadModel(url, { threads, contextLength: 512, ...(simd && { simd }) })
}

/** Two texts that differ in their third token, and the values of the first that edits put into the second. */
async function begin(tokens) {
  clean = idsOf(tokens, 0)
  corrupted = clean.map((id, at) => (at === 2 ? id + 1 : id))
  const { layers } = model.info
  const layersOf = name => Array.from({ length: layers }, (_, layer) => name.replace('L', layer))
  const points = ['embed', ...layersOf('resid.L'), ...layersOf('head.L')]
  const { tensors } = await model.trace(clean, { points })
  states = new Map(
    tensors.map(({ point, data, shape }) => [point, { data, width: shape.at(-1), heads: shape.length > 2 ? shape[1] : 1 }]),
  )
  await model.sweep({ clean, corrupted, at: 'resid', metric, layers: [layers - 1], positions: [-1] }) // loads what it needs
  return { layers, heads: states.get('head.0').heads }
}

/** The states after all layers, and what enters the first. Milliseconds. */
const sweepStates = positions =>
  timed(async () => {
    await model.sweep({ clean, corrupted, at: 'resid_pre', layers: [0], metric, positions })
    await model.sweep({ clean, corrupted, at: 'resid', metric, positions })
  })

/** Each head at all positions. Milliseconds. */
const sweepHeads = () => timed(() => model.sweep({ clean, corrupted, at: 'z', metric }))

const rowOf = (point, position, head) => {
  const { data, width, heads } = states.get(point)
  const from = (position * heads + head) * width
  return data.slice(from, from + width)
}

/** Milliseconds of one cell as a call of its own. `way`: `replace`, by values that are known, or `patch`, by the other text. */
function single({ point, position, head, way }) {
  const positions = position === undefined ? clean.map((_, at) => at) : [position]
  const heads = head === undefined ? {} : { heads: [head] }
  const edits =
    way === 'patch'
      ? [{ at: point, ...heads, patch: clean, positions: positions.map(at => [at, at]) }]
      : positions.map(at => ({ at: point, ...heads, replace: rowOf(point, at, head ?? 0), positions: [at] }))
  return timed(() => model.logits(corrupted, { edits }))
}

/** `count` of the cells, spread evenly over both axes. */
const sampled = (cells, count) =>
  Array.from({ length: Math.min(count, cells.length) }, (_, index) => cells[Math.floor(((index + 0.5) * cells.length) / count)])

/** A table's sweep and its cells as single calls, of which `samples` are timed, in milliseconds. */
async function tableOf(sweep, cells, samples) {
  const sweepMs = await sweep()
  const ways = {}
  for (const way of ['replace', 'patch']) {
    await single({ ...cells[0], way })
    const times = []
    for (const cell of sampled(cells, samples)) times.push(await single({ ...cell, way }))
    ways[way] = (times.reduce((sum, ms) => sum + ms, 0) / times.length) * cells.length
  }
  return { cells: cells.length, sweepMs, ...ways }
}

/** Tables by their titles. `last`: the positions of the third one. */
export async function tables({ tokens, samples, last, ...loading }) {
  await load(loading)
  const { layers, heads } = await begin(tokens)
  const all = count => Array.from({ length: count }, (_, index) => index)
  const states = positions =>
    ['embed', ...all(layers).map(layer => `resid.${layer}`)].flatMap(point => positions.map(position => ({ point, position })))
  const ofHeads = all(layers).flatMap(layer => all(heads).map(head => ({ point: `head.${layer}`, head })))
  const ends = all(last).map(index => tokens - last + index)
  return {
    [`${layers + 1} layers x ${tokens} positions`]: await tableOf(() => sweepStates(all(tokens)), states(all(tokens)), samples),
    [`${layers} layers x ${heads} heads`]: await tableOf(sweepHeads, ofHeads, samples),
    [`${layers + 1} layers x the last ${last}`]: await tableOf(() => sweepStates(ends), states(ends), samples),
  }
}

/** Small numbers around 0, the same at each call. */
function numbers(length, size) {
  const values = new Float32Array(length)
  for (let index = 0, state = length; index < length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    values[index] = (state / 2 ** 31 - 1) * size
  }
  return values
}

/** The files, as SAELens writes them, of a JumpReLU autoencoder of a layer, of which about one feature in 200 is on. */
async function dictionary(text, layer, count) {
  const traced = await model.trace(text, { points: [`resid.${layer}`] })
  const [{ data, shape }] = traced.tensors
  const width = shape[1]
  const deviation = Math.sqrt(data.reduce((sum, value) => sum + value * value, 0) / data.length / 3)
  const size = 1 / Math.sqrt(width)
  const tensors = {
    W_enc: [[width, count], numbers(width * count, size)],
    W_dec: [[count, width], numbers(width * count, size)],
    b_enc: [[count], new Float32Array(count)],
    b_dec: [[width], new Float32Array(width)],
    threshold: [[count], new Float32Array(count).fill(2.6 * deviation)],
  }
  let end = 0
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, [of, { byteLength }]]) => [
      name,
      { dtype: 'F32', shape: of, data_offsets: [end, (end += byteLength)] },
    ]),
  )
  const json = JSON.stringify(header)
  const padded = new TextEncoder().encode(json.padEnd(8 * Math.ceil(json.length / 8)))
  const length = new BigUint64Array([BigInt(padded.length)])
  const config = {
    architecture: 'jumprelu',
    d_in: width,
    d_sae: count,
    apply_b_dec_to_input: false,
    normalize_activations: 'none',
    metadata: { hook_name: `blocks.${layer}.hook_resid_post` },
  }
  return [
    new File([JSON.stringify(config)], 'cfg.json'),
    new File([length, padded, ...Object.values(tensors).map(([, values]) => values)], 'sae_weights.safetensors'),
  ]
}

/** Milliseconds of the pass of a text and of its features, which contain such a pass, by turns; and how many are on at a token. */
export async function features({ tokens, count, rounds, ...loading }) {
  await load(loading)
  const layer = Math.floor(model.info.layers / 2)
  const text = idsOf(tokens, 3)
  const sae = await model.loadFeatures(await dictionary(text, layer, count))
  const passMs = [],
    featuresMs = []
  let on = 0
  for (let round = 0; round < rounds; round++) {
    const own = idsOf(tokens, 5 + round)
    passMs.push(await timed(() => model.trace(own, { points: [`resid.${layer}`, 'logits'] })))
    featuresMs.push(
      await timed(async () => {
        const { l0 } = await model.features(own, { sae })
        on = l0.reduce((sum, value) => sum + value, 0) / tokens
      }),
    )
  }
  return { passMs, featuresMs, on }
}
