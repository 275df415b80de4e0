// Means and covariances as a file of tensors: POINT.count, POINT.mean and POINT.covariance for each point.
import type { PointStatistics } from '../../../types/index.js'
import { crcOf } from '../formats/zip.js'
import { bytesOf } from './bytes.js'
import { type ElementType, type FileFormat, layoutOf, type TensorPlan } from './layout.js'

export function statisticsFile(format: FileFormat, statistics: readonly PointStatistics[]): Uint8Array<ArrayBuffer> {
  const tensors: { plan: TensorPlan; values: ArrayLike<number> }[] = statistics.flatMap(({ point, count, mean, covariance }) => {
    const tensor = (name: string, type: ElementType, shape: number[], values: ArrayLike<number>) => ({
      plan: { name: `${point}.${name}`, type, shape },
      values,
    })
    return [
      tensor('count', 'int64', [1], [count]),
      tensor('mean', 'float64', [mean.length], mean),
      ...(covariance ? [tensor('covariance', 'float64', [mean.length, mean.length], covariance)] : []),
    ]
  })
  const layout = layoutOf(
    format,
    tensors.map(({ plan }) => plan),
  )
  const file = new Uint8Array(layout.bytes)
  for (const { at, data } of layout.heads) file.set(data, at)
  const sums = tensors.map(({ plan, values }, index) => {
    const bytes = bytesOf(plan.type, values)
    file.set(bytes, layout.starts[index]!)
    return crcOf(bytes, crcOf(layout.covered(index)))
  })
  for (const { at, data } of layout.end(sums)) file.set(data, at)
  return file
}
