// Loads of a model that is downloaded, downloaded and kept, and read from where it is kept, as a page does them.
import { loadModel, modelStore } from './dist/index.js'

/** Milliseconds, for a model that is gone afterwards. */
export async function load({ url, threads, simd, cache }) {
  const start = performance.now()
  const model = await loadModel(url, { threads, cache, contextLength: 64, ...(simd && { simd }) })
  const milliseconds = performance.now() - start
  await model.dispose()
  return milliseconds
}

/** The same for the file of the only model in the store, read into memory and no more. */
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

/** What `modelStore.list` takes, which starts a worker. */
export async function list() {
  const start = performance.now()
  await modelStore.list()
  return performance.now() - start
}
