// A file that is downloaded into the store while it is read. The data of an earlier download is first verified with the journal's
// checksums; the download then resumes after the last verified byte.
import { HeedError } from '../wire/errors.js'
import { paddedTo } from '../wire/gguf.js'
import { Download, type DownloadOptions, type Identity, type Remote } from './download.js'
import type { Folder, StoreFile } from './folder.js'
import { GatheredFile } from './gathered-file.js'
import { checkLength, type Extent, readExtent, startsWell } from './extent.js'
import { mostPadding } from './gguf-header.js'
import { dataName, type Journal, type PartState } from './journal.js'
import { fileOfChunks, type ModelFile } from './model-file.js'
import { noSpace, notWritten, wrongFile, wrongSum } from './errors.js'
import type { ProgressReport } from './progress.js'
import { Changed } from './retry.js'
import type { Sha256 } from './sha256.js'

/** Progress is recorded after this many bytes or milliseconds; if a tab dies, at most this much is lost. */
const pointBytes = 1 << 20
const pointMs = 1_000
/** Bytes to request again when a download resumes, to compare them with the stored ones. */
const overlapBytes = 1 << 14
const checkBytes = 1 << 20

export interface StoringFileOptions {
  remote: Remote
  /** The expected SHA-256 in hexadecimal, if known. */
  expected?: string
  part: number
  state: PartState
  journal: Journal
  folder: Folder
  key: string
  hash: Sha256
  report: ProgressReport
  download: Omit<DownloadOptions, 'identity'>
  /** Called if the file can no longer be stored; throws if storing was the only purpose. */
  giveUp(error: unknown): void
  /** Resolves to an error if there is no space for `bytes` more. */
  lacksRoom(bytes: number): Promise<Error | undefined>
  /** Called for each chunk that arrives. */
  onBytes(): void
}

export class StoringFile implements ModelFile {
  readonly name: string
  readonly #options: StoringFileOptions
  readonly #hash: Sha256
  #file?: GatheredFile
  #download!: Download
  #cached = 0
  #written = 0
  #pointAt = 0
  #pointTime = -Infinity // the first bytes are recorded at once, so that the model is listed
  #chunk = new Uint8Array() // the last bytes before #written
  #overlap = 0 // number of bytes that arrive again, to be compared
  #hasBegun = false // whether the journal has a `begin` line
  #given = false // whether a caller has read any byte
  #hasRestarted = false
  #isEnded = false
  #hasRoom = false
  #bound?: number // the latest position at which the file may end
  #again?: ModelFile

  private constructor(options: StoringFileOptions, file: StoreFile) {
    this.name = options.remote.name
    this.#options = options
    this.#hash = options.hash
    this.#file = new GatheredFile(file)
  }

  /**
   * Opens a file to download what is missing. Fails as a download does. If the file has changed on the server, starts over with the
   * new file.
   */
  static async open(options: StoringFileOptions): Promise<StoringFile> {
    const data = await options.folder.open(dataName(options.key, options.part)).catch((error: Error) => {
      throw notWritten(error)
    })
    const file = new StoringFile(options, data)
    try {
      await file.#resume()
      return file
    } catch (error) {
      file.close()
      throw error
    }
  }

  get size(): number | undefined {
    if (this.#isEnded) return this.#written
    return this.#bound === undefined || this.#bound === Infinity ? this.#download.identity.size : this.#bound
  }

  get cached(): number {
    return this.#cached
  }

  /** Bytes available so far, stored or downloaded; bytes of the last chunk that lie after the end of the model do not count. */
  get written(): number {
    return Math.min(this.#written, this.#bound ?? Infinity)
  }

  async read(at: number, place: Uint8Array): Promise<number> {
    this.#given = true
    return this.#read(at, place)
  }

  async #read(at: number, place: Uint8Array): Promise<number> {
    for (;;) {
      const inChunk = at - (this.#written - this.#chunk.length)
      if (at < this.#written && inChunk >= 0) {
        const part = this.#chunk.subarray(inChunk, inChunk + place.length)
        place.set(part)
        return part.length
      }
      if (at < this.#written) return this.#readBack(at, place.subarray(0, this.#written - at))
      if (this.#isEnded) return 0
      await this.#pump()
    }
  }

  /** Downloads what is missing, verifies it, and records that the file is complete. */
  async complete(): Promise<void> {
    const { expected, remote, journal, part } = this.#options
    while (!this.#isEnded && this.#written < (await this.#findBound())) await this.#pump()
    if (!this.#isEnded) await this.#endAt(await this.#findBound())
    const sha256 = this.#hash.digest()
    try {
      if (remote.size !== undefined && remote.size !== this.#written) {
        throw wrongFile(`${this.name} has ${this.#written} bytes, but its listed size is ${remote.size}`)
      }
      if (expected !== undefined && expected !== sha256) throw wrongSum(this.name, sha256, expected)
      // If no checksum is known, the header tells whether the file is complete.
      if (expected === undefined && this.#file) checkLength(this.name, this.#written, await this.#extent())
    } catch (error) {
      this.#forget()
      throw error
    }
    this.#note()
    if (!this.#file) return
    this.#store(() => {
      this.#file!.flush()
      journal.write({ type: 'complete', part, at: { bytes: this.#written, sha256 } })
      journal.flush()
    })
  }

  close(): void {
    this.#download?.close()
    this.#again?.close()
    this.#note()
    this.#file?.close()
    this.#file = undefined
  }

  async #resume(): Promise<void> {
    const { state } = this.#options
    this.#store(() => {
      this.#check(this.#file!)
      this.#file!.truncate(this.#written)
    })
    if (!this.#file) {
      this.#written = 0
      this.#hash.restart()
    }
    this.#hasBegun = this.#written > 0
    this.#cached = this.#pointAt = this.#written
    this.#isEnded = this.#written > 0 && this.#written === (this.#options.remote.size ?? state.identity.size)
    this.#overlap = this.#isEnded ? 0 : Math.min(this.#written, overlapBytes)
    this.#start(this.#written - this.#overlap, this.#written > 0 ? state.identity : {})
    // Contacts the server before anything is read: the file may have changed.
    if (this.#written > 0 && !this.#isEnded) await this.#pump()
  }

  /** Verifies the stored bytes, up to the first wrong checksum. */
  #check(file: StoreFile): void {
    const {
      state: { points },
      report,
    } = this.#options
    const total = Math.min(points.at(-1)?.bytes ?? 0, file.size())
    const buffer = new Uint8Array(checkBytes)
    this.#hash.mark()
    let at = 0
    for (const { bytes, sha256 } of points) {
      if (bytes > total || bytes < at) break
      while (at < bytes) {
        const count = file.read(at, buffer.subarray(0, bytes - at))
        if (count === 0) break
        this.#hash.update(buffer.subarray(0, count))
        at += count
        report.update({ phase: 'check', loaded: at, total, cached: at })
      }
      if (this.#hash.digest() !== sha256) break
      this.#written = at
      this.#hash.mark()
    }
    this.#hash.back()
  }

  #start(at: number, identity: Identity): void {
    this.#download = new Download(this.#options.remote, at, { ...this.#options.download, identity })
  }

  async #pump(): Promise<void> {
    let chunk: Uint8Array | undefined
    try {
      chunk = this.#unchecked(await this.#download.next())
    } catch (error) {
      if (error instanceof Changed) return this.#restart(error)
      this.#note()
      throw error
    }
    if (!chunk) {
      this.#isEnded = true
      return
    }
    if (this.#written === 0 && !startsWell(chunk)) {
      throw wrongFile(`${this.#options.remote.url} is not a GGUF file`)
    }
    if (!this.#hasRoom) await this.#checkRoom()
    this.#hash.update(chunk)
    this.#store(() => this.#file!.write(this.#written, chunk))
    this.#chunk = chunk as Uint8Array<ArrayBuffer>
    this.#written += chunk.length
    const isNext = Math.floor(this.#written / pointBytes) > Math.floor(this.#pointAt / pointBytes)
    if (isNext || performance.now() - this.#pointTime >= pointMs) this.#note()
    this.#options.onBytes()
  }

  /** Checks that the file can grow to its final size, if that is known: browsers report more space than they grant. */
  async #checkRoom(): Promise<void> {
    const { size } = this.#download.identity
    if (size === undefined || !this.#file) return
    this.#hasRoom = true
    const needed = size - this.#written
    const error = await this.#options.lacksRoom(needed)
    this.#store(() => {
      if (error) throw error
      const room = roomIn(this.#file!, this.#written, needed)
      if (room < needed) throw noSpace(needed, room)
    })
  }

  /** The bytes of a chunk that are new. Throws Changed if its other bytes differ from the stored ones. */
  #unchecked(chunk?: Uint8Array): Uint8Array | undefined {
    const again = Math.min(this.#overlap, chunk?.length ?? 0)
    if (again === 0) return chunk
    const there = new Uint8Array(again)
    this.#store(() => this.#file!.read(this.#written - this.#overlap, there))
    this.#overlap -= again
    if (this.#file && there.some((byte, index) => byte !== chunk![index])) throw new Changed('the file has changed on the server')
    return chunk!.subarray(again)
  }

  /** Starts over after the file has changed. Throws if the old one was already read, or has changed before. */
  #restart(cause: Changed): void {
    const { url } = this.#options.remote
    const changed = new HeedError('network', `${url}: ${cause.message}`)
    this.#forget()
    if (this.#given || this.#hasRestarted) throw changed
    this.#hasRestarted = true
    this.#hash.restart()
    this.#cached = this.#overlap = 0
    this.#options.download.notice(`${this.name} has changed on the server; downloading it from the start`)
    this.#start(0, {})
  }

  /** Records in the journal how much of the file is written. */
  #note(): void {
    const { journal, part } = this.#options
    if (!this.#file || this.#written === this.#pointAt) return
    this.#store(() => {
      this.#file!.put()
      if (!this.#hasBegun) journal.write({ type: 'begin', part, identity: this.#download.identity })
      this.#hasBegun = true
      journal.write({ type: 'point', part, at: { bytes: this.#written, sha256: this.#hash.digest() } })
    })
    this.#pointAt = this.#written
    this.#pointTime = performance.now()
  }

  /** Discards the data of the file. */
  #forget(): void {
    const { journal, part } = this.#options
    this.#hasBegun = false
    this.#bound = undefined
    this.#written = this.#pointAt = 0
    this.#chunk = new Uint8Array()
    this.#store(() => {
      journal.write({ type: 'begin', part, identity: {} })
      this.#file!.truncate(0)
    })
  }

  /** Writes to the store; gives up storing if that fails. */
  #store(write: () => void): void {
    if (!this.#file) return
    try {
      write()
    } catch (error) {
      const file = this.#file
      this.#file = undefined
      try {
        file.truncate(0)
      } catch {}
      file.close()
      this.#options.giveUp(error)
    }
  }

  async #readBack(at: number, place: Uint8Array): Promise<number> {
    let count: number | undefined
    this.#store(() => {
      count = this.#file!.read(at, place)
    })
    if (count !== undefined) return count
    const { remote, download } = this.#options
    this.#again ??= fileOfChunks(this.name, from => new Download(remote, from, { ...download, identity: this.#download.identity }))
    return this.#again.read(at, place)
  }

  #extent(): Promise<Extent> {
    return readExtent({ name: this.name, read: (at, place) => this.#read(at, place), close() {} })
  }

  /**
   * The position at which to stop reading, because a server may send without end: the end that the header states. Infinity if the
   * download ends by itself, at a listed size or at an announced size close to the header's. Throws `unsupported` if neither is
   * known.
   */
  async #findBound(): Promise<number> {
    if (this.#options.remote.size !== undefined) return Infinity // the download ends at the listed size by itself
    if (this.#bound !== undefined) return this.#bound
    const { end, alignment } = await this.#extent().catch(error => {
      if (error.code === 'invalid-file') this.#forget()
      throw error
    })
    const announced = this.#download.identity.size
    if (end === undefined && announced === undefined) {
      this.#forget()
      throw new HeedError('unsupported', `${this.name} has tensors of an unknown type, and its server does not announce its length`)
    }
    const isPlausible = announced !== undefined && (end === undefined || announced <= end + mostPadding)
    return (this.#bound = isPlausible ? Infinity : paddedTo(end!, alignment))
  }

  /** Ends a download whose server sends more, and discards the bytes after the end. */
  async #endAt(end: number): Promise<void> {
    this.#download.close()
    this.#isEnded = true
    if (this.#written === end) return
    if (!this.#file) {
      if (this.#options.expected) throw wrongFile(`${this.name} does not end after its ${end} bytes`)
      return
    }
    this.#hash.restart()
    const buffer = new Uint8Array(checkBytes)
    this.#store(() => {
      for (let at = 0, count: number; at < end; at += count) {
        count = this.#file!.read(at, buffer.subarray(0, end - at))
        if (count === 0) throw new Error(`the file ends after ${at} bytes`)
        this.#hash.update(buffer.subarray(0, count))
      }
      this.#file!.truncate(end)
    })
    this.#written = end
    this.#chunk = new Uint8Array()
    this.#pointAt = Math.min(this.#pointAt, end)
  }
}

/** The number of bytes, at most `wanted`, by which a file can grow, exact to a megabyte. */
function roomIn(file: StoreFile, from: number, wanted: number): number {
  const fits = (bytes: number) => {
    try {
      file.truncate(from + bytes)
      return true
    } catch {
      return false
    } finally {
      file.truncate(from)
    }
  }
  if (fits(wanted)) return wanted
  let room = 0
  for (let step = wanted; step > 1e6; step /= 2) if (fits(Math.floor(room + step / 2))) room = Math.floor(room + step / 2)
  return room
}
