// The script of a thread's worker in Node: the glue, which is written for pages, and what it takes a worker to have.
import { parentPort, workerData } from 'node:worker_threads'
import { started } from './platform/node-worker.js'

const scope = globalThis as unknown as { onmessage: ((event: { data: unknown }) => void) | null }

const inherit = (name: string, value: unknown) =>
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
inherit('self', globalThis)
inherit('name', 'em-pthread')
inherit('WorkerGlobalScope', Object)
inherit('onmessage', null)
inherit('postMessage', (message: unknown) => parentPort!.postMessage(message))
const { addEventListener } = globalThis   // which Deno has, and uses to listen for its process
inherit('addEventListener', (type: string, listener: () => void) => {
  inherit('addEventListener', addEventListener)
  if (type === 'error') process.on('uncaughtExceptionMonitor', listener)
})

await import(workerData.glue)
parentPort!.on('message', data => scope.onmessage?.({ data }))
parentPort!.postMessage(started)
