// Reads a split model as the single file that it was split from: a header built from the headers of the parts, then the data of
// each part. Keys split.no, split.count and split.tensors.count: https://github.com/ggml-org/llama.cpp/tree/master/tools/gguf-split
import { HeedError } from '../wire/errors.js'
import { type GgufHeader, numberOf, paddedTo, readHeader } from './gguf-header.js'
import type { ModelFile } from './model-file.js'

interface Part {
  file: ModelFile
  header: GgufHeader
  /** From 0. */
  number: number
}

/** Missing parts that a message lists: a file may claim any number. */
const mostListed = 20

const wrong = (message: string) => new HeedError('invalid-file', message)
const list = (numbers: readonly number[]) => numbers.map(number => number + 1).join(', ')

/** Joins the parts of a model, in any order. Fails with `invalid-file` and names parts that are missing, duplicate or unrelated. */
export async function joinParts(files: readonly ModelFile[]): Promise<ModelFile> {
  try {
    const parts: Part[] = []
    for (const file of files) parts.push(await readPart(file))
    return new Joined(inOrder(parts))
  } catch (error) {
    for (const file of files) file.close()
    throw error
  }
}

async function readPart(file: ModelFile): Promise<Part> {
  const header = await readHeader(file)
  const number = numberOf(header.pairs, 'split.no')
  if (number === undefined) throw wrong(`${file.name} is not part of a split model: it has no split.no`)
  return { file, header, number }
}

/** Checks that the parts belong to one model, and sorts them by number. */
function inOrder(parts: readonly Part[]): Part[] {
  const counts = parts.map(({ header }) => numberOf(header.pairs, 'split.count') ?? 0)
  const count = counts[0]!
  const foreign = counts.findIndex(other => other !== count)
  if (foreign >= 0) {
    throw wrong(`${parts[foreign]!.file.name} belongs to another model, of ${counts[foreign]} parts; `
      + `${parts[0]!.file.name} belongs to one of ${count}`)
  }
  const sorted: Record<number, Part> = {}
  for (const part of parts) {
    const { number, file } = part
    if (number < 0 || number >= count) throw wrong(`${file.name}: part ${number + 1} of ${count}`)
    if (sorted[number]) throw wrong(`${file.name} and ${sorted[number].file.name} are both part ${number + 1} of ${count}`)
    sorted[number] = part
  }
  if (parts.length < count) {
    const missing: number[] = []
    for (let number = 0; number < count && missing.length < mostListed; number++) if (!sorted[number]) missing.push(number)
    const others = count - parts.length - missing.length
    throw wrong(`${parts[0]!.file.name} is one of ${count} parts; missing: ${list(missing)}${others > 0 ? ` and ${others} more` : ''}`)
  }
  const inTurn = parts.map((_, number) => sorted[number]!)
  checkTensors(inTurn)
  return inTurn
}

function checkTensors(parts: readonly Part[]): void {
  const seen = new Map<string, Part>()
  const [first] = parts
  const identity = (part: Part, key: string) => part.header.pairs.find(pair => pair.key === key)?.value
  for (const part of parts) {
    for (const key of ['general.architecture', 'general.name', 'split.tensors.count']) {
      const [value, expected] = [identity(part, key), identity(first!, key)]
      if (value !== undefined && value !== expected) {
        throw wrong(`${part.file.name} belongs to another model: its ${key} is ${value}, that of ${first!.file.name} ${expected}`)
      }
    }
    for (const { name, length } of part.header.tensors) {
      const twin = seen.get(name)
      if (twin) throw wrong(`${part.file.name} belongs to another model: ${twin.file.name} also has its tensor ${name}`)
      if (length === undefined) throw new HeedError('unsupported', `${part.file.name}: the type of tensor ${name} is not supported`)
      seen.set(name, part)
    }
  }
  const expected = numberOf(first!.header.pairs, 'split.tensors.count')
  if (expected !== undefined && expected !== seen.size) {
    throw wrong(`The parts of ${first!.file.name} have ${seen.size} tensors in all, but should have ${expected}: `
      + 'one of them belongs to another model')
  }
}

/** A range of the joined file that lies in one part. */
interface Stretch {
  file: ModelFile
  start: number
  /** Where the range starts in the part. */
  from: number
  length: number
}

class Joined implements ModelFile {
  readonly name: string
  readonly size: number
  readonly #files: ModelFile[]
  readonly #header: Uint8Array
  readonly #stretches: Stretch[] = []

  constructor(parts: readonly Part[]) {
    this.#files = parts.map(({ file }) => file)
    this.name = this.#files[0]!.name
    const { alignment } = parts[0]!.header
    const starts: number[] = []
    let data = 0
    for (const { header } of parts) {
      starts.push(data)
      data = paddedTo(data + header.dataBytes, alignment)
    }
    this.#header = joinedHeader(parts, starts)
    parts.forEach(({ file, header }, index) => this.#stretches.push({
      file, start: this.#header.length + starts[index]!, from: header.dataStart, length: header.dataBytes,
    }))
    this.size = this.#header.length + data
  }

  /** Bytes that were stored already. This counts the parts' headers in place of the joined one. */
  get cached(): number | undefined {
    const cached = this.#files.map(file => file.cached)
    return cached.every(bytes => bytes === undefined) ? undefined : cached.reduce((sum: number, bytes) => sum + (bytes ?? 0), 0)
  }

  async read(at: number, place: Uint8Array): Promise<number> {
    if (at < this.#header.length) {
      const part = this.#header.subarray(at, at + place.length)
      place.set(part)
      return part.length
    }
    const stretch = this.#stretches.filter(({ start }) => start <= at).at(-1)!
    const left = stretch.start + stretch.length - at
    if (left > 0) {
      const count = await stretch.file.read(at - stretch.start + stretch.from, place.subarray(0, left))
      if (count === 0) throw wrong(`${stretch.file.name} ends ${left} bytes too early`)
      return count
    }
    const padding = Math.min((this.#stretches.find(({ start }) => start > at)?.start ?? this.size) - at, place.length)
    place.fill(0, 0, padding)
    return padding
  }

  async complete(): Promise<void> {
    for (const file of this.#files) await file.complete?.()
  }

  close(): void {
    for (const file of this.#files) file.close()
  }
}

/** The header of the joined file. `starts`: the offset of each part's data. */
function joinedHeader(parts: readonly Part[], starts: readonly number[]): Uint8Array {
  const { pairs: all, alignment } = parts[0]!.header
  const pairs = all.filter(({ key }) => !key.startsWith('split.'))
  const tensors = parts.flatMap(({ header }, index) =>
    header.tensors.map(({ bytes, offset }) => ({ bytes, offset: starts[index]! + offset })))
  const pieces = [...pairs, ...tensors]
  const length = 24 + pieces.reduce((sum, { bytes }) => sum + bytes.length, 0) + 8 * tensors.length
  const header = new Uint8Array(paddedTo(length, alignment))
  const view = new DataView(header.buffer)
  view.setUint32(0, 0x46554747, true)
  view.setUint32(4, 3, true)
  view.setBigUint64(8, BigInt(tensors.length), true)
  view.setBigUint64(16, BigInt(pairs.length), true)
  let at = 24
  for (const piece of pieces) {
    header.set(piece.bytes, at)
    at += piece.bytes.length
    if (!('offset' in piece)) continue
    view.setBigUint64(at, BigInt(piece.offset), true)
    at += 8
  }
  return header
}
