// A thumbnail of a head, to tell heads apart at a glance.
import { colorOf, type Ramp } from './color-scale.js'

/** Weights, row-major. */
export interface Grid {
  weights: ArrayLike<number>
  rows: number
  columns: number
}

/** Paints weights on a canvas; each pixel shows the largest weight that it covers. */
export function paintThumbnail(
  canvas: HTMLCanvasElement, { weights, rows, columns }: Grid, ramp: Ramp,
): void {
  const context = canvas.getContext('2d')!
  const side = canvas.width
  const image = context.createImageData(side, side)
  for (let y = 0; y < side; y++) {
    const [top, bottom] = span(y, side, rows)
    for (let x = 0; x < side; x++) {
      const [left, right] = span(x, side, columns)
      let most = 0
      for (let row = top; row < bottom; row++) {
        for (let column = left; column < right; column++) most = Math.max(most, weights[row * columns + column]!)
      }
      if (most > 0) image.data.set([...colorOf(ramp, most), 255], (y * side + x) * 4)
    }
  }
  context.putImageData(image, 0, 0)
}

/** The rows (or columns) of weights that a line of pixels covers, at least one. */
function span(pixel: number, side: number, size: number): [from: number, to: number] {
  const from = Math.floor(pixel * size / side)
  return [from, Math.max(Math.floor((pixel + 1) * size / side), from + 1)]
}
