// Attention weighted by the norms of the values that it carries (Kobayashi et al. 2020, arXiv:2004.10102), as shares of each row.
import type { LayerAttention } from './layer-attention.js'

/** `norms`: for each head, the norm of each key's value as it enters the residual stream. */
export function valueWeighted(attention: LayerAttention, norms: readonly Float32Array[]): LayerAttention {
  const { rows, columns } = attention
  const products = attention.heads.map((weights, head) => weights.map((weight, index) => weight * norms[head]![index % columns]!))
  const sum = new Float32Array(rows * columns)
  for (const product of products)
    product.forEach((value, index) => {
      sum[index]! += value
    })
  return attention.with(
    products.map(product => shares(product, columns)),
    shares(sum, columns),
  )
}

/** Each row divided by its sum; a row of zeros stays. */
export function shares(values: Float32Array, columns: number): Float32Array {
  const result = new Float32Array(values.length)
  for (let start = 0; start < values.length; start += columns) {
    let sum = 0
    for (let index = start; index < start + columns; index++) sum += values[index]!
    if (sum > 0) for (let index = start; index < start + columns; index++) result[index] = values[index]! / sum
  }
  return result
}
