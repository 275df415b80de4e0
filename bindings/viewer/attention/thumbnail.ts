// A small image of a head's weights, for telling heads apart at a glance.
import { pixelOf, type Ramp } from './color-scale.js'

/** Weights, row-major. */
export interface Grid {
  weights: ArrayLike<number>
  rows: number
  columns: number
}

/** Paints weights on a canvas; each pixel shows the largest weight that it covers. */
export function paintThumbnail(canvas: HTMLCanvasElement, { weights, rows, columns }: Grid, ramp: Ramp): void {
  const context = canvas.getContext('2d')!
  const side = canvas.width
  const image = context.createImageData(side, side)
  const pixels = new Uint32Array(image.data.buffer)
  const [down, across] = [spans(side, rows), spans(side, columns)]
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      let most = 0
      for (let row = down.from[y]!; row < down.to[y]!; row++) {
        for (let at = row * columns + across.from[x]!, end = row * columns + across.to[x]!; at < end; at++)
          most = Math.max(most, weights[at]!)
      }
      if (most > 0) pixels[y * side + x] = pixelOf(ramp, most)
    }
  }
  context.putImageData(image, 0, 0)
}

/** The rows (or columns) of weights that each line of pixels covers, at least one. */
function spans(side: number, size: number): { from: Uint32Array; to: Uint32Array } {
  const from = Uint32Array.from({ length: side }, (_, pixel) => Math.floor((pixel * size) / side))
  return { from, to: from.map((first, pixel) => Math.max(Math.floor(((pixel + 1) * size) / side), first + 1)) }
}
