// Reads and writes numpy's files with one array (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). Objects
// are never unpickled.
import { countOf, damaged, elementTypes, type FileTensor, floatsFrom } from './tensor.js'

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]

/** Names in `elementTypes` by numpy's kind and size, without the byte order. */
const types: ReadonlyMap<string, string> = new Map([
  ['f8', 'F64'],
  ['f4', 'F32'],
  ['f2', 'F16'],
  ['i8', 'I64'],
  ['i4', 'I32'],
  ['i2', 'I16'],
  ['i1', 'I8'],
  ['u1', 'U8'],
  ['b1', 'BOOL'],
])

/** Reads the array of a file. Throws `invalid-file`. */
export function readNpy(bytes: Uint8Array, file: string): FileTensor {
  if (bytes.length < 12 || magic.some((byte, at) => bytes[at] !== byte)) throw damaged(file, 'is not a .npy array')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isFirst = bytes[6] === 1
  const start = isFirst ? 10 : 12
  const length = isFirst ? view.getUint16(8, true) : view.getUint32(8, true)
  if (bytes[6]! > 3 || length > bytes.length - start) throw damaged(file, 'the header of the array is longer than the file')
  const header = new TextDecoder('latin1').decode(bytes.subarray(start, start + length))
  const [, descr] = /'descr'\s*:\s*'([^']*)'/.exec(header) ?? []
  const [, order] = /'fortran_order'\s*:\s*(True|False)/.exec(header) ?? []
  const [, lengths] = /'shape'\s*:\s*\(([\d,\s]*)\)/.exec(header) ?? []
  if (descr === undefined || order === undefined || lengths === undefined)
    throw damaged(file, 'the header of the array lacks descr, fortran_order or shape')
  const type = types.get(descr.replace(/^[<>|=]/, ''))
  if (type === undefined) throw damaged(file, `arrays of ${descr} are not numbers that can be read`)
  const shape = lengths.split(',').flatMap(part => (part.trim() === '' ? [] : Number(part)))
  const count = countOf(file, 'the array', shape)
  const data = bytes.subarray(start + length)
  if (data.length !== count * elementTypes[type]!.bytes)
    throw damaged(file, `the array has ${data.length} bytes, which its shape does not have`)
  const values = floatsFrom(data, type, count, !descr.startsWith('>'))
  return { shape, data: order === 'True' && shape.length === 2 ? transposed(values, shape[1]!, shape[0]!) : values }
}

/** The transpose of rows x columns. */
function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  const turned = new Float32Array(values.length)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) turned[column * rows + row] = values[row * columns + column]!
  return turned
}

/** The bytes before the elements of an array. */
export function npyHeader(descr: string, shape: readonly number[]): Uint8Array<ArrayBuffer> {
  const lengths = shape.length === 1 ? `${shape[0]},` : shape.join(', ')
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${lengths}), }`
  const padded = text.padEnd(Math.ceil((10 + text.length + 1) / 64) * 64 - 11) + '\n'
  const bytes = new Uint8Array(10 + padded.length)
  bytes.set([...magic, 1, 0, padded.length & 0xff, padded.length >> 8])
  bytes.set(new TextEncoder().encode(padded), 10)
  return bytes
}
