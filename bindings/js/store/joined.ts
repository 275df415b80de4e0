// Reads a split model as the single file that it was split from: a header built from the headers of the parts, then the data of
// each part. Keys split.no, split.count and split.tensors.count: https://github.com/ggml-org/llama.cpp/tree/master/tools/gguf-split
import { ggufHeader, paddedTo } from '../wire/gguf.js'
import { wrongFile } from './errors.js'
import type { ModelFile } from './model-file.js'
import { inOrder, type Part, readPart } from './parts.js'

/** Joins the parts of a model, in any order. Fails with `invalid-file` and names those that are missing, too short or unrelated. */
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

/** A range of the joined file that lies in one part. */
interface Stretch {
  file: ModelFile
  start: number
  /** The position in the part at which the range starts. */
  from: number
  length: number
}

class Joined implements ModelFile {
  readonly name: string
  readonly size: number
  readonly #parts: readonly Part[]
  readonly #header: Uint8Array
  readonly #stretches: Stretch[] = []

  constructor(parts: readonly Part[]) {
    this.#parts = parts
    this.name = parts[0]!.file.name
    const { alignment } = parts[0]!.header
    const starts: number[] = []
    let data = 0
    for (const { header } of parts) {
      starts.push(data)
      data = paddedTo(data + header.dataBytes, alignment)
    }
    this.#header = joinedHeader(parts, starts)
    parts.forEach(({ file, header }, index) =>
      this.#stretches.push({
        file,
        start: this.#header.length + starts[index]!,
        from: header.dataStart,
        length: header.dataBytes,
      }),
    )
    this.size = this.#header.length + data
  }

  /** Bytes that were stored already; counts the parts' headers, not the joined header. */
  get cached(): number | undefined {
    const cached = this.#parts.map(({ file }) => file.cached)
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
      if (count === 0) throw wrongFile(`${stretch.file.name} ends ${left} bytes too early`)
      return count
    }
    const padding = Math.min((this.#stretches.find(({ start }) => start > at)?.start ?? this.size) - at, place.length)
    place.fill(0, 0, padding)
    return padding
  }

  async complete(): Promise<void> {
    for (const { file, header } of this.#parts) await file.complete?.(header.dataStart + header.dataBytes)
  }

  close(): void {
    for (const { file } of this.#parts) file.close()
  }
}

/** The header of the joined file. `starts`: the offset of each part's data. */
function joinedHeader(parts: readonly Part[], starts: readonly number[]): Uint8Array {
  const { pairs: all, alignment } = parts[0]!.header
  const pairs = all.filter(({ key }) => !key.startsWith('split.'))
  const tensors = parts.flatMap(({ header }, index) =>
    header.tensors.map(({ bytes, offset }) => ({ bytes, offset: starts[index]! + offset })),
  )
  return ggufHeader(pairs, tensors, alignment)
}
