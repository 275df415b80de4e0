// The engine worker in Node.
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { CreateModule } from './engine.js'
import { HeedError } from './errors.js'
import type { Chunks } from './load.js'
import { serve } from './worker.js'

const { default: create } = await import(`./node/heed-${workerData.simd}.js`) as { default: CreateModule }

async function* readPath(path: string): Chunks {
  try {
    yield* createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Uint8Array>
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
  readPath,
})
