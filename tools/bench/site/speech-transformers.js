// Transcribes a sound with transformers.js's pipeline, as a page does, on the CPU: with its bundled script, and with the WebAssembly
// that this loads by default, from a content delivery network there.
import { env, pipeline } from './transformers.js/transformers.min.js'

const wasm = 'onnxruntime-web/ort-wasm-simd-threaded.asyncify'

let transcriber

/** `url`: of a folder with a model. */
export async function load({ url, threads }) {
  Object.assign(env, {
    allowRemoteModels: false,
    allowLocalModels: true,
    localModelPath: '/', // a path: below a whole URL, the pipeline of version 4.3.2 finds graphs, but neither tokenizer nor preprocessor
    useBrowserCache: false,
    useWasmCache: false,
  })
  Object.assign(env.backends.onnx.wasm, {
    numThreads: threads,
    wasmPaths: { mjs: new URL(`${wasm}.mjs`, location).href, wasm: new URL(`${wasm}.wasm`, location).href },
  })
  transcriber = await pipeline('automatic-speech-recognition', url, { device: 'wasm', dtype: 'q8' })
  const { numThreads } = env.backends.onnx.wasm
  if (numThreads !== threads) throw new Error(`transformers.js runs on ${numThreads} threads`)
}

/** The samples of a WAV file with one channel of 16 bits. */
const samplesOf = file => Float32Array.from(new Int16Array(file, 44), sample => sample / 32768)

/**
 * Greedily, in windows of 30 s that do not overlap, without times, and with `tokens` for each window, the last of which stands for
 * the end. Resolves to {ms, tokens}, those of all windows.
 */
export async function transcribe({ url, tokens }) {
  const file = await (await fetch(url)).arrayBuffer()
  let written = 0
  const streamer = {
    put: ([ids]) => {
      if (ids.length === 1) written++ // the prompt has two
    },
    end() {},
  }
  const start = performance.now()
  await transcriber(samplesOf(file), {
    chunk_length_s: 30,
    stride_length_s: 0,
    min_new_tokens: tokens,
    max_new_tokens: tokens,
    streamer,
  })
  return { ms: performance.now() - start, tokens: written }
}
