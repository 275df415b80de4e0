// wllama, as a page uses it, on the CPU.
import { Wllama } from './wllama/index.js'

let wllama

export async function load({ url, projector, threads, contextLength, kvCache }) {
  const start = performance.now()
  const wasm = new URL('./wllama/wasm/wllama.wasm', location).href
  wllama = new Wllama({ default: wasm }, { suppressNativeLog: true })
  const files = [url, ...(projector ? [projector] : [])]
  const blobs = await Promise.all(files.map(async file => (await fetch(file, { cache: 'no-store' })).blob()))
  await wllama.loadModel(blobs, {
    n_threads: threads,
    n_ctx: contextLength,
    n_gpu_layers: 0,
    n_parallel: 1,
    warmup: false,
    ...(kvCache && { cache_type_k: kvCache, cache_type_v: kvCache, flash_attn: true }),
  })
  if (wllama.getNumThreads() !== threads) throw new Error(`wllama runs on ${wllama.getNumThreads()} threads`)
  return { milliseconds: performance.now() - start }
}

/**
 * wllama only takes text. In this benchmark's models, each of these letters is one token, after the BOS token and the three
 * bytes of a space. Other models need fewer tokens; the timings say how many.
 */
const textOf = ids => String.fromCharCode(...ids.slice(4).map(id => 97 + (id % 26)))

/** Processes an image, given as a file, in a message of its own, and generates the first token of an answer. */
export async function see(image) {
  const data = await image.arrayBuffer()
  const start = performance.now()
  let firstTokenMs, timings
  const chunks = await wllama.createChatCompletion({
    messages: [{ role: 'user', content: [{ type: 'image', data }] }],
    max_tokens: 1,
    temperature: 0,
    ignore_eos: true,
    cache_prompt: false,
    stream: true,
  })
  for await (const chunk of chunks) {
    firstTokenMs ??= performance.now() - start
    timings = chunk.timings ?? timings
  }
  return { firstTokenMs, promptTokens: timings.prompt_n }
}

export async function generate({ prompt, tokens }) {
  const start = performance.now()
  let firstTokenMs, timings
  const chunks = await wllama.createCompletion({
    prompt: textOf(prompt),
    max_tokens: tokens,
    temperature: 0,
    ignore_eos: true,
    cache_prompt: false,
    stream: true,
  })
  for await (const chunk of chunks) {
    firstTokenMs ??= performance.now() - start
    timings = chunk.timings ?? timings
  }
  return {
    firstTokenMs,
    prefillMs: timings.prompt_ms,
    decodeMs: timings.predicted_ms,
    promptTokens: timings.prompt_n,
    generatedTokens: timings.predicted_n,
  }
}
