// A small picture of a head, to tell heads apart at a glance.
import { type Colour, colourOf } from './scale.js'

/** Paints T x T weights on a canvas, whose pixels each show the largest weight that falls on them. */
export function paintThumbnail(
  canvas: HTMLCanvasElement, weights: Float32Array, size: number, ramp: readonly Colour[],
): void {
  const context = canvas.getContext('2d')!
  const side = canvas.width
  const image = context.createImageData(side, side)
  for (let y = 0; y < side; y++) {
    const [top, bottom] = span(y, side, size)
    for (let x = 0; x <= y; x++) {
      const [left, right] = span(x, side, size)
      let most = 0
      for (let row = top; row < bottom; row++) {
        for (let column = left; column < right; column++) most = Math.max(most, weights[row * size + column]!)
      }
      image.data.set([...colourOf(ramp, most), 255], (y * side + x) * 4)
    }
  }
  context.putImageData(image, 0, 0)
}

/** The rows (or columns) of the weights that fall on a line of pixels, at least one. */
function span(pixel: number, side: number, size: number): [from: number, to: number] {
  const from = Math.floor(pixel * size / side)
  return [from, Math.max(Math.floor((pixel + 1) * size / side), from + 1)]
}
