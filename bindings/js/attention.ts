// Attention weights: the flat array [layers][heads][...] that the engine sends, cut into one array a head.
import type { Selection } from './protocol.js'
import type { AttentionOf, ModelInfo } from './types.js'

/** What a selection selects from: the decoder's layers or the encoder's. */
const layersOf = (info: ModelInfo, of?: AttentionOf) => of === 'encoder' ? info.encoderLayers : info.layers

/** The indices that a selection means: an empty list is all. */
export const chosen = ({ layers, heads, of }: Selection & { of?: AttentionOf }, info: ModelInfo): Selection => ({
  layers: layers.length > 0 ? layers : [...Array(layersOf(info, of)).keys()],
  heads: heads.length > 0 ? heads : [...Array(info.heads).keys()],
})

/** [layer][head] in the selection's order. The arrays share their memory. */
export function splitAttention(
  flat: Float32Array, selection: Selection & { of?: AttentionOf }, info: ModelInfo,
): Float32Array[][] {
  const { layers, heads } = chosen(selection, info)
  const size = flat.length / (layers.length * heads.length)
  return layers.map((_, layer) => heads.map((__, head) => {
    const start = (layer * heads.length + head) * size
    return flat.subarray(start, start + size)
  }))
}
