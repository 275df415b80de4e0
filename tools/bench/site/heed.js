// Heed, as a page uses it.
import { loadModel } from './dist/index.js'

let model

export async function load({ url, projector, threads, contextLength, simd, kvCache, memory64 }) {
  const start = performance.now()
  const asked = { ...(simd && { simd }), ...(kvCache && { kvCache }), ...(memory64 !== undefined && { memory64 }) }
  model = await loadModel(url, { threads, contextLength, prefixCache: 0, projector, ...asked })
  return { milliseconds: performance.now() - start, info: model.info }
}

/** Without speculation, whose speed depends on the text. */
export async function generate({ prompt, tokens }) {
  const start = performance.now()
  let firstTokenMs
  const generation = model.generate(prompt, { maxTokens: tokens, temperature: 0, stopAtEnd: false, speculate: 'off' })
  for await (const _ of generation) firstTokenMs ??= performance.now() - start
  const { timings } = await generation
  const { reusedTokens, prefillMs, decodeMs, promptTokens, generatedTokens } = timings
  if (reusedTokens > 0) throw new Error(`${reusedTokens} tokens of the prompt were in the cache`)
  return { firstTokenMs, prefillMs, decodeMs, promptTokens, generatedTokens }
}

/**
 * Processes an image, given as a file, and generates the first token of an answer. `rowsMs`: the time of the text model's passes.
 */
export async function see(image) {
  const start = performance.now()
  const generation = model.generate([{ image }], { maxTokens: 1, temperature: 0, stopAtEnd: false })
  const {
    timings: { prefillMs, promptTokens, reusedTokens },
  } = await generation
  if (reusedTokens > 1) throw new Error(`${reusedTokens} tokens of the prompt were in the cache`)
  return { firstTokenMs: performance.now() - start, rowsMs: prefillMs, promptTokens }
}

/** The tiles of an image of this size, as numbers of rows. Tiles that show the same area are equal, and run only once. */
export async function tiles(size) {
  const pixels = { ...size, data: new Uint8Array(4 * size.width * size.height) }
  const {
    images: [{ patches }],
  } = await model.attention([{ image: pixels }], { layers: [model.info.layers - 1], heads: [0] })
  const areas = []
  for (const { tile, x, y, width, height } of patches) (areas[tile] ??= []).push([x, y, width, height].join())
  const different = new Map(areas.map(ofTile => [ofTile.join(' '), ofTile.length]))
  return [...different.values()]
}

/** The engine's own report of its memory. */
export const bytesInUse = async () => (await model.memory()).bytes

/** Bytes of the engine's WebAssembly memory, which never shrinks; reported by its worker (recorder.js). */
export function memory() {
  const channel = new BroadcastChannel('memory')
  return new Promise(resolve => {
    channel.onmessage = ({ data }) => {
      if (data.bytes) resolve(data.bytes)
    }
    channel.postMessage({})
  }).finally(() => channel.close())
}
