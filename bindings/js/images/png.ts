// PNG files (https://www.w3.org/TR/png-3/) as pixels. Node's zlib inflates them, and each row becomes pixels as it arrives: a file
// takes no more memory than its image. As in browsers, anything after the last pixel is ignored.
import { crc32, createInflateRaw } from 'node:zlib'
import type { Pixels } from '../types/index.js'
import { throughCanvas } from './canvas.js'
import { orientationIn, turned } from './exif.js'
import { checkSize, unsound, unsupported } from './limits.js'

interface Header {
  readonly width: number
  readonly height: number
  /** Bits per sample. */
  readonly depth: number
  readonly color: Color
  /** Samples per pixel. */
  readonly samples: number
  readonly isInterlaced: boolean
}

interface File extends Header {
  readonly palette?: Uint8Array
  /** The chunk `tRNS`: opacities of a palette, or the color that is transparent. */
  readonly transparency?: Uint8Array
  readonly compressed: readonly Uint8Array[]
  readonly orientation: number
}

const Color = { gray: 0, rgb: 2, palette: 3, grayAlpha: 4, rgbAlpha: 6 } as const
type Color = (typeof Color)[keyof typeof Color]

/** The samples per pixel of each kind of color, and the depths that they may have. */
const kinds: Readonly<Record<Color, readonly [samples: number, depths: readonly number[]]>> = {
  [Color.gray]: [1, [1, 2, 4, 8, 16]],
  [Color.rgb]: [3, [8, 16]],
  [Color.palette]: [1, [1, 2, 4, 8]],
  [Color.grayAlpha]: [2, [8, 16]],
  [Color.rgbAlpha]: [4, [8, 16]],
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

export const isPng = (bytes: Uint8Array): boolean => signature.every((byte, index) => bytes[index] === byte)

const wrong = (problem: string, cause?: unknown) => unsound('PNG', problem, cause)
const truncated = () => wrong('it is truncated')

/** The maximum ratio of Deflate. */
const mostInflated = 1032

/** The upright pixels of a file; samples of 16 bits are cut to the upper 8. Throws `invalid-argument`. */
export async function decodePng(bytes: Uint8Array): Promise<Pixels> {
  const file = read(bytes)
  const { width, height, orientation } = file
  const passes = passesOf(file)
  const needed = passes.reduce((sum, pass) => sum + pass.height * (1 + pass.stride), 0)
  if (needed > file.compressed.reduce((sum, { length }) => sum + length, 0) * mostInflated) throw truncated()
  const data = new Uint8Array(width * height * 4)
  const paint = painter(file, data)
  const rows = new Rows(inflated(file.compressed))
  for (const pass of passes) {
    let above: Uint8Array = new Uint8Array(pass.stride)
    for (let y = 0; y < pass.height; y++) {
      const filtered = await rows.next(1 + pass.stride)
      const row = filtered.subarray(1)
      unfilter(filtered[0]!, row, above, bytesPerPixel(file))
      paint(row, pass.width, (pass.x + (pass.y + y * pass.down) * width) * 4, pass.right * 4)
      above = row
    }
  }
  await rows.end()
  throughCanvas(data)
  return turned({ width, height, data }, orientation)
}

/** The critical chunks that are read. The name of a critical chunk begins with a capital letter. */
const known = ['IHDR', 'PLTE', 'IDAT']

/** The chunks up to `IEND`. Critical chunks must have correct checksums. */
function* chunksOf(bytes: Uint8Array): Generator<{ type: string; body: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = signature.length; ; ) {
    if (at + 8 > bytes.length) throw truncated()
    const end = at + 8 + view.getUint32(at)
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (type === 'IEND') return
    if (end + 4 > bytes.length) throw truncated()
    const mustBeKnown = (bytes[at + 4]! & 0x20) === 0
    if (mustBeKnown && !known.includes(type)) throw unsupported('PNG', `with a chunk ${type}`)
    if (mustBeKnown && crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end))
      throw wrong(`the chunk ${type} has a wrong checksum`)
    yield { type, body: bytes.subarray(at + 8, end) }
    at = end + 4
  }
}

function read(bytes: Uint8Array): File {
  let header: Header | undefined
  let palette: Uint8Array | undefined, transparency: Uint8Array | undefined
  let orientation = 1
  const data: Uint8Array[] = []
  for (const { type, body } of chunksOf(bytes)) {
    if (!header && type !== 'IHDR') throw wrong('it has no header')
    switch (type) {
      case 'IDAT':
        data.push(body)
        break
      case 'IHDR':
        header = readHeader(body)
        break
      case 'PLTE':
        if (data.length === 0) palette = body
        break
      case 'tRNS':
        if (data.length === 0 && (header!.color !== Color.palette || palette)) transparency = body
        break
      case 'eXIf':
        if (data.length === 0) orientation = orientationIn(body)
    }
  }
  if (!header) throw wrong('it has no header')
  if (header.color === Color.palette && !(palette && palette.length >= 3)) throw wrong('it has no palette')
  return { ...header, palette, transparency, orientation, compressed: data }
}

function readHeader(body: Uint8Array): Header {
  if (body.length !== 13) throw wrong('its header has a wrong length')
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  const [width, height] = [view.getUint32(0), view.getUint32(4)]
  checkSize(width, height)
  const [depth, color, compression, filter, interlacing] = body.subarray(8) as unknown as [number, Color, number, number, number]
  const [samples, depths] = kinds[color] ?? [0, []]
  if (!depths.includes(depth)) throw wrong(`there is no color type ${color} of ${depth} bits`)
  if (compression !== 0 || filter !== 0 || interlacing > 1) throw wrong('its header names an unknown method')
  return { width, height, depth, color, samples, isInterlaced: interlacing === 1 }
}

const bytesPerPixel = ({ samples, depth }: Header) => Math.max(1, (samples * depth) >> 3)

/** A part of the image that has rows of its own: every pixel from `x`, `y` on, in steps to the right and down. */
interface Pass {
  readonly x: number
  readonly y: number
  readonly right: number
  readonly down: number
  readonly width: number
  readonly height: number
  /** Bytes per row. */
  readonly stride: number
}

/** The passes of Adam7: `x`, `y`, and the steps to the right and down. */
const interlaced = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

const passesOf = ({ width, height, samples, depth, isInterlaced }: Header): Pass[] =>
  (isInterlaced ? interlaced : ([[0, 0, 1, 1]] as const))
    .map(([x, y, right, down]) => {
      const [columns, rows] = [Math.ceil((width - x) / right), Math.ceil((height - y) / down)]
      return {
        x,
        y,
        right,
        down,
        width: columns,
        height: columns > 0 ? rows : 0,
        stride: Math.ceil((columns * samples * depth) / 8),
      }
    })
    .filter(({ height }) => height > 0)

/** Skips zlib's header and, like browsers, ignores its checksum. Throws `invalid-argument`. */
async function* inflated(compressed: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  const inflating = createInflateRaw({ chunkSize: 2 ** 18 })
  let skipped = 0
  for (const part of compressed) {
    const from = Math.min(part.length, 2 - skipped)
    skipped += from
    if (from < part.length) inflating.write(part.subarray(from))
  }
  inflating.end()
  try {
    yield* inflating
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code === 'Z_BUF_ERROR' ? truncated() : wrong(message, error)
  }
}

/** Divides data into rows as it arrives. */
class Rows {
  readonly #parts: AsyncGenerator<Uint8Array>
  #rest: Uint8Array = new Uint8Array(0)

  constructor(parts: AsyncGenerator<Uint8Array>) {
    this.#parts = parts
  }

  /** The next bytes, as an array that the caller may keep. Throws if there are fewer than `count`. */
  async next(count: number): Promise<Uint8Array> {
    const row = new Uint8Array(count)
    for (let filled = 0; ; ) {
      const part = this.#rest.subarray(0, count - filled)
      row.set(part, filled)
      this.#rest = this.#rest.subarray(part.length)
      filled += part.length
      if (filled === count) return row
      const { value, done } = await this.#parts.next()
      if (done) throw truncated()
      this.#rest = value
    }
  }

  async end(): Promise<void> {
    await this.#parts.return(undefined)
  }
}

/** Undoes the filter of a row, in place. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, near: number): void {
  const { length } = row
  switch (filter) {
    case 0:
      return
    case 1:
      for (let x = near; x < length; x++) row[x]! += row[x - near]!
      return
    case 2:
      for (let x = 0; x < length; x++) row[x]! += above[x]!
      return
    case 3:
      for (let x = 0; x < length; x++) row[x]! += ((x < near ? 0 : row[x - near]!) + above[x]!) >> 1
      return
    case 4:
      for (let x = 0; x < length; x++) row[x]! += x < near ? above[x]! : paeth(row[x - near]!, above[x]!, above[x - near]!)
      return
    default:
      throw wrong(`there is no filter ${filter}`)
  }
}

/** Returns which of left, up and corner is nearest to left + up - corner. */
function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
}

/** Writes the first pixels of a row into the image's bytes, from `at` on, `step` bytes apart. */
type Paint = (row: Uint8Array, count: number, at: number, step: number) => void

function painter(file: File, data: Uint8Array): Paint {
  const { depth, color, samples, transparency } = file
  if (depth === 8 && (color === Color.rgb || color === Color.rgbAlpha) && !transparency) {
    // most files
    return (row, count, at, step) => {
      for (let x = 0, from = 0; x < count; x++, from += samples, at += step) {
        data[at] = row[from]!
        data[at + 1] = row[from + 1]!
        data[at + 2] = row[from + 2]!
        data[at + 3] = samples === 4 ? row[from + 3]! : 255
      }
    }
  }
  const put = pixelPainter(file, data)
  return (row, count, at, step) => {
    for (let x = 0; x < count; x++, at += step) put(row, x, at)
  }
}

/** Writes the pixel `x` of a row to `data` at a position. */
function pixelPainter(
  { depth, color, samples, palette, transparency }: File,
  data: Uint8Array,
): (row: Uint8Array, x: number, to: number) => void {
  const most = 2 ** depth - 1
  const sample =
    depth === 8
      ? (row: Uint8Array, index: number) => row[index]!
      : depth === 16
        ? (row: Uint8Array, index: number) => (row[2 * index]! << 8) | row[2 * index + 1]!
        : (row: Uint8Array, index: number) => (row[(index * depth) >> 3]! >> (8 - depth - ((index * depth) & 7))) & most
  const byte =
    depth === 16 ? (value: number) => value >> 8 : depth === 8 ? (value: number) => value : (value: number) => (value * 255) / most
  if (color === Color.palette) {
    const colors = Math.floor(palette!.length / 3)
    return (row, x, to) => {
      const index = Math.min(sample(row, x), colors - 1) // as in browsers
      for (let part = 0; part < 3; part++) data[to + part] = palette![index * 3 + part]!
      data[to + 3] = transparency?.[index] ?? 255
    }
  }
  const isGray = color === Color.gray || color === Color.grayAlpha
  const hasAlpha = color === Color.grayAlpha || color === Color.rgbAlpha
  const clear =
    !hasAlpha && transparency?.length === samples * 2
      ? Array.from({ length: samples }, (_, part) => (transparency[part * 2]! << 8) | transparency[part * 2 + 1]!)
      : undefined
  return (row, x, to) => {
    const first = x * samples
    for (let part = 0; part < 3; part++) data[to + part] = byte(sample(row, first + (isGray ? 0 : part)))
    data[to + 3] = hasAlpha
      ? byte(sample(row, first + samples - 1))
      : clear?.every((value, part) => sample(row, first + part) === value)
        ? 0
        : 255
  }
}
