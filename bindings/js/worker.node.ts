// The engine worker in Node.
import { closeSync, openSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { ByteReader } from './bytes.js'
import type { CreateModule } from './engine.js'
import { HeedError } from './errors.js'
import { serve } from './worker.js'

const { default: create } = await import(`./node/heed-${workerData.simd}.js`) as { default: CreateModule }

function openPath(path: string): ByteReader {
  const file = told(() => openSync(path, 'r'))
  return { read: place => told(() => readSync(file, place)), close: () => closeSync(file) }
}

/** What fails, fails with `io`. */
function told<Result>(access: () => Result): Result {
  try {
    return access()
  } catch (error) {
    throw new HeedError('io', (error as Error).message)
  }
}

const compile = async () =>
  WebAssembly.compile(await readFile(new URL(`./heed-${workerData.simd}.wasm`, import.meta.url)))

serve(create, compile, {
  post: (message, transfer = []) => parentPort!.postMessage(message, transfer),
  listen: onMessage => { parentPort!.on('message', onMessage) },
  breathe: () => new Promise(resolve => { setImmediate(resolve) }),
  openPath,
})
