// A program that measures node-llama-cpp and prints {"prefill": {TOKENS: PER_SECOND}, "decode": {CONTEXT: PER_SECOND}}. It runs by
// itself, so that the model's memory is given back and a crash ends only this. Its argument is JSON: {folder, path, threads, prompt,
// tokens, context}, with `folder` the one that has node-llama-cpp in node_modules.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { folder, path, threads, prompt, tokens, context } = JSON.parse(process.argv[2])
const { getLlama } = await import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve('node-llama-cpp')))

const batch = 512
const longest = Math.max(...prompt, ...context) + tokens
const llama = await getLlama({
  gpu: false,
  build: 'never',
  maxThreads: 0,
  logLevel: 'error',
  logger: (level, text) => console.error(text),
})
const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 })
const decoding = await model.createContext({ contextSize: longest, batchSize: batch, threads: { ideal: threads, min: threads } })

// Uses the binding directly, with the version pinned by `installPeer`: the package's own work per token (some 0.5 ms: queues,
// samplers) is not llama.cpp's, and llama-bench does not count it either.
const native = decoding._ctx
native.setThreads(threads)

/** Processes `ids` at positions from `start` on, up to the logits of the last one. */
async function read(ids, start = 0) {
  for (let from = 0; from < ids.length; from += batch) {
    const part = ids.slice(from, from + batch)
    native.initBatch(part.length)
    native.addToBatch(0, start + from, Uint32Array.from(part), Uint32Array.of(part.length - 1))
    await native.decodeBatch()
  }
}

const tokenAt = position => 3 + ((position * 7) % 256)
const tokensAt = (start, count) => Array.from({ length: count }, (_, i) => tokenAt(start + i))

/** Empties the cache, calls `run` and resolves to its seconds. */
async function seconds(before, run) {
  native.disposeSequence(0)
  await before()
  const start = performance.now()
  await run()
  return (performance.now() - start) / 1000
}

const nothing = () => {}
await seconds(nothing, () => read(tokensAt(0, 32))) // warms it up
const figures = { prefill: {}, decode: {} }
for (const length of context) {
  figures.decode[length] =
    tokens /
    (await seconds(
      () => read(tokensAt(0, length)),
      async () => {
        for (let position = length; position < length + tokens; position++) await read([tokenAt(position)], position)
      },
    ))
}
for (const length of prompt) figures.prefill[length] = length / (await seconds(nothing, () => read(tokensAt(0, length))))
console.log(JSON.stringify(figures))
process.exit()
