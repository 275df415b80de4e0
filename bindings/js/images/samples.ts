// Converts samples of JPEG's color components to pixels, with the bits of libjpeg: components with fewer samples are enlarged with
// a triangle filter, or by repetition for other factors.
import type { Pixels } from '../types/index.js'
import type { Component, Frame } from './frame.js'
import { toSamples } from './transform.js'

export type ColorSpace = 'gray' | 'rgb' | 'ycc' | 'cmyk' | 'ycck'

/** The pixels of a frame; its coefficients are freed. */
export function pixelsOf(frame: Frame, space: ColorSpace): Pixels {
  for (const component of frame.components) if (frame.isProgressive) transform(component)
  const { width, height, components } = frame
  const data = new Uint8Array(width * height * 4)
  const rows = components.map(component => enlarged(component, frame))
  const paint = painters[space]
  for (let y = 0; y < height; y++)
    paint(
      rows.map(row => row(y)),
      data,
      y * width * 4,
      width,
    )
  return { width, height, data }
}

function transform(component: Component): void {
  const { coefficients, columns, rows, quantization } = component
  component.samples = new Uint8Array(coefficients.length)
  for (let row = 0, from = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, from += 64) {
      toSamples(coefficients, from, quantization!, component.samples, row * columns, column, columns)
    }
  }
  component.coefficients = new Int16Array(0)
}

/** A component's row, enlarged to the image's width. The next row may overwrite it. */
type RowOf = (y: number) => Uint8Array

function enlarged({ across, down, width, height, columns, samples }: Component, frame: Frame): RowOf {
  const [wider, higher] = [frame.across / across, frame.down / down]
  const row = (y: number) => samples.subarray(y * columns * 8, y * columns * 8 + width)
  /** The component's row at the image's row `y`, and the row next nearest to it: above for an even y, below for an odd one. */
  const nearest = (y: number) => {
    const own = y >> 1
    return [row(own), row(Math.min(Math.max(own + (y & 1) * 2 - 1, 0), height - 1))] as const
  }
  const out = new Uint8Array(width * wider)
  const isSmooth = width > 2
  if (wider === 1 && higher === 1) return row
  if (wider === 1 && higher === 2) {
    return y => {
      const [near, far] = nearest(y)
      for (let x = 0; x < width; x++) out[x] = (near[x]! * 3 + far[x]! + 1 + (y & 1)) >> 2
      return out
    }
  }
  if (wider === 2 && higher === 1 && isSmooth) return y => spread(row(y), out, width, 2, 1, 2)
  if (wider === 2 && higher === 2 && isSmooth) {
    const sums = new Uint16Array(width)
    return y => {
      const [near, far] = nearest(y)
      for (let x = 0; x < width; x++) sums[x] = near[x]! * 3 + far[x]!
      return spread(sums, out, width, 4, 8, 7)
    }
  }
  return y => {
    const from = row(Math.floor(y / higher))
    for (let x = 0, to = 0; x < width; x++) for (let count = 0; count < wider; count++) out[to++] = from[x]!
    return out
  }
}

/**
 * Doubles the number of samples: each new sample is three quarters of the nearer sample and a quarter of the other. Rounding
 * alternates up and down.
 */
function spread(
  from: Uint8Array | Uint16Array,
  out: Uint8Array,
  width: number,
  shift: number,
  left: number,
  right: number,
): Uint8Array {
  for (let x = 0; x < width; x++) {
    const own = from[x]!
    out[2 * x] = (own * 3 + (x > 0 ? from[x - 1]! : own) + left) >> shift
    out[2 * x + 1] = (own * 3 + (x + 1 < width ? from[x + 1]! : own) + right) >> shift
  }
  return out
}

type Paint = (rows: readonly Uint8Array[], data: Uint8Array, at: number, width: number) => void

const clamped = (value: number) => (value < 0 ? 0 : value > 255 ? 255 : value)
const half = 1 << 15
const fixed = (value: number) => Math.round(value * 65536)
const table = (entry: (chroma: number) => number) => Int32Array.from({ length: 256 }, (_, value) => entry(value - 128))

const redOfRed = table(chroma => (fixed(1.402) * chroma + half) >> 16)
const blueOfBlue = table(chroma => (fixed(1.772) * chroma + half) >> 16)
const greenOfRed = table(chroma => -fixed(0.71414) * chroma)
const greenOfBlue = table(chroma => -fixed(0.34414) * chroma + half)

const red = (y: number, cr: number) => clamped(y + redOfRed[cr]!)
const green = (y: number, cb: number, cr: number) => clamped(y + ((greenOfBlue[cb]! + greenOfRed[cr]!) >> 16))
const blue = (y: number, cb: number) => clamped(y + blueOfBlue[cb]!)

/**
 * Red, green or blue of a CMYK image, from the value of its ink and of black. Both are stored inverted (255 for no ink), as all
 * programs write them. Rounded down, as in Chromium.
 */
const inked = (color: number, black: number) => Math.floor((color * black) / 255)

const painters: Readonly<Record<ColorSpace, Paint>> = {
  gray([level], data, at, width) {
    for (let x = 0; x < width; x++, at += 4) {
      data[at] = data[at + 1] = data[at + 2] = level![x]!
      data[at + 3] = 255
    }
  },
  rgb([r, g, b], data, at, width) {
    for (let x = 0; x < width; x++, at += 4) {
      data[at] = r![x]!
      data[at + 1] = g![x]!
      data[at + 2] = b![x]!
      data[at + 3] = 255
    }
  },
  ycc([y, cb, cr], data, at, width) {
    for (let x = 0; x < width; x++, at += 4) {
      data[at] = red(y![x]!, cr![x]!)
      data[at + 1] = green(y![x]!, cb![x]!, cr![x]!)
      data[at + 2] = blue(y![x]!, cb![x]!)
      data[at + 3] = 255
    }
  },
  cmyk([c, m, y, k], data, at, width) {
    for (let x = 0; x < width; x++, at += 4) {
      data[at] = inked(c![x]!, k![x]!)
      data[at + 1] = inked(m![x]!, k![x]!)
      data[at + 2] = inked(y![x]!, k![x]!)
      data[at + 3] = 255
    }
  },
  ycck([y, cb, cr, k], data, at, width) {
    for (let x = 0; x < width; x++, at += 4) {
      data[at] = inked(255 - red(y![x]!, cr![x]!), k![x]!)
      data[at + 1] = inked(255 - green(y![x]!, cb![x]!, cr![x]!), k![x]!)
      data[at + 2] = inked(255 - blue(y![x]!, cb![x]!), k![x]!)
      data[at + 3] = 255
    }
  },
}
