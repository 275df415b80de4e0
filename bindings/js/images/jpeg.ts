// JPEG files (ITU-T T.81) as pixels, by jpeg-js. It takes memory as a header says and forgives much, so the segments are checked first.
import decode from 'jpeg-js/lib/decoder.js'
import type { Pixels } from '../types/index.js'
import { orientationOf, turned } from './exif.js'
import { checkSize, unsound, unsupported } from './limits.js'

/** Each scan goes through the whole image, however short it is. Encoders make about ten. */
const mostScans = 100
/** A bit for each block of 8 x 8 pixels is the least that there is. */
const mostPixelsPerByte = 8 * 64

interface Header {
  /** By the identifiers of the components. */
  readonly isRgb: boolean
  readonly hasJfif: boolean
  /** Of Adobe's segment: how colors are transformed. */
  readonly transform?: number
  readonly orientation: number
}

const Marker = {
  frame: 0xc0, extended: 0xc1, progressive: 0xc2, huffman: 0xc4, reserved: 0xc8, arithmetic: 0xcc, lastFrame: 0xcf,
  restart: 0xd0, lastRestart: 0xd7, end: 0xd9, scan: 0xda, jfif: 0xe0, exif: 0xe1, adobe: 0xee,
} as const

const isFrame = (marker: number) =>
  marker >= Marker.frame && marker <= Marker.lastFrame && ![Marker.huffman, Marker.reserved, Marker.arithmetic].some(other => other === marker)
/** The ones that can be read. */
const frames: readonly number[] = [Marker.frame, Marker.extended, Marker.progressive]
const nameOf = (body: Uint8Array, length: number) => String.fromCharCode(...body.subarray(0, length))

export const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff

const wrong = (problem: string, cause?: unknown) => unsound('JPEG', problem, cause)
const truncated = () => wrong('it is truncated')

/** The pixels of a file, as they are to be seen. Throws `invalid-argument` and `unsupported`. */
export function decodeJpeg(bytes: Uint8Array): Pixels {
  const { isRgb, hasJfif, transform, orientation } = read(bytes)
  const colorTransform = transform === undefined ? isRgb && !hasJfif ? false : undefined : transform !== 0
  try {
    const { width, height, data } = decode(bytes, {
      useTArray: true, tolerantDecoding: false, maxResolutionInMP: Infinity, maxMemoryUsageInMB: Infinity, colorTransform,  // `read` is stricter
    })
    return turned({ width, height, data }, orientation)
  } catch (error) {
    throw wrong(error instanceof TypeError ? 'its data are damaged' : (error as Error).message, error)
  }
}

/** The segments, up to the end of the image. The data after the header of a scan are no part of it. */
function* segmentsOf(bytes: Uint8Array): Generator<{ marker: number, body: Uint8Array }> {
  for (let at = 2; ;) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) throw truncated()
    while (bytes[at] === 0xff) at++
    const marker = bytes[at++]
    if (marker === undefined) throw truncated()
    if (marker === Marker.end) return
    if (marker <= 1 || marker >= Marker.restart && marker <= Marker.lastRestart) continue  // within the data of a scan
    if (at + 2 > bytes.length) throw truncated()
    const length = bytes[at]! << 8 | bytes[at + 1]!
    if (at + length > bytes.length) throw truncated()
    if (length < 2) throw wrong('a segment has no length')
    yield { marker, body: bytes.subarray(at + 2, at + length) }
    at += length
  }
}

function read(bytes: Uint8Array): Header {
  let frame: Uint8Array | undefined
  let scans = 0
  let hasJfif = false, transform: number | undefined, orientation = 1
  for (const { marker, body } of segmentsOf(bytes)) {
    if (isFrame(marker)) {
      if (frame) throw wrong('it has several images')
      checkFrame(marker, frame = body)
    } else if (marker === Marker.scan) {
      if (!frame) throw wrong('it has no header')
      if (++scans > mostScans) throw wrong(`it has more than ${mostScans} scans`)
    } else if (marker === Marker.jfif) hasJfif ||= nameOf(body, 4) === 'JFIF'
    else if (marker === Marker.exif && orientation === 1) orientation = orientationOf(body)
    else if (marker === Marker.adobe && nameOf(body, 5) === 'Adobe') transform = body[11]
  }
  if (!frame) throw wrong('it has no image')
  if (pixelsIn(frame) > bytes.length * mostPixelsPerByte) throw truncated()
  return { isRgb: String.fromCharCode(...componentsOf(frame).map(([id]) => id!)) === 'RGB', hasJfif, transform, orientation }
}

const sizeOf = (frame: Uint8Array) => [frame[3]! << 8 | frame[4]!, frame[1]! << 8 | frame[2]!] as const
const pixelsIn = (frame: Uint8Array) => sizeOf(frame)[0] * sizeOf(frame)[1]

const componentsOf = (frame: Uint8Array): Uint8Array[] =>
  Array.from({ length: frame[5]! }, (_, index) => frame.subarray(6 + index * 3, 9 + index * 3))

function checkFrame(marker: number, frame: Uint8Array): void {
  if (frame.length < 6 || frame.length < 6 + frame[5]! * 3) throw truncated()
  if (!frames.includes(marker)) throw unsupported('JPEG', 'with lossless or arithmetic coding')
  checkSize(...sizeOf(frame))
  if (frame[0] !== 8) throw unsupported('JPEG', `of ${frame[0]} bits`)
  const components = componentsOf(frame)
  if (![1, 3, 4].includes(components.length)) throw unsupported('JPEG', `of ${components.length} colors`)
  const isSampled = components.every(([, factors]) => [factors! >> 4, factors! & 15].every(factor => factor >= 1 && factor <= 4))
  if (!isSampled) throw wrong('its colors are sampled in no way that there is')
}
