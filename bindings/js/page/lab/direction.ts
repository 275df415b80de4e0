// Directions in the residual stream: the difference of mean states (https://arxiv.org/abs/2312.06681); and control vectors, which
// are files of directions.
import type { Direction, Edit, ModelInfo } from '../../types/index.js'
import { HeedError, refuse } from '../../wire/errors.js'
import { ggufHeader, stored } from '../../wire/gguf.js'
import type { Connection } from '../connection.js'
import type { Options } from '../options.js'
import { type PicturePrompt, whenDecoded } from '../pictures.js'

/** The direction from the second list of texts to the first, by the states at their last tokens. */
export async function direction(
  connection: Connection,
  info: ModelInfo,
  lists: readonly (readonly PicturePrompt[])[],
  { signal, layer, ...read }: Options<'direction'>,
): Promise<Direction> {
  const stateOf = (given: PicturePrompt) =>
    whenDecoded(
      given,
      async prompt =>
        (await connection.call({ type: 'hidden', prompt, ...read, layers: [layer], positions: [-1] }, { signal })).states,
    )
  if (lists.some(list => list.length === 0)) throw refuse('direction: each list needs a text')
  const [first, second] = await Promise.all(lists.map(list => Promise.all(list.map(stateOf))))
  return directionOf(first!, second!, layer, info)
}

/** The mean of the first states minus the mean of the second. */
function directionOf(first: readonly Float32Array[], second: readonly Float32Array[], layer: number, info: ModelInfo): Direction {
  const mean = (states: readonly Float32Array[], at: number) => states.reduce((sum, state) => sum + state[at]!, 0) / states.length
  const vector = Float32Array.from({ length: info.width }, (_, at) => mean(first, at) - mean(second, at))
  return { layer, vector, save: () => fileOf(layer, vector, info.architecture) }
}

/** The edits that add the directions of a control vector. */
export function directionsOf(flat: Float32Array, { width }: ModelInfo, scale: number, layers?: readonly [number, number]): Edit[] {
  const edits: Edit[] = []
  for (let at = 0; at < flat.length; at += width + 1) {
    const layer = flat[at]!
    const isSteered = !layers || (layer >= layers[0] && layer <= layers[1])
    if (isSteered) edits.push({ add: flat.slice(at + 1, at + 1 + width), layer, scale })
  }
  return edits
}

/** GGUF's codes for these types: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
const textType = 8,
  f32 = 0

function text(value: string): number[] {
  const bytes = new TextEncoder().encode(value)
  return [...stored(bytes.length), ...bytes]
}
const pair = (key: string, value: string) => ({ bytes: [...text(key), ...stored(textType, 4), ...text(value)] })

function fileOf(layer: number, vector: Float32Array, architecture: string): Uint8Array {
  if (layer < 1)
    throw new HeedError(
      'unsupported',
      `save: a control vector has no direction for layer ${layer}: llama.cpp steers from layer 1 on`,
    )
  const dimensions = [...stored(1, 4), ...stored(vector.length)]
  const header = ggufHeader(
    [pair('general.architecture', 'controlvector'), pair('controlvector.model_hint', architecture)],
    [{ bytes: [...text(`direction.${layer}`), ...dimensions, ...stored(f32, 4)], offset: 0 }],
  )
  const file = new Uint8Array(header.length + vector.byteLength)
  file.set(header)
  file.set(new Uint8Array(vector.buffer), header.length)
  return file
}
