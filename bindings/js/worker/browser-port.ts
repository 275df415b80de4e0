// The engine worker's end of the connection, in a browser.
import { fetchOwnBytes } from '../platform/own-file.js'
import { runScript } from '../platform/run-script.js'
import { startWorker } from '../platform/start-worker.js'
import { holdUntilEnd } from '../platform/worker-end.js'
import type { Store } from '../store/interface.js'
import { started } from '../wire/worker-life.js'
import { compile, memoryBytes, yieldToMessages } from './browser.js'
import type { CreateModule, ThreadWorker } from './engine.js'
import type { Port } from './port.js'

/** Runs a script, and returns the value that it has defined. */
async function run<Result>(address: string, name: string): Promise<Result> {
  await runScript(address)
  return (globalThis as unknown as Record<string, Result>)[name]!
}

export const browserPort: Port = {
  post: (message, transfer = []) => self.postMessage(message, { transfer }),
  listen(onMessage, onEnd) {
    self.onmessage = ({ data, ports: [port] }) => {
      if (typeof data !== 'string') return onMessage(data)
      void onEnd()
      holdUntilEnd(data, port!)
    }
    self.postMessage(started)
  },
  memoryBytes,
  yieldToMessages,
  readGlue: address => run<CreateModule>(address, 'heedGlue'),
  compile,
  readStore: address => run<Store>(address!, 'heedStore'),
  async readLater(name, address) {
    await fetchOwnBytes(address!) // fills the browser's cache: loading and running a script blocks the worker
    return run(address!, `heed-${name}`)
  },
  startThread: address => startWorker(address, 'em-pthread') as Promise<ThreadWorker>,
  endsThreads: true,
}
