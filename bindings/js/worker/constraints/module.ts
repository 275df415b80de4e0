// The WebAssembly module for constraints (bindings/constraints/module.cpp), with results and errors as JavaScript values.
import { decoded } from '../../platform/decoded.js'
import type { ConstraintInfo, Outline } from '../../wire/constraint.js'
import { HeedError, type HeedErrorCode } from '../../wire/errors.js'
import type { ConstrainedText } from '../engine.js'

interface Exports {
  memory: WebAssembly.Memory
  _initialize(): void
  input(size: number): number
  output(): number
  outputSize(): number
  setVocabulary(count: number): number
  make(): number
  drop(constraint: number): void
  beginCompare(constraint: number): number
  compare(comparison: number): number
  endCompare(comparison: number): void
  begin(constraint: number): number
  end(text: number): void
  prepare(text: number, firstAttempt: number): number
  mask(text: number): number
  accept(text: number, token: number): number
  finished(text: number): number
  forced(text: number, limit: number): number
}

/** Refusal in src/grammar/refusal.hpp, or `memory`: not enough memory. */
interface Refusal {
  code: 'unsupported' | 'invalid' | 'unsatisfiable' | 'too-large' | 'memory'
  keyword: string
  path: string
  message: string
}

/** The most bytes of `forced`: more than one pass of the model can speculate on. */
const mostForced = 256
const utf8 = new TextEncoder()
const failed = 'the constraint failed'
/** The result of a function that must be called again. */
const paused = -1

/**
 * The most milliseconds of work in one call. The limit of steps (src/grammar/budget.hpp), equal on all machines, is usually met
 * first.
 */
const mostWork = 10_000
/** Milliseconds of work before the first pause. Each further slice is four times as long, because a pause discards some work. */
const firstSlice = 40

/** Called between slices of work, so that the worker can handle messages. Throws to cancel the work. */
export type Rest = () => Promise<void>

export class ConstraintModule {
  /** Whether the module has trapped and must be replaced. */
  broken = false
  readonly #isInterrupted: () => boolean
  /** The time at which the current call has to pause; Infinity if it cannot pause. */
  #pauseAt = Infinity
  #endAt = Infinity
  readonly #exports: Exports
  /** The number of 32-bit words in a mask. */
  readonly #words: number

  /**
   * `texts`: `Engine.tokenTexts()`, for `count` tokens. `isInterrupted`: whether messages are waiting. Throws `out-of-memory` or
   * `unsupported`.
   */
  constructor(compiled: WebAssembly.Module, texts: Uint8Array, count: number, isInterrupted = () => false) {
    this.#isInterrupted = isInterrupted
    const environment = { emscripten_notify_memory_growth() {}, pause: () => this.#pause() }
    this.#exports = this.#guarded(new WebAssembly.Instance(compiled, { env: environment }).exports)
    this.#exports._initialize()
    this.#words = 2 * Math.ceil(count / 64)
    this.#put(texts)
    this.#checked(this.#exports.setVocabulary(count))
  }

  /** Compiles a constraint. Throws `invalid-argument` or `unsupported`, with the keyword and its position in the message. */
  async make(outline: Outline, rest: Rest): Promise<ConstraintInfo & { constraint: number }> {
    const bytes = utf8.encode(JSON.stringify(outline))
    const constraint = await this.#inSlices(() => {
      this.#put(bytes)
      return this.#exports.make()
    }, rest)
    return { constraint, ...(JSON.parse(this.#output()) as ConstraintInfo) }
  }

  drop(constraint: number): void {
    this.#exports.drop(constraint)
  }

  /** Whether a text matches the constraint. */
  async accepts(constraint: number, text: string, rest: Rest): Promise<boolean> {
    const bytes = utf8.encode(text)
    const comparison = await this.#inSlices(() => {
      this.#put(bytes)
      return this.#exports.beginCompare(constraint)
    }, rest)
    try {
      return (await this.#inSlices(() => this.#exports.compare(comparison), rest, bytes.length)) === 1
    } finally {
      this.#exports.endCompare(comparison)
    }
  }

  /** Begins a text. The constraint may be dropped before the text ends. */
  async begin(constraint: number, rest: Rest): Promise<ConstrainedText> {
    const { mask, accept, finished, forced, end, prepare } = this.#exports
    const text = await this.#inSlices(() => this.#exports.begin(constraint), rest)
    /** Calls a function during a pass of the engine, without pauses. Null if it fails; `failure` then says why. */
    const unpaused = <Result>(call: () => number, read: (result: number) => Result): Result | null => {
      this.#pauseAt = Infinity
      this.#endAt = performance.now() + mostWork
      const result = began.failure ? 0 : call()
      if (result !== 0) return read(result)
      began.failure ||= this.broken ? failed : messageOf(this.#refusal())
      return null
    }
    const began: ConstrainedText = {
      failure: '',
      prepare: async rest => {
        let firstAttempt = 1
        await this.#inSlices(() => {
          const result = prepare(text, firstAttempt)
          firstAttempt = 0
          return result
        }, rest).catch(({ code, message }: HeedError) => {
          if (code !== 'aborted') began.failure ||= message
        })
      },
      mask: () =>
        unpaused(
          () => mask(text),
          at => new Uint32Array(this.#exports.memory.buffer, at, this.#words),
        ),
      accept: token =>
        unpaused(
          () => accept(text, token),
          is => is === 1,
        ),
      finished: () =>
        unpaused(
          () => finished(text),
          is => is === 1,
        ),
      forced: () =>
        unpaused(
          () => forced(text, mostForced),
          () => this.#outputBytes(),
        ),
      end: () => end(text),
    }
    return began
  }

  /** Calls again, with `rest` in between, until the call returns a result instead of pausing. Throws if the module refuses, or if `rest` throws. */
  async #inSlices(call: () => number, rest: Rest, extra = 0): Promise<number> {
    let left = mostWork + extra / 100
    for (let slice = firstSlice; ; slice *= 4) {
      const begun = performance.now()
      this.#pauseAt = begun + slice
      this.#endAt = begun + left
      const result = call()
      if (result !== paused) return this.#checked(result)
      left -= performance.now() - begun
      await rest()
    }
  }

  /** Called by the module during work: heed_pause in module.cpp. */
  #pause(): number {
    const now = performance.now()
    if (now > this.#endAt) return 2
    return this.#pauseAt < Infinity && (now > this.#pauseAt || this.#isInterrupted()) ? 1 : 0
  }

  /** Wraps functions so that they return 0 for a trap, as for a refusal: the engine's pass that called them can then continue. */
  #guarded(exports: WebAssembly.Exports): Exports {
    const guard = ([name, value]: [string, WebAssembly.ExportValue]) => [
      name,
      typeof value !== 'function'
        ? value
        : (...args: unknown[]) => {
            if (this.broken) return 0
            try {
              return (value as (...args: unknown[]) => unknown)(...args)
            } catch {
              this.broken = true
              return 0
            }
          },
    ]
    return Object.fromEntries(Object.entries(exports).map(guard)) as unknown as Exports
  }

  #put(...parts: Uint8Array[]): void {
    let at = this.#exports.input(parts.reduce((sum, { length }) => sum + length, 0))
    if (this.broken) throw new HeedError('unsupported', failed)
    if (at === 0) throw new HeedError('out-of-memory', 'there is no memory for a constraint')
    for (const part of parts) {
      new Uint8Array(this.#exports.memory.buffer).set(part, at)
      at += part.length
    }
  }

  #outputBytes(): Uint8Array {
    const { memory, output, outputSize } = this.#exports
    return new Uint8Array(memory.buffer).slice(output(), output() + outputSize())
  }

  #output(): string {
    return decoded(this.#outputBytes())
  }

  #refusal(): Refusal {
    return JSON.parse(this.#output()) as Refusal
  }

  /** Throws the refusal of a function that returned 0. */
  #checked(result: number): number {
    if (result !== 0) return result
    if (this.broken) throw new HeedError('unsupported', failed)
    const refusal = this.#refusal()
    throw new HeedError(codeOf(refusal), messageOf(refusal))
  }
}

const codeOf = ({ code }: Refusal): HeedErrorCode =>
  code === 'invalid' || code === 'unsatisfiable' ? 'invalid-argument' : code === 'memory' ? 'out-of-memory' : 'unsupported'

function messageOf({ code, keyword, path, message }: Refusal): string {
  const place = [keyword, path && `at ${path}`].filter(part => part).join(' ')
  return `${message}${place && ` (${place})`}${code === 'too-large' ? ': too large' : ''}`
}
