// safetensors (https://huggingface.co/docs/safetensors): a length, a JSON header, and the tensors. Files may be hostile: every number of
// the header is checked against the file before it is used.
import { isObject } from '../../readers.js'
import { countOf, damaged, elementTypes, type FileTensor, floatsFrom } from './tensor.js'

/** The longest header, in bytes: a dictionary's header is far shorter. */
const mostHeader = 1 << 24

interface Entry {
  name: string
  type: string
  shape: number[]
  count: number
  from: number
  to: number
}

/** All tensors of a file. Throws `invalid-file`. */
export function readSafetensors(bytes: Uint8Array, file: string): Map<string, FileTensor> {
  if (bytes.length < 8) throw damaged(file, 'the file ends in front of its header')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32
  if (length > mostHeader || length > bytes.length - 8)
    throw damaged(file, `a header of ${length} bytes is longer than the file allows`)
  const data = bytes.subarray(8 + length)
  const entries = Object.entries(headerOf(bytes.subarray(8, 8 + length), file))
    .filter(([name]) => name !== '__metadata__')
    .map(([name, described]) => entryOf(name, described, data.length, file))
    .sort((a, b) => a.from - b.from || a.to - b.to)
  let end = 0
  for (const { name, from, to } of entries) {
    if (from < end) throw damaged(file, `${name} overlaps another tensor`)
    end = to
  }
  return new Map(
    entries.map(({ name, type, shape, count, from, to }) => [
      name,
      { shape, data: floatsFrom(data.subarray(from, to), type, count) },
    ]),
  )
}

function headerOf(bytes: Uint8Array, file: string): Record<string, unknown> {
  try {
    const header: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (isObject(header)) return header
  } catch {}
  throw damaged(file, 'the header is not a JSON object')
}

function entryOf(name: string, described: unknown, length: number, file: string): Entry {
  const { dtype, shape, data_offsets: offsets } = isObject(described) ? described : {}
  if (typeof dtype !== 'string' || !Array.isArray(shape) || !Array.isArray(offsets) || offsets.length !== 2)
    throw damaged(file, `${name} lacks dtype, shape or data_offsets`)
  if (!Object.hasOwn(elementTypes, dtype)) throw damaged(file, `${name} has the unknown dtype ${dtype}`)
  const count = countOf(file, name, shape)
  const [from, to] = offsets as [unknown, unknown]
  const isInside = Number.isSafeInteger(from) && Number.isSafeInteger(to) && (from as number) >= 0 && (to as number) <= length
  if (!isInside || (from as number) > (to as number)) throw damaged(file, `${name} has data_offsets outside the file`)
  if ((to as number) - (from as number) !== count * elementTypes[dtype]!.bytes)
    throw damaged(file, `${name} has ${(to as number) - (from as number)} bytes, which its shape does not have`)
  return { name, type: dtype, shape: shape as number[], count, from: from as number, to: to as number }
}
