// Collects the values at points of many texts: writes them to a file as they come, or reduces them to statistics. Only one text is
// in memory at a time.
import type { Collection, CollectState, PointStatistics, Prompt } from '../../../types/index.js'
import { refuse } from '../../../wire/errors.js'
import { pointNamed } from '../../../wire/points.js'
import type { WirePrompt } from '../../../wire/protocol.js'
import { readList, readPrompt } from '../../arguments.js'
import type { Desk } from '../desk.js'
import type { Dictionary } from '../features/dictionary.js'
import { encodings, valuesAt } from '../features/features.js'
import { crcOf } from '../formats/zip.js'
import { type LabOptions, readLabOptions } from '../options.js'
import { pausing } from '../pausing.js'
import { Examples } from './examples.js'
import { bytesOf } from './bytes.js'
import { type FileFormat, layoutOf, type TensorPlan } from './layout.js'
import { type Sink, sinkFor } from './sink.js'
import { Statistics } from './statistics.js'
import { statisticsFile } from './statistics-file.js'

type Asked = LabOptions<'collect'>
type Read = Partial<Asked> & Pick<Asked, 'points' | 'tokens' | 'type' | 'addSpecial' | 'parseSpecial'>

/** A text's tokens, and the positions that are collected. */
interface Chosen {
  ids: number[]
  positions: number[]
}

export async function collect(desk: Desk, texts: readonly Prompt[], options: unknown): Promise<Collection> {
  const read = readLabOptions('collect', options)
  const prompts = readList('collect', 'texts', texts, readPrompt)
  return collected(desk, prompts, read)
}

/** The mean of each point over all tokens. */
export async function means(desk: Desk, texts: readonly Prompt[], options: unknown): Promise<PointStatistics[]> {
  const read = readLabOptions('means', options)
  const prompts = readList('means', 'texts', texts, readPrompt)
  const all = { ...read, tokens: [], type: 'float32' as const, statistics: 'mean' as const }
  return [...(await collected(desk, prompts, all)).statistics!]
}

/** @internal As `collect`, for options that have been read. */
export async function collected(desk: Desk, prompts: readonly WirePrompt[], read: Read): Promise<Collection> {
  const { connection } = desk
  const { points, to, examples: asked, statistics: sums, resume, onProgress, signal } = read
  if (prompts.length === 0) throw refuse('collect: texts: needs at least one text')
  const known = new Map((await connection.call({ type: 'points' }, { signal })).map(point => [point.point, point]))
  const plain = (name: string) => pointNamed(name, one => known.has(one)) // one point may be named in two ways
  const widths = points.map(name => {
    const point = known.get(plain(name))
    if (!point || point.axes > 1) throw refuse(`collect: points: ${name} has no row for each token in this model`)
    return point.parts * point.width
  })
  const chosen = await chosenOf(desk, prompts, read)
  const rows = chosen.reduce((sum, { positions }) => sum + positions.length, 0)
  const format: FileFormat = typeof to === 'string' ? to : (read.as ?? (points.length === 1 ? 'npy' : 'safetensors'))
  const file = to === undefined || sums ? undefined : await Writing.begin(format, to, read, widths, chosen, rows)
  const own = points.map((_, index) => sums && new Statistics(widths[index]!, sums === 'covariance', resume?.statistics?.[index]))
  const sae = asked?.sae as Dictionary | undefined
  const best = asked && new Examples(asked.features, asked.top, resume?.examples)
  const from = resume?.texts ?? 0
  if (from > prompts.length) throw refuse(`collect: resume: the state is of ${from} texts`)
  const pause = pausing(signal)
  let done = chosen.slice(0, from).reduce((sum, { positions }) => sum + positions.length, 0)
  const stateAt = (count: number): CollectState => ({
    texts: count,
    ...(file && { sums: file.sums.slice() }),
    ...(sums && { statistics: own.map(one => ({ count: one!.count, mean: one!.mean.slice(), products: one!.products?.slice() })) }),
    ...(best && { examples: best.all }),
  })
  try {
    for (const [index, { ids, positions }] of chosen.entries()) {
      if (index < from || positions.length === 0) continue
      await pause()
      const { addSpecial, parseSpecial, adapters, edits } = read
      const text = { prompt: ids, addSpecial, parseSpecial, adapters, edits }
      const { at } = await valuesAt(connection, (sae ? [...points, sae.point] : points).map(plain), { ...text, positions }, signal)
      for (const [point, values] of at.slice(0, points.length).entries()) {
        own[point]?.add(values)
        await file?.rows(point, done, values)
      }
      if (sae) {
        let row = 0
        for await (const { activations } of encodings(connection, sae, at.at(-1)!, signal))
          best!.add(index, positions[row++]!, activations)
      }
      done += positions.length
      onProgress?.({ done: index + 1, total: prompts.length, rows: done, state: stateAt(index + 1) })
    }
    await file?.end()
  } finally {
    await file?.sink.close()
  }
  const statistics = sums && own.map((one, index) => one!.of(points[index]!))
  const summed = statistics && to !== undefined ? await written(to, statisticsFile(format, statistics)) : undefined
  return {
    rows,
    points: points.map((point, index) => ({ point, width: widths[index]! })),
    ...(file?.sink.file && { file: file.sink.file }),
    ...(summed && { file: summed }),
    ...(statistics && { statistics }),
    ...(best && { examples: best.all }),
  }
}

/** Writes a whole file; returns it if it stays in memory. */
async function written(to: NonNullable<Read['to']>, file: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const sink = sinkFor(to, file.length, 0)
  try {
    await sink.write(0, file)
  } finally {
    await sink.close()
  }
  return sink.file
}

async function chosenOf({ connection }: Desk, prompts: readonly WirePrompt[], read: Read): Promise<Chosen[]> {
  const { addSpecial, parseSpecial, positions = 'all', tokens, signal } = read
  const tokenize = (prompt: WirePrompt, special: boolean) =>
    Array.isArray(prompt)
      ? Promise.resolve(prompt)
      : connection.call({ type: 'tokenize', prompt, addSpecial: special && addSpecial, parseSpecial }, { signal })
  const wanted = new Set<number>()
  for (const token of tokens) {
    if (typeof token === 'number') wanted.add(token)
    else {
      const ids = await tokenize(token, false)
      if (ids.length !== 1) throw refuse(`collect: tokens: no token has the text ${JSON.stringify(token)}`)
      wanted.add(ids[0]!)
    }
  }
  const pause = pausing(signal)
  const all: Chosen[] = []
  for (const [index, prompt] of prompts.entries()) {
    await pause()
    const ids = await tokenize(prompt, true)
    if (ids.length === 0) throw refuse(`collect: texts[${index}]: the text has no tokens`)
    const last = ids.length - 1
    const places =
      positions === 'all'
        ? [...ids.keys()]
        : positions === 'last'
          ? [last]
          : positions.map(place => (place < 0 ? ids.length + place : place))
    all.push({
      ids,
      positions: places.filter(place => place >= 0 && place <= last && (tokens.length === 0 || wanted.has(ids[place]!))),
    })
  }
  return all
}

/** A file that is being written. */
class Writing {
  /** The checksum of each tensor's bytes written so far. */
  readonly sums: number[]
  readonly sink: Sink
  readonly #layout
  readonly #tensors: readonly TensorPlan[]
  readonly #sumsNeeded: boolean

  private constructor(
    sink: Sink,
    layout: ReturnType<typeof layoutOf>,
    tensors: readonly TensorPlan[],
    sums: number[],
    sumsNeeded: boolean,
  ) {
    this.sink = sink
    this.#layout = layout
    this.#tensors = tensors
    this.sums = sums
    this.#sumsNeeded = sumsNeeded
  }

  static async begin(
    format: FileFormat,
    to: NonNullable<Read['to']>,
    { points, type, resume }: Read,
    widths: readonly number[],
    chosen: readonly Chosen[],
    rows: number,
  ): Promise<Writing> {
    const places: TensorPlan[] =
      format === 'npy' ? [] : ['text', 'position'].map(name => ({ name, type: 'int32' as const, shape: [rows] }))
    const tensors: TensorPlan[] = [...points.map((name, index) => ({ name, type, shape: [rows, widths[index]!] })), ...places]
    const layout = layoutOf(format, tensors)
    const before = chosen.slice(0, resume?.texts ?? 0).reduce((sum, { positions }) => sum + positions.length, 0)
    const isPlain = typeof to !== 'string' && to instanceof WritableStream && !('seek' in to)
    if (isPlain && tensors.length > (format === 'safetensors' ? 3 : 1))
      throw refuse('collect: to: a stream takes bytes in order: one point as npy or safetensors')
    if (isPlain && format === 'npz') throw refuse('collect: to: npz needs a file that can be written anywhere')
    const at = layout.starts[0]! + before * widths[0]! * (type === 'float16' ? 2 : 4)
    const sink = sinkFor(to, layout.bytes, resume ? at : 0)
    const writing = new Writing(
      sink,
      layout,
      tensors,
      resume?.sums?.slice() ?? tensors.map((_, index) => crcOf(layout.covered(index))),
      format === 'npz',
    )
    if (!resume) for (const { at, data } of layout.heads) await sink.write(at, data)
    writing.#places = chosen
    return writing
  }

  #places: readonly Chosen[] = []

  /** Writes rows of a point from row `first` on. */
  async rows(point: number, first: number, values: Float32Array): Promise<void> {
    const { type, shape } = this.#tensors[point]!
    const bytes = bytesOf(type, values)
    const size = type === 'float16' ? 2 : 4
    await this.#write(point, first * shape[1]! * size, bytes)
  }

  async #write(tensor: number, from: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#sumsNeeded) this.sums[tensor] = crcOf(bytes, this.sums[tensor])
    await this.sink.write(this.#layout.starts[tensor]! + from, bytes)
  }

  async end(): Promise<void> {
    const count = this.#tensors.findIndex(({ name }) => name === 'text')
    if (count >= 0) {
      const texts = this.#places.flatMap(({ positions }, text) => positions.map(() => text))
      const positions = this.#places.flatMap(({ positions }) => positions)
      for (const [index, values] of [texts, positions].entries()) await this.#write(count + index, 0, bytesOf('int32', values))
    }
    for (const { at, data } of this.#layout.end(this.sums)) await this.sink.write(at, data)
  }
}
