// Splits the flat arrays that the engine sends for a selection of layers and heads, [layers][heads][...], into one array per head.
import type { AttentionOf, ModelInfo } from '../types/index.js'
import type { Selection } from '../wire/protocol.js'

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

/** Returns one array per head as `[layer][head]`, in the selection's order. The arrays share one buffer. */
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
