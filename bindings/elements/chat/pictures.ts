// Thumbnails of images in a conversation. They are canvases, because a page's content security policy cannot forbid these.
import type { Image } from 'heed'
import { make } from '../support/dom.js'

/** The longest side, in CSS pixels. */
const longest = 120

/** An image that is drawn once it has been read; one that cannot be read stays empty. */
export function thumbnail(image: Image, label: string): HTMLCanvasElement {
  const canvas = make('canvas', { width: longest, height: longest, role: 'img', ariaLabel: label })
  void draw(image, canvas).catch(() => {})
  return canvas
}

async function draw(image: Image, canvas: HTMLCanvasElement): Promise<void> {
  const pixels = image as { width: number; height: number; data?: Uint8ClampedArray<ArrayBuffer> }
  const source = pixels.data
    ? new ImageData(new Uint8ClampedArray(pixels.data), pixels.width, pixels.height)
    : image instanceof Uint8Array
      ? new Blob([image as Uint8Array<ArrayBuffer>])
      : (image as ImageBitmapSource)
  const bitmap = await createImageBitmap(source)
  const scale = Math.min(longest / Math.max(bitmap.width, bitmap.height), 1)
  canvas.width = Math.max(Math.round(bitmap.width * scale), 1)
  canvas.height = Math.max(Math.round(bitmap.height * scale), 1)
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
}

/** The files among these that a browser can read as images. */
export const picturesAmong = (files: FileList | readonly File[] | undefined | null): File[] =>
  Array.from(files ?? []).filter(({ type }) => type.startsWith('image/'))
