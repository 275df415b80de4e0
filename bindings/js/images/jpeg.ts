// JPEG files (ITU-T T.81) as pixels, with the bits of libjpeg, which browsers use: Huffman coding of 8 bits, sequential and
// progressive, one, three or four colors. This file reads the segments; scans.ts reads the scans, and samples.ts converts samples
// to pixels.
import type { Pixels } from '../types/index.js'
import { orientationIn, turned } from './exif.js'
import type { Component, Frame } from './frame.js'
import { checkSize, unsound, unsupported } from './limits.js'
import { type ColorSpace, pixelsOf } from './samples.js'
import { codeOf, type HuffmanCode, readScan, ScanBits } from './scans.js'

/** The most scans of a file, to limit the work: each scan, however short, goes through the whole image. Encoders make about ten. */
const mostScans = 100
/** A block of 8 x 8 pixels takes at least a bit. */
const mostPixelsPerByte = 8 * 64

/** The state that the segments so far have set. */
interface State {
  frame?: Frame
  scans: number
  readonly quantizations: Uint16Array[]
  readonly directCodes: HuffmanCode[]
  readonly alternatingCodes: HuffmanCode[]
  restartInterval: number
  hasJfif: boolean
  /** The color transform that Adobe's segment states. */
  transform?: number
  orientation: number
}

const Marker = {
  frame: 0xc0,
  extended: 0xc1,
  progressive: 0xc2,
  huffman: 0xc4,
  reserved: 0xc8,
  arithmetic: 0xcc,
  lastFrame: 0xcf,
  restart: 0xd0,
  lastRestart: 0xd7,
  end: 0xd9,
  scan: 0xda,
  quantization: 0xdb,
  interval: 0xdd,
  jfif: 0xe0,
  exif: 0xe1,
  adobe: 0xee,
} as const

const isFrame = (marker: number) =>
  marker >= Marker.frame &&
  marker <= Marker.lastFrame &&
  ![Marker.huffman, Marker.reserved, Marker.arithmetic].some(other => other === marker)
const isRestart = (marker: number) => marker >= Marker.restart && marker <= Marker.lastRestart
/** The kinds of frames that are supported. */
const frames: readonly number[] = [Marker.frame, Marker.extended, Marker.progressive]
const nameOf = (body: Uint8Array, length: number) => String.fromCharCode(...body.subarray(0, length))

export const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff

const wrong = (problem: string) => unsound('JPEG', problem)
const truncated = () => wrong('it is truncated')

/** The upright pixels of a file. Throws `invalid-argument` and `unsupported`. */
export function decodeJpeg(bytes: Uint8Array): Pixels {
  const state: State = {
    scans: 0,
    quantizations: [],
    directCodes: [],
    alternatingCodes: [],
    restartInterval: 0,
    hasJfif: false,
    orientation: 1,
  }
  for (let at = 2; ; ) {
    at = bytes.indexOf(0xff, at)
    while (at >= 0 && bytes[at] === 0xff) at++
    const marker = at < 0 ? undefined : bytes[at++]
    if (marker === Marker.end) break
    if (marker === undefined) throw truncated()
    if (marker <= 1 || isRestart(marker)) continue
    if (at + 2 > bytes.length) throw truncated()
    const length = (bytes[at]! << 8) | bytes[at + 1]!
    if (at + length > bytes.length) throw truncated()
    if (length < 2) throw wrong('a segment has no length')
    const body = bytes.subarray(at + 2, (at += length))
    if (marker === Marker.scan) at = takeScan(state, body, bytes, at)
    else takeSegment(state, marker, body, bytes.length)
  }
  const { frame, orientation } = state
  if (!frame) throw wrong('it has no image')
  if (frame.components.some(({ quantization }) => !quantization)) throw wrong('it has not all of its colors')
  return turned(pixelsOf(frame, colorSpaceOf(frame, state)), orientation)
}

function takeSegment(state: State, marker: number, body: Uint8Array, fileLength: number): void {
  if (isFrame(marker)) {
    if (state.frame) throw wrong('it has several images')
    state.frame = readFrame(marker, body, fileLength)
  } else if (marker === Marker.arithmetic) throw unsupported('JPEG', 'with lossless or arithmetic coding')
  else if (marker === Marker.huffman) readCodes(state, body)
  else if (marker === Marker.quantization) readQuantizations(state.quantizations, body)
  else if (marker === Marker.interval) state.restartInterval = (body[0]! << 8) | body[1]!
  else if (marker === Marker.jfif) state.hasJfif ||= nameOf(body, 4) === 'JFIF'
  else if (marker === Marker.exif && state.orientation === 1 && nameOf(body, 4) === 'Exif')
    state.orientation = orientationIn(body.subarray(6))
  else if (marker === Marker.adobe && nameOf(body, 5) === 'Adobe') state.transform = body[11]
}

function readFrame(marker: number, body: Uint8Array, fileLength: number): Frame {
  if (body.length < 6 || body.length < 6 + body[5]! * 3) throw truncated()
  if (!frames.includes(marker)) throw unsupported('JPEG', 'with lossless or arithmetic coding')
  const [width, height] = [(body[3]! << 8) | body[4]!, (body[1]! << 8) | body[2]!]
  checkSize(width, height)
  if (body[0] !== 8) throw unsupported('JPEG', `of ${body[0]} bits`)
  if (![1, 3, 4].includes(body[5]!)) throw unsupported('JPEG', `of ${body[5]} colors`)
  if (width * height > fileLength * mostPixelsPerByte) throw truncated()
  const given = Array.from({ length: body[5]! }, (_, index) => {
    const [id, factors, table] = body.subarray(6 + index * 3, 9 + index * 3)
    return { id: id!, across: factors! >> 4, down: factors! & 15, table: table! }
  })
  if (given.some(({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4))
    throw wrong('its colors are sampled in no way that there is')
  if (given.length === 1) Object.assign(given[0]!, { across: 1, down: 1 }) // then a unit is one block, whatever the file states
  const [across, down] = [Math.max(...given.map(one => one.across)), Math.max(...given.map(one => one.down))]
  if (given.some(one => across % one.across !== 0 || down % one.down !== 0))
    throw unsupported('JPEG', 'whose colors are sampled in fractions')
  const isProgressive = marker === Marker.progressive
  const components = given.map((one): Component => {
    const [columns, rows] = [Math.ceil(width / (8 * across)) * one.across, Math.ceil(height / (8 * down)) * one.down]
    return {
      ...one,
      columns,
      rows,
      width: Math.ceil((width * one.across) / across),
      height: Math.ceil((height * one.down) / down),
      coefficients: new Int16Array(isProgressive ? columns * rows * 64 : 0),
      samples: new Uint8Array(isProgressive ? 0 : columns * rows * 64),
    }
  })
  return { width, height, isProgressive, across, down, components }
}

function readQuantizations(quantizations: Uint16Array[], body: Uint8Array): void {
  for (let at = 0; at < body.length; ) {
    const [wide, index] = [body[at]! >> 4, body[at++]! & 15]
    if (index > 3 || at + (wide ? 128 : 64) > body.length) throw wrong('a table is damaged')
    quantizations[index] = Uint16Array.from({ length: 64 }, () => (wide ? (body[at++]! << 8) | body[at++]! : body[at++]!))
  }
}

function readCodes({ directCodes, alternatingCodes }: State, body: Uint8Array): void {
  for (let at = 0; at < body.length; ) {
    const index = body[at++]!
    const lengths = body.subarray(at, (at += 16))
    const count = lengths.reduce((sum, length) => sum + length, 0)
    const code =
      (index & 15) < 4 && index < 32 && at + count <= body.length ? codeOf(lengths, body.subarray(at, (at += count))) : undefined
    if (!code) throw wrong('a table is damaged')
    ;(index < 16 ? directCodes : alternatingCodes)[index & 15] = code
  }
}

/** Reads a scan; returns where its data end. */
function takeScan(state: State, header: Uint8Array, bytes: Uint8Array, at: number): number {
  const { frame, quantizations, directCodes, alternatingCodes, restartInterval } = state
  if (!frame) throw wrong('it has no header')
  if (++state.scans > mostScans) throw wrong(`it has more than ${mostScans} scans`)
  const count = header[0]!
  if (count < 1 || count > 4 || header.length < 4 + count * 2) throw wrong('a scan is damaged')
  const parts = Array.from({ length: count }, (_, index) => {
    const component = frame.components.find(({ id }) => id === header[1 + index * 2])
    if (!component) throw wrong('a scan is of no color')
    const codes = header[2 + index * 2]!
    if (!component.quantization) {
      component.quantization = quantizations[component.table]
      if (!component.quantization) throw wrong('a table is missing')
    }
    return { component, direct: directCodes[codes >> 4], alternating: alternatingCodes[codes & 15] }
  })
  const [first, last, approximation] = header.subarray(1 + count * 2) as unknown as [number, number, number]
  const bits = new ScanBits(bytes, at)
  readScan(frame, { parts, first, last, high: approximation >> 4, low: approximation & 15, restartInterval }, bits)
  return bits.end
}

/** The color space, guessed as libjpeg does. */
function colorSpaceOf({ components }: Frame, { hasJfif, transform }: State): ColorSpace {
  if (components.length === 1) return 'gray'
  if (components.length === 4) return transform === undefined || transform === 0 ? 'cmyk' : 'ycck'
  if (hasJfif) return 'ycc'
  if (transform !== undefined) return transform === 0 ? 'rgb' : 'ycc'
  return String.fromCharCode(...components.map(({ id }) => id)) === 'RGB' ? 'rgb' : 'ycc'
}
