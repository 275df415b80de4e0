// Starts the threads of an engine in Node, Deno and Bun.
import { startNodeWorker } from '../platform/node-worker.js'
import type { ThreadWorker } from './engine.js'

/** Starts a thread's worker from an engine worker, with the interface of a web worker. */
export async function startThread(glue: string): Promise<ThreadWorker> {
  const worker = await startNodeWorker(new URL('./heed-thread.node.js', import.meta.url), { glue })
  const thread: ThreadWorker = {
    onmessage: null,
    onerror: null,
    postMessage: message => worker.postMessage(message),
    terminate: async () => {
      await worker.terminate()
    },
  }
  worker.on('message', data => thread.onmessage?.({ data }))
  worker.on('error', error => thread.onerror?.(error))
  return thread
}
