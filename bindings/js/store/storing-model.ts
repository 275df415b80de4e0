// A model that is downloaded into the store while it is read. It holds the model's lock.
import { HeedError, type HeedErrorCode } from '../wire/errors.js'
import { probeBytes } from './download.js'
import { noSpace, notWritten } from './errors.js'
import type { HeldLock, StorePlace } from './folder.js'
import type { HubEntry } from './hub.js'
import { joinParts } from './joined.js'
import { dataName, Journal, loadState, type ModelState, removeModel } from './journal.js'
import type { ModelFile } from './model-file.js'
import type { StoreRequest } from './store-request.js'
import { splitName } from './split-name.js'
import { openStoredPart } from './stored-file.js'
import { StoringFile } from './storing-file.js'

/** The sum of sizes; undefined if any of them is undefined. */
const sumOf = (sizes: readonly (number | undefined)[]) =>
  sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0)

export class StoringModel implements ModelFile {
  readonly name: string
  readonly #request: StoreRequest
  readonly #place: StorePlace
  readonly #key: string
  readonly #held: HeldLock
  readonly #found: readonly HubEntry[]
  readonly #state: ModelState
  readonly #journal: Journal
  readonly #files: ModelFile[] = []
  #file?: ModelFile // the model as one file, once its parts are open
  #isStorable = true
  #isClosed = false

  private constructor(
    request: StoreRequest,
    place: StorePlace,
    key: string,
    held: HeldLock,
    found: readonly HubEntry[],
    state: ModelState,
    journal: Journal,
  ) {
    this.#request = request
    this.#place = place
    this.#key = key
    this.#held = held
    this.#found = found
    this.#state = state
    this.#journal = journal
    this.name = state.name
  }

  /** Opens all parts: complete ones from the store, the others as downloads. */
  static async open(request: StoreRequest, place: StorePlace, key: string, held: HeldLock): Promise<ModelFile> {
    const found = await request.find()
    await checkRoom(place, key, found)
    const { state, journal } = await begin(request, place, key, found)
    const storing = new StoringModel(request, place, key, held, found, state, journal)
    try {
      await storing.#open()
      return storing
    } catch (error) {
      storing.#closeFiles()
      await storing.#tidy()
      throw error
    }
  }

  get size(): number | undefined {
    return this.#file!.size
  }

  get cached(): number {
    return this.#file!.cached ?? this.#file!.size ?? 0
  }

  get #isWhole(): boolean {
    return this.#files.every(file => !(file instanceof StoringFile) || file.written === file.size)
  }

  read(at: number, place: Uint8Array): number | Promise<number> {
    return this.#file!.read(at, place)
  }

  async complete(): Promise<void> {
    for (const file of this.#files) if (file instanceof StoringFile) await file.complete()
  }

  async reject(code: HeedErrorCode): Promise<void> {
    // The stored model may fit on another machine, or with other options.
    if (code === 'out-of-memory' && (this.cached > 0 || this.#isWhole)) return this.close()
    const state = await loadState(this.#place.folder, this.#key)
    const isWhatTheHubHas = state?.parts.every(({ complete, sha256 }) => complete && sha256)
    this.#closeFiles()
    if (code !== 'invalid-file' || !isWhatTheHubHas) await removeModel(this.#place.folder, this.#key).catch(() => {})
    this.#held.release()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#closeFiles()
    await this.#tidy().finally(() => this.#held.release())
  }

  /** Deletes the model if it cannot be stored, or has no data yet. */
  async #tidy(): Promise<void> {
    const { folder } = this.#place
    const sizes = await Promise.all(this.#found.map((_, part) => folder.size(dataName(this.#key, part))))
    if (!this.#isStorable || sizes.every(size => !size)) await removeModel(folder, this.#key).catch(() => {})
  }

  #closeFiles(): void {
    this.#isClosed = true
    for (const file of this.#files) file.close()
    this.#journal.close()
  }

  async #open(): Promise<void> {
    for (const part of this.#found.keys()) this.#files.push(await this.#openPart(part))
    this.#file = this.#files.length === 1 ? this.#files[0]! : await this.#join()
  }

  /** Joins the parts once their headers have arrived. Parts that do not form a model are not stored. */
  async #join(): Promise<ModelFile> {
    try {
      return await joinParts(this.#files)
    } catch (error) {
      if (error instanceof HeedError && error.code === 'invalid-file') this.#isStorable = false
      throw error
    }
  }

  #giveUp(error: unknown): void {
    this.#isStorable = false
    this.#request.giveUp(notWritten(error))
  }

  async #openPart(part: number): Promise<ModelFile> {
    const { folder } = this.#place
    const { report, integrity, stallMs, access } = this.#request
    const remote = this.#found[part]!
    let state = this.#state.parts[part]!
    const expected = integrity?.[part] ?? remote.sha256
    const { complete } = state
    if (
      complete &&
      (!expected || complete.sha256 === expected) &&
      (await folder.size(dataName(this.#key, part))) === complete.bytes
    ) {
      return openStoredPart(folder, this.#key, this.#state, part)
    }
    if (complete && expected && complete.sha256 !== expected) state = { ...state, identity: {}, points: [] } // a different file
    return StoringFile.open({
      remote,
      expected,
      part,
      state,
      journal: this.#journal,
      folder,
      key: this.#key,
      report,
      hash: await access.sha256(),
      giveUp: error => this.#giveUp(error),
      lacksRoom: bytes => lacksRoom(this.#place, bytes),
      download: {
        stallMs,
        ranged: true,
        probeBytes: part > 0 ? probeBytes : undefined,
        notice: text => report.update({ notice: text }),
      },
      onBytes: () => this.#tell(),
    })
  }

  /** Reports progress to those who wait for the lock, and to the caller if nothing reads the model. */
  #tell(): void {
    const there = sumOf(this.#files.map(file => (file instanceof StoringFile ? file.written : file.size))) ?? 0
    const sizes = this.#found.map(({ size }, part) => size ?? this.#files[part]?.size)
    const progress = { loaded: there, total: sumOf(sizes) }
    this.#held.tell(progress)
    const cached = sumOf(this.#files.map(file => file.cached ?? file.size)) ?? 0
    if (this.#request.isForLater && this.#file) this.#request.report.update({ phase: 'download', ...progress, cached })
  }
}

async function lacksRoom({ folder }: StorePlace, needed: number): Promise<HeedError | undefined> {
  const { free } = await folder.space()
  return free !== undefined && free < needed ? noSpace(needed, free) : undefined
}

/** Checks for free space before the download, if the hub lists the sizes. Throws `out-of-space`. */
async function checkRoom(place: StorePlace, key: string, found: readonly HubEntry[]): Promise<void> {
  const total = sumOf(found.map(({ size }) => size))
  if (total === undefined) return
  const there = await Promise.all(found.map((_, part) => place.folder.size(dataName(key, part))))
  const error = await lacksRoom(place, total - there.reduce((sum: number, size) => sum + (size ?? 0), 0))
  if (error) throw error
}

/** Loads the state of a model and opens its journal; starts over if other files are stored. */
async function begin(
  { record, integrity, report }: StoreRequest,
  { folder }: StorePlace,
  key: string,
  found: readonly HubEntry[],
): Promise<{ state: ModelState; journal: Journal }> {
  const old = await loadState(folder, key)
  const parts = found.map(({ name, size, sha256 }, part) => ({ name, size, sha256: integrity?.[part] ?? sha256 }))
  const isSame =
    old?.parts.length === parts.length &&
    parts.every((part, index) => {
      const { name, size = part.size, sha256 = part.sha256 } = old.parts[index]!
      return name === part.name && size === part.size && sha256 === part.sha256
    })
  if (old && !isSame) {
    report.update({ notice: `${old.name}: the stored file is a different one; downloading it from the start` })
    await removeModel(folder, key)
  }
  const journal = await Journal.open(folder, key).catch((error: Error) => {
    throw notWritten(error)
  })
  const name = splitName(parts[0]!.name)?.title ?? parts[0]!.name
  const state =
    old && isSame ? old : { record, name, lastUsed: 0, parts: parts.map(part => ({ ...part, identity: {}, points: [] })) }
  try {
    if (state === old) journal.rewrite(state)
    else journal.write({ type: 'model', version: 1, record, name, parts })
    journal.write({ type: 'used', time: Date.now() })
  } catch (error) {
    journal.close()
    throw notWritten(error)
  }
  return { state, journal }
}
