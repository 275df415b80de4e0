// PNG files (https://www.w3.org/TR/png-3/) as pixels. Node's zlib inflates them, into no more bytes than the header asks for: a file
// cannot take more memory than an image of its size.
import { crc32, inflateSync } from 'node:zlib'
import type { Pixels } from '../types/index.js'
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
  readonly compressed: Uint8Array
}

const Color = { gray: 0, rgb: 2, palette: 3, grayAlpha: 4, rgbAlpha: 6 } as const
type Color = typeof Color[keyof typeof Color]

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

/** The pixels of a file, of 16 bits the upper 8. Throws `invalid-argument`, and `unsupported` for an animation. */
export function decodePng(bytes: Uint8Array): Pixels {
  const file = read(bytes)
  const { width, height } = file
  const filtered = inflate(file)
  const data = new Uint8Array(width * height * 4)
  const put = painter(file, data)
  let at = 0
  for (const pass of passesOf(file)) {
    const rows = filtered.subarray(at, at += pass.height * (1 + pass.stride))
    unfilter(rows, pass, bytesPerPixel(file))
    for (let y = 0; y < pass.height; y++) {
      const row = rows.subarray(y * (1 + pass.stride) + 1, (y + 1) * (1 + pass.stride))
      const first = (pass.y + y * pass.down) * width + pass.x
      for (let x = 0; x < pass.width; x++) put(row, x, (first + x * pass.right) * 4)
    }
  }
  return { width, height, data }
}

/** The chunks up to `IEND`. Those that a reader must know have to have the right checksums. */
function* chunksOf(bytes: Uint8Array): Generator<{ type: string, body: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = signature.length; ;) {
    if (at + 12 > bytes.length) throw truncated()
    const end = at + 8 + view.getUint32(at)
    if (end + 4 > bytes.length) throw truncated()
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    const mustBeKnown = (bytes[at + 4]! & 0x20) === 0
    if (mustBeKnown && crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end)) throw wrong(`the chunk ${type} has a wrong checksum`)
    yield { type, body: bytes.subarray(at + 8, end) }
    if (type === 'IEND') return
    at = end + 4
  }
}

function read(bytes: Uint8Array): File {
  let header: Header | undefined
  let palette: Uint8Array | undefined, transparency: Uint8Array | undefined
  const data: Uint8Array[] = []
  for (const { type, body } of chunksOf(bytes)) {
    if (!header && type !== 'IHDR') throw wrong('it has no header')
    switch (type) {
      case 'IHDR': header = readHeader(body); break
      case 'PLTE': palette = body; break
      case 'tRNS': transparency = body; break
      case 'acTL': throw unsupported('PNG', 'with an animation')
      case 'IDAT': data.push(body)
    }
  }
  if (header!.color === Color.palette && !palette) throw wrong('it has no palette')
  return { ...header!, palette, transparency, compressed: Buffer.concat(data) }
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

const bytesPerPixel = ({ samples, depth }: Header) => Math.max(1, samples * depth >> 3)

/** A part of the image with its own rows: every pixel from `x`, `y`, in steps to the right and down. */
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

/** Adam7: x, y, right and down of each pass. */
const interlaced = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]] as const

const passesOf = ({ width, height, samples, depth, isInterlaced }: Header): Pass[] =>
  (isInterlaced ? interlaced : [[0, 0, 1, 1]] as const).map(([x, y, right, down]) => {
    const [columns, rows] = [Math.ceil((width - x) / right), Math.ceil((height - y) / down)]
    return { x, y, right, down, width: columns, height: columns > 0 ? rows : 0, stride: Math.ceil(columns * samples * depth / 8) }
  }).filter(({ height }) => height > 0)

function inflate(file: File): Uint8Array {
  const needed = passesOf(file).reduce((sum, { height, stride }) => sum + height * (1 + stride), 0)
  let bytes: Uint8Array
  try {
    bytes = inflateSync(file.compressed, { maxOutputLength: needed })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw truncated()
    throw wrong(code === 'ERR_BUFFER_TOO_LARGE' ? 'it has more data than pixels' : message, error)
  }
  if (bytes.length < needed) throw truncated()
  return bytes
}

/** Undoes the filters of a pass, in place. */
function unfilter(rows: Uint8Array, { height, stride }: Pass, near: number): void {
  for (let y = 0; y < height; y++) {
    const first = y * (1 + stride) + 1
    const above = y === 0 ? -1 : first - 1 - stride
    const filter = rows[first - 1]!
    if (filter > 4) throw wrong(`there is no filter ${filter}`)
    if (filter === 0) continue
    for (let x = 0; x < stride; x++) {
      const left = x < near ? 0 : rows[first + x - near]!
      const up = above < 0 ? 0 : rows[above + x]!
      const corner = x < near || above < 0 ? 0 : rows[above + x - near]!
      rows[first + x]! += filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : paeth(left, up, corner)
    }
  }
}

/** The neighbor that is nearest to left + up - corner. */
function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
}

/** Writes the pixel `x` of a row to `data`, at a place there. */
function painter({ depth, color, samples, palette, transparency }: File, data: Uint8Array): (row: Uint8Array, x: number, to: number) => void {
  const most = 2 ** depth - 1
  const sample = depth === 8 ? (row: Uint8Array, index: number) => row[index]!
    : depth === 16 ? (row: Uint8Array, index: number) => row[2 * index]! << 8 | row[2 * index + 1]!
    : (row: Uint8Array, index: number) => row[index * depth >> 3]! >> (8 - depth - (index * depth & 7)) & most
  const byte = depth === 16 ? (value: number) => value >> 8 : depth === 8 ? (value: number) => value : (value: number) => value * 255 / most
  if (color === Color.palette) {
    const colors = Math.floor(palette!.length / 3)
    return (row, x, to) => {
      const index = sample(row, x)
      if (index >= colors) throw wrong(`its palette has no color ${index}`)
      for (let part = 0; part < 3; part++) data[to + part] = palette![index * 3 + part]!
      data[to + 3] = transparency?.[index] ?? 255
    }
  }
  const isGray = color === Color.gray || color === Color.grayAlpha
  const hasAlpha = color === Color.grayAlpha || color === Color.rgbAlpha
  const clear = !hasAlpha && transparency?.length === samples * 2
    ? Array.from({ length: samples }, (_, part) => (transparency[part * 2]! << 8 | transparency[part * 2 + 1]!) & most) : undefined
  return (row, x, to) => {
    const first = x * samples
    for (let part = 0; part < 3; part++) data[to + part] = byte(sample(row, first + (isGray ? 0 : part)))
    data[to + 3] = hasAlpha ? byte(sample(row, first + samples - 1))
      : clear?.every((value, part) => sample(row, first + part) === value) ? 0 : 255
  }
}
