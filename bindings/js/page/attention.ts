// Splits the flat arrays of attention weights and gates that the engine sends, [layers][heads][...], into one array per head.
import type { Attention, AttentionOf, ModelInfo, ValueNorms } from '../types/index.js'
import type { Selection } from '../wire/protocol.js'
import type { Inspection } from './inspect.js'

interface Shape {
  layers: number
  heads: number
}

export const shapeOf = ({ layers, heads, encoderLayers }: ModelInfo, of?: AttentionOf): Shape => ({
  layers: of === 'encoder' ? encoderLayers : layers,
  heads,
})

/** The selected indices; an empty list selects all. */
export const chosen = ({ layers, heads }: Selection, shape: Shape): Selection => ({
  layers: layers.length > 0 ? layers : [...Array(shape.layers).keys()],
  heads: heads.length > 0 ? heads : [...Array(shape.heads).keys()],
})

/** `[layer][head]`, in the selection's order. The arrays share one buffer. */
export function splitAttention(flat: Float32Array, selection: Selection, shape: Shape): Float32Array[][] {
  const { layers, heads } = chosen(selection, shape)
  const size = flat.length / (layers.length * heads.length)
  return layers.map((_, layer) =>
    heads.map((__, head) => {
      const start = (layer * heads.length + head) * size
      return flat.subarray(start, start + size)
    }),
  )
}

export function attentionOf({ answer, read, info }: Inspection<'attention'>): Attention {
  const { sourceTokens, weights, ...rest } = answer
  const { of } = read,
    shape = shapeOf(info, of)
  const keys = of === 'cross' ? sourceTokens : rest.tokens
  return { ...rest, keys, of, ...chosen(read, shape), weights: splitAttention(weights, read, shape) }
}

export function valueNormsOf({ answer, read, info }: Inspection<'valueNorms'>): ValueNorms {
  const { values, sourceTokens, shapes, ...rest } = answer
  const of = read.of as ValueNorms['of'],
    shape = shapeOf(info, of)
  return { ...rest, of, ...chosen(read, shape), norms: splitAttention(values, read, shape) }
}
