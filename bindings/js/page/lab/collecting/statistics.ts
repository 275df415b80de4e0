// Means and covariances of rows that come in parts (Chan, Golub, LeVeque 1979), in double precision, without subtracting large
// sums.
import type { PointStatistics } from '../../../types/index.js'

export class Statistics {
  count = 0
  readonly mean: Float64Array
  /** The sums of products of deviations, in the upper triangle with the diagonal; absent if only the mean is wanted. */
  readonly products?: Float64Array

  constructor(width: number, hasCovariance: boolean, known?: { count: number; mean: Float64Array; products?: Float64Array }) {
    this.count = known?.count ?? 0
    this.mean = known?.mean.slice() ?? new Float64Array(width)
    if (hasCovariance) this.products = known?.products?.slice() ?? new Float64Array(width * width)
  }

  /** Adds rows: n x width. */
  add(rows: Float32Array): void {
    const width = this.mean.length
    const count = rows.length / width
    if (count === 0) return
    const mean = new Float64Array(width)
    rows.forEach((value, index) => (mean[index % width]! += value / count))
    const all = this.count + count
    const shift = mean.map((value, index) => value - this.mean[index]!)
    const { products } = this
    if (products) {
      const own = new Float64Array(width)
      const addOuter = (weight: number) => {
        for (let i = 0; i < width; i++) {
          const left = own[i]! * weight
          if (left !== 0) for (let j = i, at = i * width + i; j < width; j++, at++) products[at]! += left * own[j]!
        }
      }
      for (let row = 0; row < count; row++) {
        for (let i = 0; i < width; i++) own[i] = rows[row * width + i]! - mean[i]!
        addOuter(1)
      }
      own.set(shift)
      addOuter((this.count * count) / all)
    }
    shift.forEach((value, index) => (this.mean[index]! += (value * count) / all))
    this.count = all
  }

  of(point: string): PointStatistics {
    const { count, mean, products } = this
    const width = mean.length
    const covariance =
      products &&
      Float64Array.from(products, (_, index) => {
        const i = Math.floor(index / width),
          j = index % width
        return products[Math.min(i, j) * width + Math.max(i, j)]! / (count - 1)
      })
    return { point, count, mean: mean.slice(), ...(covariance && { covariance }) }
  }
}
