// The engine worker's end of the connection, in Node, Deno and Bun.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { sha256 } from '../store/folder-node.js'
import type { ModelFile } from '../store/model-file.js'
import { nodeStore } from '../store/place-node.js'
import { openStore } from '../store/store.js'
import { HeedError } from '../wire/errors.js'
import { ended, ending, started } from '../wire/worker-life.js'
import { readLater } from './all-scripts.js'
import type { CreateModule } from './engine.js'
import { startThread } from './node-thread.js'
import type { Port } from './port.js'

function openPath(path: string): ModelFile {
  const file = ioErrors(() => openSync(path, 'r'))
  if (fstatSync(file).isDirectory()) {
    closeSync(file)
    throw new HeedError('io', `${path} is a folder`)
  }
  return {
    name: basename(path),
    size: fstatSync(file).size,
    read: (at, place) => ioErrors(() => readSync(file, place, 0, place.length, at)),
    close: () => closeSync(file),
  }
}

/** Converts any error to `io`. */
function ioErrors<Result>(access: () => Result): Result {
  try {
    return access()
  } catch (error) {
    throw new HeedError('io', (error as Error).message)
  }
}

const readModule = (address: string) =>
  readFile(fileURLToPath(address)).catch((error: Error) => {
    throw new HeedError('io', error.message)
  })

/** The machine's memory in bytes; undefined if Deno denies access to system information. */
function memoryOfMachine(): number | undefined {
  try {
    return Math.min(totalmem(), process.constrainedMemory?.() || Infinity)
  } catch {
    return undefined
  }
}

export const nodePort: Port = {
  post: (message, transfer = []) => parentPort!.postMessage(message, transfer),
  listen(onMessage, onEnd) {
    parentPort!.on('message', async message => {
      if (message !== ending) return onMessage(message)
      await onEnd()
      parentPort!.postMessage(ended)
    })
    parentPort!.postMessage(started)
  },
  memoryBytes: memoryOfMachine(),
  yieldToMessages: () =>
    new Promise(resolve => {
      setImmediate(resolve)
    }),
  async readGlue(address) {
    await import(address)
    return (globalThis as unknown as { heedGlue: CreateModule }).heedGlue
  },
  compile: async address => WebAssembly.compile(await readModule(address)),
  readStore: async () => openStore({ sha256, store: nodeStore }),
  readLater,
  startThread,
  openPath,
}
