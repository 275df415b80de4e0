// Loads a model as a page does: downloaded, downloaded and stored, or read from the store.
import { loadModel, modelStore } from './dist/index.js'

/** Loads and disposes of a model; resolves to the load time in milliseconds. */
export async function load({ url, threads, simd, cache }) {
  const start = performance.now()
  const model = await loadModel(url, { threads, cache, contextLength: 64, ...(simd && { simd }) })
  const milliseconds = performance.now() - start
  await model.dispose()
  return milliseconds
}

/**
 * Loads a stored model and continues a text of so many tokens; resolves to the milliseconds until the first new token, and to the number of
 * tokens that were not read again.
 */
export async function firstWord({ url, threads, simd, tokens, keep }) {
  const start = performance.now()
  const model = await loadModel(url, { threads, cache: true, keep, contextLength: tokens + 64, ...(simd && { simd }) })
  const prompt = Array.from({ length: tokens }, (_, i) => 3 + ((i * 7) % 256))
  const generation = model.generate(prompt, { maxTokens: 8, temperature: 0, stopAtEnd: false })
  let milliseconds
  for await (const _ of generation) milliseconds ??= performance.now() - start
  const { reusedTokens } = (await generation).timings
  await model.dispose()
  return { milliseconds, reusedTokens }
}

/** Resolves to the milliseconds that it takes just to read the file of the only stored model into memory. */
export async function read() {
  const [{ bytes, complete }] = await modelStore.list()
  if (!complete) throw new Error('the model was not stored')
  const worker = new Worker('read.js', { type: 'module' })
  const answer = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = event => reject(new Error(event.message))
  }).finally(() => worker.terminate())
  if (answer.bytes !== bytes) throw new Error(`${answer.bytes} bytes of ${bytes} were read`)
  return answer.milliseconds
}

export const clear = () => modelStore.clear()

/** Resolves to the milliseconds that `modelStore.list` takes, which starts a worker. */
export async function list() {
  const start = performance.now()
  await modelStore.list()
  return performance.now() - start
}
