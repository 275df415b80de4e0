// A picture in a conversation: a file of bounded size, and its pixels, which models read. A picture that is larger than a model would
// read is shrunk once, when it is added: what is exported is then what the model saw.
import { decodeImage, type Pixels } from 'heed'

export interface Picture {
  readonly name: string
  /** Of the file in `url`. */
  readonly pixels: Pixels
  /** The file as a data: address. */
  readonly url: string
}

/** The longest side in pixels: families that cut pictures into tiles read about as much. */
const mostSide = 2048
/** The most bytes of a file that is kept as it is. */
const mostBytes = 1_000_000
const jpegQuality = 0.92
/** The longest data: address that is read from a conversation's file. */
const longestUrl = 4 * mostBytes

/** Says that `what` is there, a picture, which the model cannot read. */
export const noPictures = (what: string): string =>
  `${what}, but this model reads only text: open one that reads pictures, such as our tiny heed-questions, under “Use another model”.`

export const isPicture = ({ type }: Blob): boolean => type.startsWith('image/')

/** Rejects with a HeedError if the browser cannot read the file as a picture. */
export async function readPicture(file: Blob, name: string): Promise<Picture> {
  const pixels = await decodeImage(file)
  const fits = Math.max(pixels.width, pixels.height) <= mostSide
  if (fits && file.size <= mostBytes) return { name, pixels, url: await urlOf(file) }
  const smaller = await shrunk(pixels)
  return { name, pixels: await decodeImage(smaller), url: await urlOf(smaller) }
}

/** A picture from its data: address; undefined for another address, and for what is no picture. */
export async function pictureAt(url: unknown, name: string): Promise<Picture | undefined> {
  const [, type, packed] =
    typeof url === 'string' && url.length <= longestUrl ? (/^data:(image\/[\w.+-]+);base64,([\w+/=]*)$/.exec(url) ?? []) : []
  if (packed === undefined) return undefined
  try {
    const binary = atob(packed)
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at)
    return await readPicture(new Blob([bytes], { type }), name)
  } catch {
    return undefined
  }
}

/** A canvas with the picture, at most `side` CSS pixels large. What it shows is told by `label` or, without one, by what is around it. */
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
  context.fillStyle = 'white' // on which models see transparent pictures; a JPEG file has no opacity
  context.fillRect(0, 0, width, height)
  context.drawImage(drawable(pixels), 0, 0, width, height)
  return canvas.convertToBlob({ type: 'image/jpeg', quality: jpegQuality })
}

const urlOf = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(file)
  })
