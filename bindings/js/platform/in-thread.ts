// The platform for contexts without workers: the engine runs in the thread that uses it, between its other work.
import memory64 from '#glue/memory64'
import relaxed from '#glue/relaxed'
import simd128 from '#glue/simd128'
import { browserStore } from '../store/place-browser.js'
import { sha256 } from '../store/sha256.js'
import { openStore } from '../store/store.js'
import { serve } from '../worker.js'
import { browser } from './browser.js'
import { compile, memoryBytes, yieldToMessages } from './browser-port.js'
import type { Endpoint, Platform } from './platform.js'

const glues: Record<string, typeof relaxed> = { memory64, relaxed, simd128 }

/** Writing files would block this thread, but it can list and delete them. */
const store = openStore({ sha256, store: async () => undefined }, browserStore)

export const inThread: Platform = {
  ...browser,
  cores: 1,
  engineFiles: (name, assets) => ({ ...browser.engineFiles(name, assets), glue: name }),
  storeScript: () => undefined,

  async startEngine(): Promise<Endpoint> {
    const { port1: user, port2: engine } = new MessageChannel()
    serve({
      post: (message, transfer = []) => engine.postMessage(message, transfer),
      listen(onMessage) { engine.onmessage = ({ data }) => onMessage(data) },
      memoryBytes,
      yieldToMessages,
      readGlue: async name => glues[name]!,
      compile,
      readStore: async () => store,
    })
    return {
      post: (message, transfer = []) => user.postMessage(message, transfer),
      listen(onMessage) { user.onmessage = ({ data }) => onMessage(data) },
      terminate: () => user.close(),
      setBusy() {},
    }
  },
}
