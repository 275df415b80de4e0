// What a model costs, from the tensors of its file: bytes that one token reads, products that it takes.
const elementBytes = { f32: 4, f16: 2, int16: 2, int8: 1 }

/**
 * `tensors`: [{name, shape, bytes}], shapes with rows first. Returns {weightBytes, layerProducts, fileBytes}:
 * what decoding one token reads of the weights, the products of the layers' matrices with one token, and the
 * size of all weights.
 */
export function costsOf(tensors) {
  const sum = (list, count) => list.reduce((total, tensor) => total + count(tensor), 0)
  const tied = !tensors.some(({ name }) => name === 'output.weight')
  const looksUp = ({ name }) => /^(token_embd|position_embd)\./.test(name)
  const isHead = ({ name }) => tied && name === 'token_embd.weight'
  return {
    weightBytes: sum(tensors, tensor => (looksUp(tensor) ? tensor.bytes / tensor.shape[0] : tensor.bytes)
      + (isHead(tensor) ? tensor.bytes : 0)),
    layerProducts: sum(tensors.filter(({ name, shape }) => /^blk\./.test(name) && shape.length === 2),
      ({ shape: [rows, columns] }) => rows * columns),
    fileBytes: sum(tensors, ({ bytes }) => bytes),
  }
}

/** Bytes of keys and values of so many positions; `info` as Heed's model.info. */
export const cacheBytes = ({ layers, kvHeads, headDim, kvCache }, positions) =>
  2 * layers * kvHeads * positions * (headDim * elementBytes[kvCache] + (/^int/.test(kvCache) ? 4 : 0))
