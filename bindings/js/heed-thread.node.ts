// The script of a thread's worker in Node: defines the globals of a web worker that the glue expects, and runs the glue.
import { parentPort, workerData } from 'node:worker_threads'
import { started } from './wire/worker-life.js'

const scope = globalThis as unknown as { onmessage: ((event: { data: unknown }) => void) | null }

const inherit = (name: string, value: unknown) =>
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
inherit('self', globalThis)
inherit('name', 'em-pthread')
inherit('WorkerGlobalScope', Object)
inherit('onmessage', null)
inherit('postMessage', (message: unknown) => parentPort!.postMessage(message))
const { addEventListener } = globalThis // exists in Deno, which uses it to listen for process events
inherit('addEventListener', function listen(type: string, listener: (event?: { data: unknown }) => void) {
  inherit('addEventListener', addEventListener)
  if (type === 'error') process.on('uncaughtExceptionMonitor', () => listener())
  else parentPort!.on(type, data => listener({ data }))
  inherit('addEventListener', listen)
})

await import(workerData.glue)
parentPort!.on('message', data => scope.onmessage?.({ data }))
parentPort!.postMessage(started)
