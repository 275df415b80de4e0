// Heed in Node: worker threads, and models by path.
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { HeedError } from './errors.js'
import type { Endpoint, Platform } from './platform.js'
import type { FromEngine } from './protocol.js'

const remote = /^(https?|data|blob):/

export const node: Platform = {
  cores: availableParallelism(),
  defaultModel: { kind: 'path', path: fileURLToPath(new URL('./heed-stories.gguf', import.meta.url)) },

  locate(source) {
    const text = String(source)
    if (remote.test(text)) return { kind: 'url', url: text }
    return { kind: 'path', path: text.startsWith('file:') ? fileURLToPath(text) : resolve(text) }
  },

  startEngine(simd): Endpoint {
    // No flags of this process: the worker needs none, and some (--input-type) it would refuse.
    const options = { workerData: { simd }, execArgv: [] }
    const worker = new Worker(new URL('./worker.node.js', import.meta.url), options)
    return {
      post: (message, transfer = []) => worker.postMessage(message, transfer),
      listen(onMessage, onError) {
        worker.on('message', (message: FromEngine) => onMessage(message))
        const crash = (error: Error) => onError(new HeedError('crashed', error.message, { cause: error }))
        worker.on('messageerror', crash)
        worker.on('error', crash)
        worker.on('exit', () => crash(new Error('The engine worker ended')))
      },
      terminate: () => { void worker.terminate() },
      setBusy: busy => busy ? worker.ref() : worker.unref(),
    }
  },
}
