// The module of constraints (bindings/constraints/module.cpp), which is fetched when a form is first asked for.
import { decoded } from '../../wire/decoded.js'
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
  accepts(constraint: number): number
  begin(constraint: number): number
  end(text: number): void
  mask(text: number): number
  accept(text: number, token: number): number
  finished(text: number): number
  forced(text: number, limit: number): number
}

/** Why a form is refused. `path`: `#/properties/a` in a schema, an offset in code points in an expression, `line:column` in a grammar. */
interface Refusal {
  code: 'unsupported' | 'invalid' | 'unsatisfiable' | 'too-large'
  keyword: string
  path: string
  message: string
}

/** More than a pass takes guesses for. */
const mostForced = 256
const utf8 = new TextEncoder()
const failed = 'the constraint failed'

export class ConstraintModule {
  /** Whether it has failed, and must be replaced. */
  broken = false
  readonly #exports: Exports
  /** 32-bit words in a mask. */
  readonly #words: number

  /** `texts`: `Engine.tokenTexts`, of `count` tokens. Throws `out-of-memory` or `unsupported`. */
  constructor(compiled: WebAssembly.Module, texts: Uint8Array, count: number) {
    const environment = { emscripten_notify_memory_growth() {} }
    this.#exports = this.#guarded(new WebAssembly.Instance(compiled, { env: environment }).exports)
    this.#exports._initialize()
    this.#words = 2 * Math.ceil(count / 64)
    this.#put(texts)
    this.#told(this.#exports.setVocabulary(count))
  }

  /** Makes a constraint, and returns its number. Throws `invalid-argument` or `unsupported`, with the keyword and its place. */
  make(outline: Outline): CompiledForm & { constraint: number } {
    this.#put(utf8.encode(JSON.stringify(outline)))
    const constraint = this.#told(this.#exports.make())
    return { constraint, ...JSON.parse(this.#output()) as CompiledForm }
  }

  drop(constraint: number): void {
    this.#exports.drop(constraint)
  }

  /** Whether a text is one of the constraint. */
  accepts(constraint: number, text: string): boolean {
    this.#put(utf8.encode(text))
    return this.#told(this.#exports.accepts(constraint)) === 1
  }

  /** Begins a text, which the constraint need not outlive. */
  begin(constraint: number): ConstrainedText {
    const { mask, accept, finished, forced, end } = this.#exports
    const text = this.#told(this.#exports.begin(constraint))
    /** Null for a refusal, which is kept. */
    const told = <Result>(result: number, read: () => Result): Result | null => {
      if (result !== 0) return read()
      began.failure = this.broken ? failed : messageOf(this.#refusal())
      return null
    }
    const began: ConstrainedText = {
      failure: '',
      mask: () => {
        const at = mask(text)
        return told(at, () => new Uint32Array(this.#exports.memory.buffer, at, this.#words))
      },
      accept: token => {
        const is = accept(text, token)
        return told(is, () => is === 1)
      },
      finished: () => {
        const is = finished(text)
        return told(is, () => is === 1)
      },
      forced: () => told(forced(text, mostForced), () => this.#outputBytes()),
      end: () => end(text),
    }
    return began
  }

  /** Functions that return 0 where they trap, as where they refuse: the engine's pass that called them goes on. */
  #guarded(exports: WebAssembly.Exports): Exports {
    const guard = ([name, value]: [string, WebAssembly.ExportValue]) => [name, typeof value !== 'function' ? value : (...args: unknown[]) => {
      if (this.broken) return 0
      try {
        return (value as (...args: unknown[]) => unknown)(...args)
      } catch {
        this.broken = true
        return 0
      }
    }]
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
  code === 'invalid' || code === 'unsatisfiable' ? 'invalid-argument' : 'unsupported'

function messageOf({ code, keyword, path, message }: Refusal): string {
  const place = [keyword, path && `at ${path}`].filter(part => part).join(' ')
  return `${message}${place && ` (${place})`}${code === 'too-large' ? ': too large' : ''}`
}
