// The element types of tensor files, and their conversion to and from 32-bit floats.
import { HeedError } from '../../../wire/errors.js'

/** A tensor that has been read. */
export interface FileTensor {
  readonly shape: readonly number[]
  readonly data: Float32Array
}

export const damaged = (file: string, message: string) => new HeedError('invalid-file', `${file}: ${message}`)

/** Element types by their names in safetensors: the bytes of an element, and the function that reads one. */
export const elementTypes: Readonly<Record<string, { bytes: number; read(view: DataView, at: number, little: boolean): number }>> =
  {
    F64: { bytes: 8, read: (view, at, little) => view.getFloat64(at, little) },
    F32: { bytes: 4, read: (view, at, little) => view.getFloat32(at, little) },
    F16: { bytes: 2, read: (view, at, little) => fromHalf(view.getUint16(at, little)) },
    BF16: { bytes: 2, read: (view, at, little) => fromBrain(view.getUint16(at, little)) },
    I64: { bytes: 8, read: (view, at, little) => Number(view.getBigInt64(at, little)) },
    I32: { bytes: 4, read: (view, at, little) => view.getInt32(at, little) },
    I16: { bytes: 2, read: (view, at, little) => view.getInt16(at, little) },
    I8: { bytes: 1, read: (view, at) => view.getInt8(at) },
    U8: { bytes: 1, read: (view, at) => view.getUint8(at) },
    BOOL: { bytes: 1, read: (view, at) => view.getUint8(at) },
  }

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 0x1f) return fraction ? NaN : sign * Infinity
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

const scratch = new DataView(new ArrayBuffer(4))
function fromBrain(bits: number): number {
  scratch.setUint32(0, bits << 16)
  return scratch.getFloat32(0)
}

/** A float as 16 bits, rounded to nearest, ties to even. */
export function toHalf(value: number): number {
  scratch.setFloat32(0, value)
  const bits = scratch.getUint32(0)
  const sign = (bits >>> 16) & 0x8000
  const size = Math.abs(value)
  if (Number.isNaN(value)) return 0x7e00
  if (size >= 65_520) return sign | 0x7c00
  if (size < 2 ** -14) return sign | roundToEven(size * 2 ** 24)
  const exponent = ((bits >>> 23) & 0xff) - 127
  return sign | (((exponent + 15) << 10) + roundToEven((size / 2 ** exponent - 1) * 1024))
}
function roundToEven(value: number): number {
  const below = Math.floor(value)
  const rest = value - below
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below
}

/** The product of lengths; throws `invalid-file` unless they are whole numbers with a product that memory could hold. */
export function countOf(file: string, name: string, shape: readonly unknown[]): number {
  let count = 1
  for (const length of shape) {
    if (!Number.isSafeInteger(length) || (length as number) < 0)
      throw damaged(file, `${name} has a shape that is no list of lengths`)
    count *= length as number
  }
  if (!(count <= 2 ** 40)) throw damaged(file, `${name} has more elements than any file`)
  return count
}

/** The first `count` elements of the bytes, as floats. */
export function floatsFrom(bytes: Uint8Array, type: string, count: number, little = true): Float32Array {
  const { bytes: size, read } = elementTypes[type]!
  const isPlain = type === 'F32' && little && new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
  if (isPlain) return new Float32Array(bytes.slice(0, count * size).buffer)
  const view = new DataView(bytes.buffer, bytes.byteOffset, count * size)
  return Float32Array.from({ length: count }, (_, index) => read(view, index * size, little))
}
