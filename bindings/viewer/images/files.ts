// Files with the places in images that an answer's words looked at: the weights of all patches as CSV, and the words with their
// images as PNG.
import { csvLine, pngOfCanvas } from '../support/files.js'
import type { Look } from './places.js'

/** A word, and its attention weights on the patches of each image. */
export interface Word {
  readonly token: number
  readonly text: string
  readonly looks: readonly Look[]
}

/** A line for each word and patch, with the patch's rectangle in pixels of its image. */
export function csvOf(words: readonly Word[]): string {
  const lines = [csvLine(['token', 'text', 'picture', 'tile', 'overview', 'x', 'y', 'width', 'height', 'weight'])]
  for (const { token, text, looks } of words) {
    looks.forEach(({ image, weights }, picture) =>
      image.patches.forEach(({ tile, overview, x, y, width, height }, at) =>
        lines.push(csvLine([token, text, picture, tile, overview, x, y, width, height, weights[at]])),
      ),
    )
  }
  return lines.join('')
}

const margin = 24
const gap = 12
const labelHeight = 26
const titleHeight = 34
const perLine = 8

export interface Sheet {
  readonly title: string
  /** The words, and the images below them, which all have the same size. */
  readonly cells: readonly { readonly text: string; readonly picture: HTMLCanvasElement }[]
  readonly paper: string
  readonly ink: string
  readonly font: string
}

/** The words in lines, each above its image, as a PNG. */
export async function sheetOf({ title, cells, paper, ink, font }: Sheet): Promise<Blob> {
  const scale = devicePixelRatio
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')!
  const titleFont = `600 ${14 * scale}px ${font}`
  context.font = titleFont
  const width = Math.max(...cells.map(({ picture }) => picture.width))
  const height = Math.max(...cells.map(({ picture }) => picture.height))
  const columns = Math.min(perLine, cells.length)
  const [across, down] = [width + gap * scale, height + (labelHeight + gap) * scale]
  canvas.width = Math.max(columns * across - gap * scale, context.measureText(title).width) + 2 * margin * scale
  canvas.height = Math.ceil(cells.length / columns) * down + (2 * margin + titleHeight - gap) * scale
  context.fillStyle = paper
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = ink
  context.textBaseline = 'top'
  context.font = titleFont
  context.fillText(title, margin * scale, margin * scale)
  context.font = `${14 * scale}px ${font}`
  cells.forEach(({ text, picture }, at) => {
    const x = margin * scale + (at % columns) * across
    const y = (margin + titleHeight) * scale + Math.floor(at / columns) * down
    context.fillText(text, x, y, width)
    context.drawImage(picture, x, y + labelHeight * scale)
  })
  return pngOfCanvas(canvas, 'where the words looked')
}
