// The cost of a token, from the tensors of a model's file: bytes read, and multiply-accumulate operations (MACs).
const elementBytes = { f32: 4, f16: 2, int16: 2, q8: 1.0625, q4: 0.5625 } // with scales of blocks

/**
 * `tensors`: [{name, shape, bytes, share}], shapes with rows first; `share` is the fraction of the experts that a token uses,
 * for tensors that hold experts. Returns {weightBytes, layerProducts, fileBytes, attending}: bytes of weights read to decode
 * one token, MACs of the layers' matrices per token, bytes of all weights, and the number of layers with a KV cache, if
 * known.
 */
export function costsOf(tensors) {
  const sum = (list, count) => list.reduce((total, tensor) => total + count(tensor), 0)
  const tied = !tensors.some(({ name }) => name === 'output.weight')
  const looksUp = ({ name }) => /^(token_embd|position_embd|per_layer_token_embd)\./.test(name)
  const isHead = ({ name }) => tied && name === 'token_embd.weight'
  return {
    weightBytes: sum(
      tensors,
      tensor =>
        (looksUp(tensor) ? tensor.bytes / tensor.shape[0] : tensor.bytes * (tensor.share ?? 1)) +
        (isHead(tensor) ? tensor.bytes : 0),
    ),
    layerProducts: sum(
      tensors.filter(({ name, shape, share }) => /^blk\./.test(name) && (shape.length === 2 || share)),
      ({ shape, share = 1 }) => shape.reduce((a, b) => a * b) * share,
    ),
    fileBytes: sum(tensors, ({ bytes }) => bytes),
    attending: tensors.filter(({ name }) => /\.attn_k(v_b)?\.weight$/.test(name)).length || undefined,
  }
}

/** Bytes of the KV cache for `positions` positions; the first argument is Heed's model.info, `attending` as above. */
export const cacheBytes = ({ layers, kvHeads, headDim, kvCache }, positions, attending = layers) =>
  2 * attending * kvHeads * positions * (headDim * elementBytes[kvCache] + (/^int/.test(kvCache) ? 4 : 0))
