// The models in tests/golden/data for tests in JavaScript: their files, and what of a text their layers may see.
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

/** A picture that models see, and what they make of it: 32-bit floats. */
export const goldenPicture = () => {
  const data = new Uint8Array(readFileSync(inData('picture.rgba')))
  const side = Math.sqrt(data.length / 4)
  return { width: side, height: side, data }
}
export const goldenFloats = file => {
  const bytes = readFileSync(inData(file))
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

/** The layers, from 0, that see only the last `window` tokens. */
export const window = 8
const windowed = {
  'gemma2': layer => layer % 2 === 0,
  'gemma3': layer => layer % 6 !== 5,
  'olmo2-window': layer => layer % 4 !== 3,
  'cohere2': layer => layer % 4 !== 3,
  'gpt-oss': layer => layer % 2 === 0,
}

/** Whether token `query` of an encoder's layer may see token `key`; an encoder may have been made of a decoder. */
export const encoderMaySee = (name, layer, query, key) => {
  if (name === 'qwen3-embedding' || name === 'clip') return key <= query
  return name !== 'modern-bert' || layer % 3 === 0 || Math.abs(query - key) <= 3
}

/** Whether token `query` of a decoder's layer may see token `key`. */
export const maySee = (name, layer, query, key) =>
  key <= query && (!windowed[name]?.(layer) || key > query - window)
