// The store's record of a model: a log of lines, each with a checksum. If a tab dies, its last line may be torn. Torn lines are
// skipped; the others are trusted only after the files have been checked.
import type { Folder, StoreFile } from './folder.js'
import { type Identity, type Line, type PartRecord, type Point, readLine, type SourceRecord, written } from './journal-lines.js'

export interface PartState extends PartRecord {
  identity: Identity
  points: Point[]
}

export interface ModelState {
  record: SourceRecord
  name: string
  parts: PartState[]
  /** Absent or 1. The number is part of file names, so that an import can be written beside the model that it replaces. */
  copy?: number
  lastUsed: number
}

/** The state that a journal describes; undefined if it has no record, or another version. */
function readJournal(text: string): ModelState | undefined {
  let state: ModelState | undefined
  for (const piece of text.split('\n')) {
    const line = readLine(piece)
    if (line?.type === 'model') {
      if (line.version !== 1) return undefined
      const { record, name, parts, copy } = line
      state = {
        record,
        name,
        parts: parts.map(part => ({ ...part, identity: {}, points: [] })),
        copy,
        lastUsed: state?.lastUsed ?? 0,
      }
    } else if (state && line) apply(state, line)
  }
  return state
}

function apply(state: ModelState, line: Exclude<Line, { type: 'model' }>): void {
  if (line.type === 'used') {
    state.lastUsed = Math.max(state.lastUsed, line.time)
    return
  }
  const part = state.parts[line.part]
  if (!part) return
  if (line.type === 'begin') Object.assign(part, { identity: line.identity, points: [], complete: undefined })
  else if (line.type === 'point') part.points.push(line.at)
  else part.complete = line.at
}

const journalName = (key: string) => `${key}.journal`
const suffix = '.journal'
export const dataName = (key: string, part: number, copy = 0) => `${key}.${part}${copy ? `.${copy}` : ''}.gguf`

export async function loadState(folder: Folder, key: string): Promise<ModelState | undefined> {
  return readJournal((await folder.text(journalName(key))) ?? '')
}

/** Whether all files are complete, by their sizes. */
export async function isComplete(folder: Folder, key: string, state: ModelState): Promise<boolean> {
  for (const [index, { complete }] of state.parts.entries()) {
    if (!complete || (await folder.size(dataName(key, index, state.copy))) !== complete.bytes) return false
  }
  return true
}

const namePattern = /^([\da-f]{32})\.(?:journal|\d+(?:\.1)?\.gguf)$/

/** The key in the name of a store's file; undefined for other files, which users may have put into the folder. */
const keyIn = (name: string) => namePattern.exec(name)?.[1]

export const filesOf = async (folder: Folder, key: string) => (await folder.names()).filter(name => keyIn(name) === key)

/** The names of the files of each key, with and without a journal. The folder is read once, however many models there are. */
export async function filesByKey(folder: Folder): Promise<Map<string, string[]>> {
  const files = new Map<string, string[]>()
  for (const name of await folder.names()) {
    const key = keyIn(name)
    if (!key) continue
    const names = files.get(key)
    if (names) names.push(name)
    else files.set(key, [name])
  }
  return files
}

/** The bytes of a model's files, including remains of an interrupted import. */
export async function bytesOf(folder: Folder, names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(names.filter(name => !name.endsWith(suffix)).map(name => folder.size(name)))
  return sizes.reduce<number>((sum, size = 0) => sum + size, 0)
}

/** Removes a model's files, the journal last: if the tab dies in between, the remaining files are still listed. */
export async function removeModel(folder: Folder, key: string, files?: readonly string[]): Promise<void> {
  const names = files ?? (await filesOf(folder, key))
  for (const name of names) if (name !== journalName(key)) await folder.remove(name)
  if (names.includes(journalName(key))) await folder.remove(journalName(key))
}

/** Removes the files that a model no longer uses: those of its other copy. */
export async function removeOtherCopy(
  folder: Folder,
  key: string,
  { parts, copy }: { parts: readonly PartRecord[]; copy?: number },
): Promise<void> {
  const own = new Set([journalName(key), ...parts.map((_, part) => dataName(key, part, copy))])
  for (const name of await filesOf(folder, key)) if (!own.has(name)) await folder.remove(name)
}

/** The key of a model, which the names of its files start with. */
export async function keyOf({ source, revision, endpoint }: SourceRecord): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify([source, revision, endpoint]))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return Array.from(digest.subarray(0, 16), byte => byte.toString(16).padStart(2, '0')).join('')
}

const mostBytes = 1 << 18

/** A journal that is open for writing. The caller must hold the model's lock. */
export class Journal {
  readonly #file: StoreFile
  #end: number

  private constructor(file: StoreFile) {
    this.#file = file
    this.#end = file.size()
  }

  static async open(folder: Folder, key: string): Promise<Journal> {
    const journal = new Journal(await folder.open(journalName(key)))
    // A torn line at the end must not corrupt the next one.
    if (journal.#end > 0) journal.#put('\n')
    return journal
  }

  /** Adds lines, in one write. */
  write(...lines: Line[]): void {
    this.#put(lines.map(written).join(''))
  }

  /** Compacts a journal that has grown large. */
  rewrite(state: ModelState): void {
    if (this.#end < mostBytes) return
    const { record, name, copy, lastUsed } = state
    const parts = state.parts.map(({ name, size, sha256 }) => ({ name, size, sha256 }))
    const lines: Line[] = [
      { type: 'model', version: 1, record, name, parts, copy },
      { type: 'used', time: lastUsed },
    ]
    state.parts.forEach(({ identity, points, complete }, part) => {
      lines.push({ type: 'begin', part, identity })
      if (complete) lines.push({ type: 'complete', part, at: complete })
      else for (const at of thinned(points)) lines.push({ type: 'point', part, at })
    })
    const text = new TextEncoder().encode(lines.map(written).join(''))
    this.#file.write(0, text)
    this.#file.truncate((this.#end = text.length))
  }

  flush(): void {
    this.#file.flush()
  }

  close(): void {
    this.#file.close()
  }

  #put(text: string): void {
    const bytes = new TextEncoder().encode(text)
    this.#file.write(this.#end, bytes)
    this.#end += bytes.length
  }
}

const keptPoints = 64

/** A sample of the points, including the last. */
const thinned = (points: readonly Point[]) =>
  points.filter((_, index) => index === points.length - 1 || index % Math.ceil(points.length / keptPoints) === 0)
