// Attention weights: the flat array [layers][heads][...] that the engine sends, cut into one array a head.
import type { ModelInfo } from './types.js'

interface Selection { layers: readonly number[], heads: readonly number[] }

/** The indices that a selection means: an empty list is all. */
export const chosen = ({ layers, heads }: Selection, info: ModelInfo): Selection => ({
  layers: layers.length > 0 ? layers : [...Array(info.layers).keys()],
  heads: heads.length > 0 ? heads : [...Array(info.heads).keys()],
})

/** [layer][head] in the selection's order. The arrays share their memory. */
export function splitAttention(flat: Float32Array, selection: Selection, info: ModelInfo): Float32Array[][] {
  const { layers, heads } = chosen(selection, info)
  const size = flat.length / (layers.length * heads.length)
  return layers.map((_, layer) => heads.map((__, head) => {
    const start = (layer * heads.length + head) * size
    return flat.subarray(start, start + size)
  }))
}
