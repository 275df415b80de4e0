// Saves parts of the viewer as files; helpers that the file formats share.
import { make } from './dom.js'

export function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file)
  make('a', { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A line of a CSV file (RFC 4180). */
export const csvLine = (fields: readonly unknown[]): string => `${fields.map(field => quoted(`${field}`)).join(',')}\r\n`

/** `what` names the content in the error about a canvas that is too large. */
export async function pngOfCanvas(canvas: HTMLCanvasElement, what: string): Promise<Blob> {
  const blob = await new Promise<Blob | null>(resolve => {
    canvas.toBlob(resolve, 'image/png')
  })
  if (!blob) throw new Error(`The browser could not create a picture of ${what}`)
  return blob
}
