// The models of tests/golden/data for JavaScript tests: their files and attention masks.
import { readFileSync } from 'node:fs'
import { inRoot } from '../../tools/paths.mjs'

const inData = file => inRoot('tests/golden/data', file)

export const goldenFile = name => inData(`${name}.gguf`)
export const goldenBytes = name => readFileSync(goldenFile(name))

/** An entry of index.json: {name, model, kind, tokens, ...}; kind is decoder, encoder, both or vision. */
const entries = JSON.parse(readFileSync(inData('index.json'), 'utf8'))
export const golden = name => entries.find(entry => entry.name === name)

/** The names of all files. */
export const goldenNames = [...new Set(entries.map(entry => entry.model.replace('.gguf', '')))]

/** The image for models that see. */
export const goldenPicture = () => {
  const data = new Uint8Array(readFileSync(inData('picture.rgba')))
  const side = Math.sqrt(data.length / 4)
  return { width: side, height: side, data }
}
export const goldenFloats = file => {
  const bytes = readFileSync(inData(file))
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

/** The attention window in tokens, and the layers, from 0, that have one. */
export const window = 8
const windowed = {
  gemma2: layer => layer % 2 === 0,
  gemma3: layer => layer % 6 !== 5,
  'olmo2-window': layer => layer % 4 !== 3,
  cohere2: layer => layer % 4 !== 3,
  'gpt-oss': layer => layer % 2 === 0,
}

/** Whether token `query` may attend to token `key` in an encoder's layer. Some encoders were decoders, and remain causal. */
export const encoderMaySee = (name, layer, query, key) => {
  if (name === 'qwen3-embedding' || name === 'clip') return key <= query
  return name !== 'modern-bert' || layer % 3 === 0 || Math.abs(query - key) <= 3
}

/** Whether token `query` may attend to token `key` in a decoder's layer. */
export const maySee = (name, layer, query, key) => key <= query && (!windowed[name]?.(layer) || key > query - window)
