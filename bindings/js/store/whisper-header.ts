// Just enough of whisper.cpp's files to determine their length: the header says which tensors follow. The engine reads the rest
// (src/formats/whisper_file.cpp). https://github.com/ggml-org/whisper.cpp/blob/master/models/convert-pt-to-ggml.py
import type { Cursor } from './gguf-header.js'
import { tensorTypes } from './tensor-types.generated.js'

/** "ggml", the first four bytes of a file. */
export const whisperMagic = 0x67676d6c

/** The tensor type of matrices, by the type in the file's header, modulo 1000. */
const matrixTypes: Readonly<Record<number, number>> = { 0: 0, 1: 1, 2: 2, 3: 3, 7: 8, 8: 6, 9: 7 }
const [f32, f16] = [0, 1]

/**
 * Reads the header of a file, moves the cursor past it, and returns the length of the file. Throws `invalid-file`; like the cursor,
 * throws `Short` if more bytes are needed.
 */
export function readWhisperHeader(cursor: Cursor): number {
  cursor.u32()
  const sizes = Array.from({ length: 11 }, () => cursor.u32()) as number[]
  const [vocabulary, positions, width, , audioLayers, context, , , layers, bands, kind] = sizes as [number, ...number[]]
  const matrices = matrixTypes[kind! % 1000]
  if (matrices === undefined || sizes.some(size => size > 1 << 17)) throw cursor.wrong('not a Whisper model')
  cursor.take(4 * cursor.u32() * cursor.u32()) // filters
  for (let left = cursor.u32(); left > 0; left--) cursor.take(cursor.u32())

  let bytes = cursor.at
  const add = (name: string, type: number, ...shape: number[]) => {
    const [blockValues, blockBytes] = tensorTypes[type]!
    bytes += 12 + 4 * shape.length + name.length + (shape.reduce((all, one) => all * one, 1) / blockValues) * blockBytes
  }
  const pair = (name: string, type: number, ...shape: number[]) => {
    add(`${name}.weight`, type, ...shape)
    add(`${name}.bias`, f32, shape[0]!)
  }
  const norm = (name: string) => pair(name, f32, width!)
  const linear = (name: string, rows: number, columns: number) => pair(name, matrices, rows, columns)
  const attention = (name: string) => {
    norm(`${name}_ln`)
    for (const part of ['query', 'value', 'out']) linear(`${name}.${part}`, width!, width!)
    add(`${name}.key.weight`, matrices, width!, width!)
  }
  const blocks = (side: string, count: number, attentions: readonly string[]) => {
    for (let layer = 0; layer < count; layer++) {
      const name = `${side}.blocks.${layer}.`
      for (const one of attentions) attention(name + one)
      norm(`${name}mlp_ln`)
      linear(`${name}mlp.0`, 4 * width!, width!)
      linear(`${name}mlp.2`, width!, 4 * width!)
    }
  }
  add('encoder.positional_embedding', f32, positions!, width!)
  const kernels = matrices === f32 ? f32 : f16
  for (const [at, inputs] of [bands, width].entries()) {
    add(`encoder.conv${at + 1}.weight`, kernels, width!, inputs!, 3)
    add(`encoder.conv${at + 1}.bias`, f32, width!, 1)
  }
  blocks('encoder', audioLayers!, ['attn'])
  norm('encoder.ln_post')
  add('decoder.positional_embedding', f32, context!, width!)
  add('decoder.token_embedding.weight', matrices, vocabulary, width!)
  blocks('decoder', layers!, ['attn', 'cross_attn'])
  norm('decoder.ln')
  return bytes
}
