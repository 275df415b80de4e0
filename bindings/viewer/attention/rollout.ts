// Attention rollout (Abnar and Zuidema 2020, arXiv:2005.00928): the product, over the layers, of half the mean weights plus half
// the identity, which stands for the residual connection.
import type { LayerAttention } from './layer-attention.js'
import { shares } from './value-weighted.js'

/** Extends the rollout of the preceding layers, if any, by one layer. All heads of the result are equal. */
export function rollout(attention: LayerAttention, before: LayerAttention | undefined): LayerAttention {
  const { columns: size } = attention
  const mean = shares(attention.weights('mean'), size)
  const step = mean.map((weight, index) => {
    const row = Math.floor(index / size),
      isOwn = index % size === row
    return attention.sights[row]!.to > attention.sights[row]!.from ? weight / 2 + (isOwn ? 0.5 : 0) : isOwn ? 1 : 0
  })
  const product = before ? multiply(step, before.weights('mean'), size) : step
  return attention.with(
    attention.heads.map(() => product),
    product,
  )
}

function multiply(one: Float32Array, other: Float32Array, size: number): Float32Array {
  const product = new Float32Array(size * size)
  const row = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    row.fill(0)
    for (let k = 0; k < size; k++) {
      const factor = one[i * size + k]!
      if (factor !== 0) for (let j = 0; j < size; j++) row[j]! += factor * other[k * size + j]!
    }
    product.set(row, i * size)
  }
  return product
}
