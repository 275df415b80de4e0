// The buttons that save a view's maps as an image, as a drawing and as numbers.
import { readRamp } from '../attention/color-scale.js'
import type { Parts } from '../frame/parts.js'
import { make } from '../support/dom.js'
import { save } from '../support/files.js'
import { drawMaps, type TitledMap } from './drawing.js'
import { csvOf, type Look, pngOf, svgOf } from './files.js'

/** The colors and the font of the viewer's style sheet. */
function lookOf({ root }: Parts): Look {
  const { color, backgroundColor, fontFamily } = getComputedStyle(root)
  return { ink: color, paper: backgroundColor, font: fontFamily }
}

export const imageOf = (parts: Parts, maps: readonly TitledMap[]): Promise<Blob> =>
  pngOf(drawMaps(maps, readRamp(parts.probe)), lookOf(parts))
export const drawingOf = (parts: Parts, maps: readonly TitledMap[]): string =>
  svgOf(drawMaps(maps, readRamp(parts.probe)), lookOf(parts))

const kinds = {
  png: { name: 'picture', type: 'image/png', make: imageOf },
  svg: { name: 'SVG', type: 'image/svg+xml', make: drawingOf },
  csv: { name: 'CSV', type: 'text/csv', make: (_: Parts, maps: readonly TitledMap[]) => csvOf(maps) },
} as const

/** `maps` returns the maps that are shown; the first one names the files. */
export function saveButtons(
  parts: Parts,
  id: string,
  maps: () => readonly TitledMap[],
  onError: (error: unknown) => void,
): HTMLElement {
  const buttons = Object.entries(kinds).map(([extension, { name, type, make: file }]) => {
    const button = make(
      'button',
      { id: `${id}-${extension}`, type: 'button', className: 'quiet', ariaLabel: `Save as ${name}` },
      name,
    )
    const write = async () => {
      const shown = maps()
      if (shown.length > 0) save(new Blob([await file(parts, shown)], { type }), `${nameOf(shown[0]!.title)}.${extension}`)
    }
    button.addEventListener('click', () => {
      write().catch(onError)
    })
    return button
  })
  return make('div', { className: 'save' }, 'Save as ', ...buttons)
}

const nameOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
