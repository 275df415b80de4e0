// Answers that are being written, as files: the call, then each token, line by line. A line ends with a hash of all before it, so that
// what was cut off or damaged is not read. A file whose writer is gone is an unfinished answer.
import type { HeldLock, StoreFile, StorePlace } from '../../store/folder.js'
import type { Outline } from '../../wire/constraint.js'
import type { WritingParameters } from '../../wire/protocol.js'

const ending = '.answer'
const everyMs = 50

/** The call that an answer belongs to. */
export interface Asked {
  /** The tokens of the whole text before the answer. */
  readonly prompt: readonly number[]
  readonly options: WritingParameters
  readonly constraint?: Outline
  /** The time at which the call began, in milliseconds. */
  readonly startedAt: number
}

interface Answer extends Asked {
  readonly name: string
  readonly written: readonly number[]
}

/** 32-bit FNV-1a, continued from the hash `from` of the text before. */
function hash(text: string, from: number): number {
  let value = from
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
const noHash = 0x811c9dc5

const encoder = new TextEncoder()

/** JSON has no infinities, but biases of tokens may be infinite. */
const toJson = (asked: Asked) =>
  JSON.stringify(asked, (_, value: unknown) =>
    value === -Infinity ? { infinite: -1 } : value === Infinity ? { infinite: 1 } : value,
  )
const fromJson = (text: string): Asked =>
  JSON.parse(text, (_, value) => (typeof value?.infinite === 'number' ? value.infinite * Infinity : value))

/** The call as text, without its time: equal calls have equal texts. */
export const textOf = ({ prompt, options, constraint }: Asked) => toJson({ prompt, options, constraint, startedAt: 0 })

/** A file that is being written. */
export class AnswerFile {
  readonly #file: StoreFile
  #end = 0
  #hash = noHash

  constructor(file: StoreFile, asked: Asked) {
    this.#file = file
    this.#line(toJson(asked))
  }

  token(id: number): void {
    this.#line(String(id))
  }

  close(): void {
    this.#file.close()
  }

  /** Writes a line. Errors are ignored: if the disk fails, the answer is just not kept. */
  #line(text: string): void {
    this.#hash = hash(`${text}\n`, this.#hash)
    const bytes = encoder.encode(`${text} ${this.#hash.toString(36)}\n`)
    try {
      this.#file.write(this.#end, bytes)
      this.#end += bytes.length
    } catch {}
  }
}

/** The call that a line holds; undefined if it holds none. */
function askedIn(line: string): Asked | undefined {
  try {
    const asked = fromJson(line)
    if (asked.prompt.every(Number.isSafeInteger) && asked.options instanceof Object) return asked
  } catch {}
  return undefined
}

/** The call, and the tokens up to the first damaged line; undefined if the call itself is damaged. */
function parse(text: string): { asked: Asked; written: number[] } | undefined {
  let sum = noHash
  const lines: string[] = []
  for (const line of text.split('\n').slice(0, -1)) {
    const cut = line.lastIndexOf(' ')
    const content = line.slice(0, cut)
    sum = hash(`${content}\n`, sum)
    if (content === '' || line.slice(cut + 1) !== sum.toString(36)) break
    lines.push(content)
  }
  const [first, ...tokens] = lines
  const asked = first === undefined ? undefined : askedIn(first)
  const written = tokens.map(Number)
  return asked && written.every(Number.isSafeInteger) ? { asked, written } : undefined
}

export class KeptAnswers {
  readonly #place: StorePlace
  readonly #key: string
  /** Names the files of this engine, and its lock. */
  readonly #own = crypto.randomUUID()
  #held?: Promise<HeldLock | undefined>
  #last = 0
  /** Writers that were still running after a wait; they are not waited for again. */
  readonly #alive = new Set<string>()

  constructor(place: StorePlace, key: string) {
    this.#place = place
    this.#key = key
  }

  /** Begins a file. */
  async begin(asked: Asked): Promise<{ name: string; file: AnswerFile }> {
    await (this.#held ??= this.#place.locks.tryAcquire(this.#own))
    const name = `${this.#key}-${this.#own}-${++this.#last}${ending}`
    return { name, file: new AnswerFile(await this.#place.folder.open(name), asked) }
  }

  /**
   * The answers whose writers have ended, or end within `patience` ms, oldest first. Of several attempts at one answer, only the
   * longest is returned; the others are removed.
   */
  async unfinished(patience = 0): Promise<Answer[]> {
    const found = new Map<string, Answer>()
    for (const name of await this.#place.folder.names()) {
      if (!name.startsWith(`${this.#key}-`) || !name.endsWith(ending) || (await this.#isBeingWritten(name, patience))) continue
      const one = parse((await this.#place.folder.text(name)) ?? '')
      if (!one) {
        await this.remove(name)
        continue
      }
      const what = textOf(one.asked)
      const other = found.get(what)
      const better = other && other.written.length >= one.written.length ? other : { ...one.asked, written: one.written, name }
      if (other) await this.remove(better === other ? name : other.name)
      found.set(what, better)
    }
    return [...found.values()].sort((a, b) => a.startedAt - b.startedAt)
  }

  async remove(name: string): Promise<void> {
    await this.#place.folder.remove(name).catch(() => {}) // fails if another tab reads it
  }

  /** Releases the lock of this engine's files. */
  async close(): Promise<void> {
    ;(await this.#held)?.release()
  }

  /** Waits up to `patience` ms for the writer to end: the tab of a page that was just reloaded holds its lock a little longer. */
  async #isBeingWritten(name: string, patience: number): Promise<boolean> {
    const writer = name.slice(this.#key.length + 1).slice(0, this.#own.length)
    if (writer === this.#own) return true
    if (this.#alive.has(writer)) return !(await this.#isFree(writer))
    for (let waited = 0; !(await this.#isFree(writer)); waited += everyMs) {
      if (waited >= patience) {
        if (patience > 0) this.#alive.add(writer)
        return true
      }
      await new Promise(resolve => setTimeout(resolve, everyMs))
    }
    return false
  }

  async #isFree(writer: string): Promise<boolean> {
    const held = await this.#place.locks.tryAcquire(writer)
    held?.release()
    return held !== undefined
  }
}
