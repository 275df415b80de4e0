// The module of constraints (bindings/constraints/module.cpp).
import { decoded } from '../../platform/decoded.js'
import type { CompiledForm, Outline } from '../../wire/form.js'
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
  compare(number: number): number
  endCompare(number: number): void
  begin(constraint: number): number
  end(text: number): void
  prepare(text: number, anew: number): number
  mask(text: number): number
  accept(text: number, token: number): number
  finished(text: number): number
  forced(text: number, limit: number): number
}

/** Why a form is refused. `path`: `#/properties/a` in a schema, an offset in code points in an expression, `line:column` in a grammar. */
interface Refusal {
  code: 'unsupported' | 'invalid' | 'unsatisfiable' | 'too-large' | 'memory'
  keyword: string
  path: string
  message: string
}

/** More than a pass takes guesses for. */
const mostForced = 256
const utf8 = new TextEncoder()
const failed = 'the constraint failed'
/** What a function returns that is to be called again. */
const paused = -1

/** Most milliseconds of work in one call. What takes less is decided by counting steps (src/grammar/budget.hpp), on any machine. */
const mostWork = 10_000
/** Milliseconds of work before messages are let in for the first time; then four times as many each time, as some work begins anew. */
const firstSlice = 40

/** Lets messages in between slices of work. Throws, to end it. */
export type Rest = () => Promise<void>

export class ConstraintModule {
  /** Whether it has failed, and must be replaced. */
  broken = false
  readonly #isInterrupted: () => boolean
  /** When the work has to pause; Infinity where it cannot. */
  #pauseAt = Infinity
  #endAt = Infinity
  readonly #exports: Exports
  /** 32-bit words in a mask. */
  readonly #words: number

  /**
   * `texts`: `Engine.tokenTexts`, of `count` tokens. `isInterrupted`: whether there are messages to let in soon. Throws `out-of-memory` or
   * `unsupported`.
   */
  constructor(compiled: WebAssembly.Module, texts: Uint8Array, count: number, isInterrupted = () => false) {
    this.#isInterrupted = isInterrupted
    const environment = { emscripten_notify_memory_growth() {}, pause: () => this.#pause() }
    this.#exports = this.#guarded(new WebAssembly.Instance(compiled, { env: environment }).exports)
    this.#exports._initialize()
    this.#words = 2 * Math.ceil(count / 64)
    this.#put(texts)
    this.#told(this.#exports.setVocabulary(count))
  }

  /** Makes a constraint, and returns its number. Throws `invalid-argument` or `unsupported`, with the keyword and its place. */
  async make(outline: Outline, rest: Rest): Promise<CompiledForm & { constraint: number }> {
    const bytes = utf8.encode(JSON.stringify(outline))
    const constraint = await this.#inSlices(() => {
      this.#put(bytes)
      return this.#exports.make()
    }, rest)
    return { constraint, ...(JSON.parse(this.#output()) as CompiledForm) }
  }

  drop(constraint: number): void {
    this.#exports.drop(constraint)
  }

  /** Whether a text is one of the constraint. */
  async accepts(constraint: number, text: string, rest: Rest): Promise<boolean> {
    const bytes = utf8.encode(text)
    const number = await this.#inSlices(() => {
      this.#put(bytes)
      return this.#exports.beginCompare(constraint)
    }, rest)
    try {
      return (await this.#inSlices(() => this.#exports.compare(number), rest, bytes.length)) === 1
    } finally {
      this.#exports.endCompare(number)
    }
  }

  /** Begins a text, which the constraint need not outlive. */
  async begin(constraint: number, rest: Rest): Promise<ConstrainedText> {
    const { mask, accept, finished, forced, end, prepare } = this.#exports
    const text = await this.#inSlices(() => this.#exports.begin(constraint), rest)
    /** Runs a function within the engine's pass. Null for a refusal, which is kept. */
    const told = <Result>(call: () => number, read: (result: number) => Result): Result | null => {
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
        let anew = 1
        await this.#inSlices(() => {
          const result = prepare(text, anew)
          anew = 0
          return result
        }, rest).catch(({ code, message }: HeedError) => {
          if (code !== 'aborted') began.failure ||= message
        })
      },
      mask: () =>
        told(
          () => mask(text),
          at => new Uint32Array(this.#exports.memory.buffer, at, this.#words),
        ),
      accept: token =>
        told(
          () => accept(text, token),
          is => is === 1,
        ),
      finished: () =>
        told(
          () => finished(text),
          is => is === 1,
        ),
      forced: () =>
        told(
          () => forced(text, mostForced),
          () => this.#outputBytes(),
        ),
      end: () => end(text),
    }
    return began
  }

  /** Repeats a call until it does not pause. Throws its refusal, and what `rest` throws. */
  async #inSlices(call: () => number, rest: Rest, extra = 0): Promise<number> {
    let left = mostWork + extra / 100
    for (let slice = firstSlice; ; slice *= 4) {
      const begun = performance.now()
      this.#pauseAt = begun + slice
      this.#endAt = begun + left
      const result = call()
      if (result !== paused) return this.#told(result)
      left -= performance.now() - begun
      await rest()
    }
  }

  /** What the module asks now and then: 0 to go on, 1 to pause, 2 that it takes too long. */
  #pause(): number {
    const now = performance.now()
    if (now > this.#endAt) return 2
    return this.#pauseAt < Infinity && (now > this.#pauseAt || this.#isInterrupted()) ? 1 : 0
  }

  /** Functions that return 0 where they trap, as where they refuse: the engine's pass that called them goes on. */
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

  #told(result: number): number {
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
