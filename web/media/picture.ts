// An image in a conversation: a file of bounded size, and its pixels for models. An image larger than models use is shrunk once,
// when it is added, so that an exported conversation contains the image that the model saw.
import { decodeImage, type Pixels } from 'heed'
import { fileAt, urlOf } from './addresses.js'

export interface Picture {
  readonly name: string
  /** The pixels of the file in `url`. */
  readonly pixels: Pixels
  /** The file as a data: address. */
  readonly url: string
}

/** The longest side in pixels: about as much as families that cut images into tiles use. */
const mostSide = 2048
/** The size in bytes up to which a file is used unchanged. */
const mostBytes = 1_000_000
const jpeg = 'image/jpeg'
const jpegQuality = 0.92
/** The longest data: address to read from a conversation's file: more than a JPEG file of `mostSide` by `mostSide` takes. */
const longestUrl = 16 * mostBytes

/** A message for `what`, which contains an image that the model cannot read. */
export const noPictures = (what: string): string =>
  `${what}, but this model reads only text: open one that reads pictures, such as our tiny heed-questions, under “Use another model”.`

/** A message about a prompt without an image, for a model that was trained only with images. */
export const withoutPicture = 'This model was trained only on questions about a picture: without one, its answer means nothing.'

export const isPicture = ({ type }: Blob): boolean => type.startsWith('image/')

/** Whether a file is used unchanged if its sides fit. Shrinking a JPEG file again would only blur it. */
const isSmall = (file: Blob, most: number) =>
  isPicture(file) && (file.size <= mostBytes || (file.type === jpeg && file.size <= most))

/**
 * Rejects with a HeedError if the browser cannot read the file as an image. A file without a type is stored as JPEG: the address of
 * a picture has one. `mostOfJpeg`: the size in bytes up to which a JPEG file is used unchanged.
 */
export async function readPicture(file: Blob, name: string, mostOfJpeg = mostBytes): Promise<Picture> {
  const pixels = await decodeImage(file)
  const fits = Math.max(pixels.width, pixels.height) <= mostSide
  if (fits && isSmall(file, mostOfJpeg)) return { name, pixels, url: await urlOf(file) }
  const smaller = await shrunk(pixels)
  return { name, pixels: await decodeImage(smaller), url: await urlOf(smaller) }
}

/** The image of a data: address; undefined for other addresses and for data that is not an image. */
export async function pictureAt(url: unknown, name: string): Promise<Picture | undefined> {
  const file = fileAt(url, longestUrl)
  return file && isPicture(file) ? readPicture(file, name, Infinity).catch(() => undefined) : undefined
}

/**
 * A canvas with the image, at most `side` CSS pixels large. `label` describes it to screen readers; without one, the surrounding
 * text does.
 */
export function thumbnail({ pixels }: Picture, side: number, label?: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  const scale = Math.min((side * devicePixelRatio) / Math.max(pixels.width, pixels.height), 1)
  canvas.width = Math.max(Math.round(pixels.width * scale), 1)
  canvas.height = Math.max(Math.round(pixels.height * scale), 1)
  if (label === undefined) canvas.ariaHidden = 'true'
  else Object.assign(canvas, { role: 'img', ariaLabel: label })
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(drawable(pixels), 0, 0, canvas.width, canvas.height)
  return canvas
}

export const sizeOf = ({ pixels: { width, height } }: Picture): string => `${width} × ${height} pixels`

function drawable({ width, height, data }: Pixels): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')!.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0)
  return canvas
}

function shrunk(pixels: Pixels): Promise<Blob> {
  const scale = Math.min(mostSide / Math.max(pixels.width, pixels.height), 1)
  const [width, height] = [pixels.width, pixels.height].map(side => Math.max(Math.round(side * scale), 1)) as [number, number]
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.fillStyle = 'white' // models see transparent images on white; a JPEG file has no opacity
  context.fillRect(0, 0, width, height)
  context.drawImage(drawable(pixels), 0, 0, width, height)
  return canvas.convertToBlob({ type: jpeg, quality: jpegQuality })
}
