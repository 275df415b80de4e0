// The lengths of a model's file and of its header, as the header says: GGUF, or whisper.cpp's format.
import { wrongFile } from './errors.js'
import { Cursor, type GgufHeader, numberOf, parseHeader, readBeginning } from './gguf-header.js'
import type { ModelFile } from './model-file.js'
import { magic } from '../wire/gguf.js'
import { readWhisperHeader, whisperMagic } from './whisper-header.js'

export interface Extent {
  /** The least number of bytes that the file has. */
  needed: number
  /** The end of the model in the file, without padding; undefined if a tensor has a type that is unknown here. */
  end?: number
  /** The end may be padded to a multiple of this. */
  alignment: number
  /** The number of files that the model consists of. */
  parts: number
}

const u32 = ({ buffer, byteOffset }: Uint8Array) => new DataView(buffer, byteOffset).getUint32(0, true)

/** Whether the first bytes of a file, if there are enough, are those of a model. */
export const startsWell = (bytes: Uint8Array) => bytes.length < 4 || [magic, whisperMagic].includes(u32(bytes))

const isWhisper = (bytes: Uint8Array) => bytes.length >= 4 && u32(bytes) === whisperMagic

/** Reads the header of a file. Fails with `invalid-file` or `unsupported`, or as the file does. */
export const readExtent = (file: ModelFile): Promise<Extent> =>
  readBeginning(file, (name, bytes) => {
    if (!isWhisper(bytes)) return extentOf(parseHeader(name, bytes))
    const end = readWhisperHeader(new Cursor(name, bytes))
    return { needed: end, end, alignment: 1, parts: 1 }
  })

/** The bytes of a file before its data. Fails as `readExtent` does. */
export const headerBytes = (file: ModelFile): Promise<Uint8Array> =>
  readBeginning(file, (name, bytes) => {
    if (!isWhisper(bytes)) return bytes.subarray(0, parseHeader(name, bytes).dataStart)
    const cursor = new Cursor(name, bytes)
    readWhisperHeader(cursor)
    return bytes.subarray(0, cursor.at)
  })

export function extentOf({ pairs, tensors, alignment, dataStart, dataBytes }: GgufHeader): Extent {
  const needed = dataStart + dataBytes
  const isKnown = tensors.every(({ length }) => length !== undefined)
  return { needed, ...(isKnown && { end: needed }), alignment, parts: numberOf(pairs, 'split.count') ?? 1 }
}

/** Throws `invalid-file` if a file of `bytes` bytes is shorter than its header says. */
export function checkLength(name: string, bytes: number, { needed }: Extent): void {
  if (bytes < needed) throw wrongFile(`${name} ends after ${bytes} of ${needed} bytes`)
}
