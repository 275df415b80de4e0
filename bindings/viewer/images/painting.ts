// Paints an image with the patches that a word looked at, in the colors of the heat map.
import type { ImagePatch, Pixels, TextImage } from 'heed'
import { colorOf, type Ramp, strength } from '../attention/color-scale.js'
import { hasPlace } from './places.js'

/** The opacity of the strongest color. */
const cover = 0.75

/** An image that a canvas can draw. */
export function drawable({ width, height, data }: Pixels): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')!.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0)
  return canvas
}

export interface Painted {
  readonly image: TextImage
  readonly pixels: OffscreenCanvas
  /** Whether the weights of the overview's patches are painted; otherwise, the weights of the tiles' patches are. */
  readonly overview: boolean
}

/** Sets the size of a canvas to at most `side` CSS pixels, in the shape of the image. */
export function fit(canvas: HTMLCanvasElement, { width, height }: TextImage, side: number): void {
  const scale = (side * devicePixelRatio) / Math.max(width, height)
  canvas.width = Math.max(Math.round(width * scale), 1)
  canvas.height = Math.max(Math.round(height * scale), 1)
}

/** `weights`: one per patch of the image; `top`: the weight with the strongest color. */
export function paint(
  canvas: HTMLCanvasElement,
  { image, pixels, overview }: Painted,
  weights: Float32Array | undefined,
  top: number,
  ramp: Ramp,
): void {
  const context = canvas.getContext('2d')!
  const [right, down] = [canvas.width / image.width, canvas.height / image.height]
  context.globalAlpha = 1
  context.imageSmoothingQuality = 'high'
  context.drawImage(pixels, 0, 0, canvas.width, canvas.height)
  if (!weights || top <= 0) return
  image.patches.forEach((patch, at) => {
    if (patch.overview !== overview || !hasPlace(patch)) return
    const share = weights[at]! / top
    context.globalAlpha = cover * strength(share, ramp.scale)
    context.fillStyle = `rgb(${colorOf(ramp, share).join(' ')})`
    // Rounds sides to whole pixels, so that no seams show between patches.
    const [left, upper] = [Math.round(patch.x * right), Math.round(patch.y * down)]
    context.fillRect(
      left,
      upper,
      Math.round((patch.x + patch.width) * right) - left,
      Math.round((patch.y + patch.height) * down) - upper,
    )
  })
  context.globalAlpha = 1
}

/** Outlines the tiles that an image is cut into, and the patch with the largest weight. */
export function outline(canvas: HTMLCanvasElement, { image, overview }: Painted, most: ImagePatch | undefined): void {
  const context = canvas.getContext('2d')!
  const [right, down] = [canvas.width / image.width, canvas.height / image.height]
  const box = ({ x, y, width, height }: Pick<ImagePatch, 'x' | 'y' | 'width' | 'height'>, color: string, line: number) => {
    context.strokeStyle = color
    context.lineWidth = line
    const within = (at: number, most: number) => Math.min(Math.max(at, line / 2), most - line / 2)
    const [left, top] = [within(x * right, canvas.width), within(y * down, canvas.height)]
    context.strokeRect(
      left,
      top,
      within((x + width) * right, canvas.width) - left,
      within((y + height) * down, canvas.height) - top,
    )
  }
  const line = Math.max(Math.round(devicePixelRatio), 1)
  const tiles = tilesOf(image).filter(tile => tile.overview === overview)
  if (tiles.length > 1) for (const tile of tiles) box(tile, 'rgb(255 255 255 / 70%)', line)
  if (!most || most.overview !== overview) return
  box(most, 'rgb(0 0 0 / 70%)', 4 * line)
  box(most, 'white', 2 * line)
}

interface Tile extends Pick<ImagePatch, 'x' | 'y' | 'width' | 'height' | 'overview'> {
  readonly tile: number
}

/** The tiles of an image, with the rectangle of the image that each shows. */
function tilesOf({ patches }: TextImage): Tile[] {
  const tiles = new Map<number, { left: number; top: number; right: number; bottom: number; overview: boolean }>()
  for (const patch of patches.filter(hasPlace)) {
    const { tile, overview, x, y, width, height } = patch
    const known = tiles.get(tile) ?? { left: x, top: y, right: x + width, bottom: y + height, overview }
    tiles.set(tile, {
      overview,
      left: Math.min(known.left, x),
      top: Math.min(known.top, y),
      right: Math.max(known.right, x + width),
      bottom: Math.max(known.bottom, y + height),
    })
  }
  return [...tiles].map(([tile, { left, top, right, bottom, overview }]) => ({
    tile,
    overview,
    x: left,
    y: top,
    width: right - left,
    height: bottom - top,
  }))
}
