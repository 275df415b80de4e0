// Zip archives as numpy writes them: members stored or deflated.
import { damaged } from './tensor.js'

const endMark = 0x06054b50,
  entryMark = 0x02014b50,
  memberMark = 0x04034b50

/** The greatest compression ratio of deflate. */
const mostRatio = 1032

/** The members of an archive by name. `most`: bytes that a member may have, unpacked. Throws `invalid-file`. */
export async function readZip(bytes: Uint8Array, file: string, most: number): Promise<Map<string, Uint8Array>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  while (end >= 0 && end >= bytes.length - 22 - 0xffff && view.getUint32(end, true) !== endMark) end--
  if (end < 0 || view.getUint32(end, true) !== endMark) throw damaged(file, 'the archive has no end')
  const count = view.getUint16(end + 10, true)
  const members = new Map<string, Uint8Array>()
  for (let at = view.getUint32(end + 16, true), index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== entryMark) throw damaged(file, 'the list of the archive is damaged')
    const method = view.getUint16(at + 10, true)
    const sum = view.getUint32(at + 16, true)
    const lengths = [28, 30, 32].map(field => view.getUint16(at + field, true)) as [number, number, number]
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + lengths[0]))
    const extra = bytes.subarray(at + 46 + lengths[0], at + 46 + lengths[0] + lengths[1])
    const [size, packed, from] = sizesOf(view, at, new DataView(extra.buffer, extra.byteOffset, extra.byteLength))
    if (from + 30 > bytes.length || view.getUint32(from, true) !== memberMark)
      throw damaged(file, `${name} is not where the archive says`)
    const start = from + 30 + view.getUint16(from + 26, true) + view.getUint16(from + 28, true)
    if (start + packed > bytes.length) throw damaged(file, `the file ends inside ${name}`)
    if (size > Math.min(most, packed * mostRatio))
      throw damaged(file, `${name} claims ${size} bytes unpacked, more than it can have`)
    const data = bytes.subarray(start, start + packed)
    const whole = method === 0 ? data : method === 8 ? await inflated(data, size, `${file}: ${name}`) : undefined
    if (!whole) throw damaged(file, `${name} is packed by a method that is not read: ${method}`)
    if (whole.length !== size || crcOf(whole) !== sum) throw damaged(file, `${name} is damaged: its checksum is wrong`)
    members.set(name, whole)
    at += 46 + lengths[0] + lengths[1] + lengths[2]
  }
  return members
}

/**
 * A member's unpacked size, packed size and offset; taken from the 64-bit extra field if they do not fit into the entry's 32 bits.
 */
function sizesOf(view: DataView, at: number, extra: DataView): [number, number, number] {
  const sizes = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)] as [
    number,
    number,
    number,
  ]
  for (let field = 0; field + 4 <= extra.byteLength; field += 4 + extra.getUint16(field + 2, true)) {
    if (extra.getUint16(field, true) !== 1) continue
    let next = field + 4
    sizes.forEach((size, index) => {
      if (size !== 0xffffffff || next + 8 > extra.byteLength) return
      sizes[index] = Number(extra.getBigUint64(next, true))
      next += 8
    })
  }
  return sizes
}

/** Inflates no more than the announced `size`, however much the data holds. */
async function inflated(data: Uint8Array, size: number, name: string): Promise<Uint8Array> {
  const whole = new Uint8Array(size)
  let length = 0
  try {
    const stream = new Blob([data as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    const reader = stream.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (length + value.length > size) {
        reader.cancel().catch(() => {}) // discards the rest
        break
      }
      whole.set(value, length)
      length += value.length
    }
  } catch {
    throw damaged(name, 'the packed data is damaged')
  }
  return whole.subarray(0, length)
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
})

/** The CRC-32 of the bytes; `before` is the CRC-32 of the bytes in front of them. */
export function crcOf(bytes: Uint8Array, before = 0): number {
  let sum = ~before
  for (const byte of bytes) sum = table[(sum ^ byte) & 0xff]! ^ (sum >>> 8)
  return ~sum >>> 0
}

const u16 = (value: number) => [value & 0xff, value >>> 8]
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)]

/** The local header of a stored member. */
export const memberHeader = (name: string, size: number, sum: number): Uint8Array<ArrayBuffer> => {
  const text = new TextEncoder().encode(name)
  return new Uint8Array([...u32(memberMark), ...fields(size, sum), ...u16(text.length), 0, 0, ...text])
}
/** Version, flags, method, time, checksum and sizes. */
const fields = (size: number, sum: number) => [20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0, ...u32(sum), ...u32(size), ...u32(size)]

/** The central directory, which lists the members at the end of an archive. */
export function zipEnd(
  members: readonly { name: string; size: number; sum: number; from: number }[],
  at: number,
): Uint8Array<ArrayBuffer> {
  const list = members.flatMap(({ name, size, sum, from }) => {
    const text = new TextEncoder().encode(name)
    return [
      ...u32(entryMark),
      20,
      0,
      ...fields(size, sum),
      ...u16(text.length),
      ...Array<number>(12).fill(0),
      ...u32(from),
      ...text,
    ]
  })
  const count = u16(members.length)
  return new Uint8Array([...list, ...u32(endMark), 0, 0, 0, 0, ...count, ...count, ...u32(list.length), ...u32(at), 0, 0])
}
