// Transcribes a sound with a Whisper model, as a page does.
import { loadModel } from './dist/index.js'

let model

export async function load({ url, threads, simd }) {
  model = await loadModel(url, { threads, ...(simd && { simd }) })
  return model.info
}

/** Without times or a second try at another temperature, so that the work depends only on the model's size. Resolves to {ms, tokens}. */
export async function transcribe(url) {
  const sound = new Uint8Array(await (await fetch(url)).arrayBuffer())
  const start = performance.now()
  const { segments } = await model.transcribe(sound, { timestamps: false, temperature: 0, language: 'en' })
  return { ms: performance.now() - start, tokens: segments.reduce((sum, { tokens }) => sum + tokens.length, 0) }
}
