// Heed, as a page uses it.
import { loadModel } from './dist/index.js'

let model

export async function load({ url, threads, contextLength, simd, kvCache, memory64 }) {
  const start = performance.now()
  const asked = { ...(simd && { simd }), ...(kvCache && { kvCache }), ...(memory64 !== undefined && { memory64 }) }
  model = await loadModel(url, { threads, contextLength, prefixCache: 0, ...asked })
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

/** Bytes of the engine's WebAssembly memory, which never shrinks; reported by its worker (recorder.js). */
export function memory() {
  const channel = new BroadcastChannel('memory')
  return new Promise(resolve => {
    channel.onmessage = ({ data }) => { if (data.bytes) resolve(data.bytes) }
    channel.postMessage({})
  }).finally(() => channel.close())
}
