// Texts that a model has read, as files of the store: each has the time of its last use, then a saved session. A file never changes
// except for that time, and the engine checks it before use: one that is damaged, or of another model, is ignored.
import type { Folder } from '../../store/folder.js'
import { readBytes } from '../../store/model-file.js'
import { HeedError } from '../../wire/errors.js'
import type { Engine } from '../engine.js'

const ending = '.text'
/** The time of the last use: a float64, in milliseconds. */
const timeBytes = 8
/** Header in src/runtime/session.cpp. */
const headerBytes = 32
const [atKvType, atTokens, atRead] = [12, 24, 28]
const pieceBytes = 4 << 20
/** Processing fewer tokens than this is as fast as reading a file. */
const fewestTokens = 32
/** A kept text is read only if at least this share of it is the common prefix; below that, processing tokens is faster. */
const leastShare = 1 / 32
/** A text is kept only if at least this share of it is not kept yet. */
const leastGrowth = 1 / 8

interface KeptText {
  readonly name: string
  readonly bytes: number
  /** The text's tokens; empty for texts of other models. */
  readonly tokens: Int32Array
  usedAt: number
}

export const commonLength = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a[length] === b[length]) length++
  return length
}

const inHex = (bytes: Uint8Array) => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

/** The key of a model's texts: the type of the cache and the fingerprint of the file. */
export function keyOf(engine: Engine): string {
  const session = engine.createSession()
  try {
    return inHex(engine.saveSession(session).subarray(atKvType, atTokens))
  } finally {
    engine.freeSession(session)
  }
}

export class KeptTexts {
  readonly #engine: Engine
  readonly #contextLength: number
  readonly #folder: Folder
  readonly #key: string
  readonly #mostBytes: number
  readonly #rest: () => Promise<void>
  readonly #known = new Map<string, KeptText>()

  /** `rest` lets messages in between parts of a large file. */
  constructor(engine: Engine, folder: Folder, key: string, mostBytes: number, rest: () => Promise<void>) {
    this.#engine = engine
    this.#contextLength = engine.info().contextLength
    this.#folder = folder
    this.#key = key
    this.#mostBytes = mostBytes
    this.#rest = rest
  }

  /**
   * Gives the engine the kept text that has the longest common prefix with `ids`, unless the engine's cache has about as many of
   * these tokens.
   */
  async restore(ids: readonly number[]): Promise<void> {
    await this.#refresh()
    const found = [...this.#known.values()]
      .map(text => ({ text, common: commonLength(ids, text.tokens) }))
      .filter(({ text: { tokens }, common }) => tokens.length <= this.#contextLength && common >= tokens.length * leastShare)
      .sort((a, b) => b.common - a.common)
    for (const { text, common } of found) {
      if (common < this.#atHand(ids) + fewestTokens) return
      if (await this.#use(text)) return
    }
  }

  /** Keeps the text of a session, unless most of it is kept already. */
  async save(session: number): Promise<void> {
    const engine = this.#engine
    const tokens = engine.sessionTokens(session).slice()
    const kept = Math.max(0, ...[...this.#known.values()].map(text => commonLength(tokens, text.tokens)))
    if (tokens.length - kept < Math.max(fewestTokens, tokens.length * leastGrowth)) return
    try {
      await this.#write(engine.saveSession(session))
    } catch (error) {
      if (!isPassing(error)) throw error
    }
  }

  /** The number of leading tokens of `ids` that the engine has in its cache. */
  #atHand(ids: readonly number[]): number {
    const run = this.#engine.read()
    try {
      return run.reuse(ids, ids.length)
    } finally {
      run.delete()
    }
  }

  /** Reads the heads of files that other tabs have written. */
  async #refresh(): Promise<void> {
    const names = (await this.#folder.names()).filter(name => name.endsWith(ending))
    for (const name of this.#known.keys()) if (!names.includes(name)) this.#known.delete(name)
    for (const name of names) {
      if (this.#known.has(name)) continue
      const text = await this.#headOf(name).catch(() => undefined) // another tab writes or removes it
      if (text) this.#known.set(name, text)
      else await this.#drop(name)
    }
  }

  /** Undefined for a damaged file. */
  async #headOf(name: string): Promise<KeptText | undefined> {
    const bytes = (await this.#folder.size(name)) ?? 0
    const reader = await this.#folder.reader(name)
    try {
      const file = { ...reader, name }
      const head = await readBytes(file, 0, timeBytes + headerBytes)
      if (head.length < timeBytes + headerBytes) return undefined
      const view = new DataView(head.buffer)
      const usedAt = view.getFloat64(0, true)
      if (inHex(head.subarray(timeBytes + atKvType, timeBytes + atTokens)) !== this.#key)
        return { name, bytes, tokens: new Int32Array(), usedAt }
      const read = view.getUint32(timeBytes + atRead, true)
      if (head.length + read * 4 > bytes) return undefined
      const tokens = await readBytes(file, head.length, read * 4)
      return tokens.length < read * 4 ? undefined : { name, bytes, tokens: new Int32Array(tokens.buffer), usedAt }
    } finally {
      reader.close()
    }
  }

  /** Restores a text into the engine's cache of prefixes. Returns false, and removes the file, if it is damaged. */
  async #use(text: KeptText): Promise<boolean> {
    try {
      const saved = await this.#read(text)
      if (!saved) return false
      this.#engine.freeSession(this.#engine.restoreSession(saved))
    } catch (error) {
      const { code } = HeedError.from(error)
      if (code === 'invalid-argument') await this.#drop(text.name)
      else if (!isPassing(error)) throw error
      return false
    }
    await this.#touch(text)
    return true
  }

  async #read({ name, bytes }: KeptText): Promise<Uint8Array | undefined> {
    const reader = await this.#folder.reader(name)
    try {
      const saved = new Uint8Array(bytes - timeBytes)
      for (let at = 0; at < saved.length; await this.#rest()) {
        const count = await reader.read(timeBytes + at, saved.subarray(at, at + pieceBytes))
        if (count === 0) return undefined
        at += count
      }
      return saved
    } finally {
      reader.close()
    }
  }

  async #touch(text: KeptText): Promise<void> {
    text.usedAt = Date.now()
    try {
      const file = await this.#folder.open(text.name)
      file.write(0, timeOf(text.usedAt))
      file.close()
    } catch {} // another tab reads it
  }

  /** Removes the least recently used files to make room, writes a new one, then removes those whose text it contains. */
  async #write(saved: Uint8Array): Promise<void> {
    const usedAt = Date.now()
    const name = `${this.#key}-${crypto.randomUUID()}${ending}`
    if (saved.length > this.#mostBytes) return
    await this.#makeRoom(saved.length)
    const file = await this.#folder.open(name)
    try {
      file.write(0, timeOf(usedAt))
      for (let at = 0; at < saved.length; at += pieceBytes) {
        file.write(timeBytes + at, saved.subarray(at, at + pieceBytes))
        await this.#rest()
      }
      file.flush()
    } catch (error) {
      file.close()
      await this.#drop(name)
      throw error
    }
    file.close()
    const text = (await this.#headOf(name))!
    for (const { name: old, tokens } of [...this.#known.values()]) {
      if (tokens.length > 0 && commonLength(tokens, text.tokens) === tokens.length) await this.#drop(old)
    }
    this.#known.set(name, text)
  }

  async #makeRoom(needed: number): Promise<void> {
    const oldest = [...this.#known.values()].sort((a, b) => a.usedAt - b.usedAt)
    let bytes = oldest.reduce((sum, text) => sum + text.bytes, needed)
    for (const text of oldest) {
      if (bytes <= this.#mostBytes) return
      await this.#drop(text.name)
      bytes -= text.bytes
    }
  }

  async #drop(name: string): Promise<void> {
    this.#known.delete(name)
    await this.#folder.remove(name).catch(() => {}) // another tab reads it
  }
}

const timeOf = (time: number): Uint8Array => new Uint8Array(new Float64Array([time]).buffer)

/** Whether an error only means that the text is not kept: no memory or space, or another tab uses the file. */
const isPassing = (error: unknown) => HeedError.from(error).code !== 'crashed'
