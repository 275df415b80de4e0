// wllama, as a page uses it, on the CPU.
import { Wllama } from './wllama/index.js'

let wllama

export async function load({ url, threads, contextLength }) {
  const start = performance.now()
  const wasm = new URL('./wllama/wasm/wllama.wasm', location).href
  wllama = new Wllama({ default: wasm }, { suppressNativeLog: true })
  const blob = await (await fetch(url, { cache: 'no-store' })).blob()
  await wllama.loadModel([blob], {
    n_threads: threads, n_ctx: contextLength, n_gpu_layers: 0, n_parallel: 1, warmup: false,
  })
  if (wllama.getNumThreads() !== threads) throw new Error(`wllama runs on ${wllama.getNumThreads()} threads`)
  return { milliseconds: performance.now() - start }
}

/**
 * wllama only takes text. In this benchmark's models, each of these letters is one token, after the BOS token and the three
 * bytes of a space. Other models need fewer tokens; the timings say how many.
 */
const textOf = ids => String.fromCharCode(...ids.slice(4).map(id => 97 + id % 26))

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
