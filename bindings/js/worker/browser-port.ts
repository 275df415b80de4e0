// The engine worker's end of the connection, in a browser.
import { runScript } from '../platform/run-script.js'
import { startWorker } from '../platform/start-worker.js'
import { holdUntilEnd } from '../platform/worker-end.js'
import type { Store } from '../store/interface.js'
import { started } from '../wire/worker-life.js'
import { compile, memoryBytes, yieldToMessages } from './browser.js'
import type { CreateModule, ThreadWorker } from './engine.js'
import type { Port } from './port.js'

export const browserPort: Port = {
  post: (message, transfer = []) => self.postMessage(message, { transfer }),
  listen(onMessage, onEnd) {
    self.onmessage = ({ data, ports: [port] }) => {
      if (!port) return onMessage(data)
      void onEnd()
      holdUntilEnd(data, port)
    }
    self.postMessage(started)
  },
  memoryBytes,
  yieldToMessages,
  async readGlue(address) {
    await runScript(address)
    return (globalThis as unknown as { heedGlue: CreateModule }).heedGlue
  },
  compile,
  async readStore(address) {
    await runScript(address!)
    return (globalThis as unknown as { heedStore: Store }).heedStore
  },
  startThread: address => startWorker(address, 'em-pthread') as Promise<ThreadWorker>,
}
