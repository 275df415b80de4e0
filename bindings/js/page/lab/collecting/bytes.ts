// Encodes numbers as the bytes of files.
import { toHalf } from '../formats/tensor.js'
import type { ElementType } from './layout.js'

const sizes = { float16: 2, float32: 4, float64: 8, int32: 4, int64: 8 }

/** Little-endian. */
export function bytesOf(type: ElementType, values: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(values.length * sizes[type]))
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!
    if (type === 'float32') view.setFloat32(index * 4, value, true)
    else if (type === 'float16') view.setUint16(index * 2, toHalf(value), true)
    else if (type === 'float64') view.setFloat64(index * 8, value, true)
    else if (type === 'int32') view.setInt32(index * 4, value, true)
    else view.setBigInt64(index * 8, BigInt(value), true)
  }
  return new Uint8Array(view.buffer)
}
