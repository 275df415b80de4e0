// The constraints of a model: made when they are first asked for, and kept for the texts that follow. With what it imports, a script of its
// own (heed-constraints.js).
import type { CompiledForm, Form, Outline } from '../../wire/form.js'
import type { HeedError } from '../../wire/errors.js'
import type { ConstrainedText, Engine } from '../engine.js'
import { ConstraintModule, type Rest } from './module.js'

/** Constraints that are kept although nobody holds them, and their bytes. */
const mostKept = 8,
  mostKeptBytes = 2 ** 25

interface Kept extends CompiledForm {
  constraint: number
  /** How many times it was compiled and not released. */
  held: number
}

/** All that may take long lets messages in with `rest`, and throws what that throws. */
export class Constraints {
  readonly #engine: Engine
  readonly #compiled: WebAssembly.Module
  #module?: ConstraintModule
  /** By their outlines, as JSON; the one last used is last. */
  readonly #kept = new Map<string, Kept>()

  constructor(engine: Engine, compiled: WebAssembly.Module) {
    this.#engine = engine
    this.#compiled = compiled
  }

  /** Keeps a form's constraint until it is released as often. Throws `invalid-argument` and `unsupported`, for the form or the model. */
  async hold(form: Form, rest: Rest): Promise<CompiledForm> {
    const kept = await this.#find(this.#open(), form, rest)
    kept.held++
    await rest().catch((error: unknown) => {
      kept.held-- // nobody releases what an aborted call has held
      throw error
    })
    return { size: kept.size, ignored: kept.ignored }
  }

  release(form: Form): void {
    const kept = this.#kept.get(JSON.stringify(form))
    if (kept && kept.held > 0) kept.held--
  }

  async accepts(form: Form, text: string, rest: Rest): Promise<boolean> {
    const module = this.#open()
    return module.accepts((await this.#find(module, form, rest)).constraint, text, rest)
  }

  /** Begins a text, for one generation. */
  async begin(outline: Outline, rest: Rest): Promise<ConstrainedText> {
    const module = this.#open()
    return module.begin((await this.#find(module, outline, rest)).constraint, rest)
  }

  /** The module with the model's vocabulary; a new one if it has failed. */
  #open(): ConstraintModule {
    if (!this.#module || this.#module.broken) {
      this.#kept.clear()
      const flag = this.#engine.interruptFlag()
      this.#module = new ConstraintModule(
        this.#compiled,
        this.#engine.tokenTexts(),
        this.#engine.info().vocabulary,
        () => Atomics.load(flag, 0) === 1,
      )
    }
    return this.#module
  }

  async #find(module: ConstraintModule, outline: Outline, rest: Rest): Promise<Kept> {
    const key = JSON.stringify(outline)
    let kept = this.#kept.get(key)
    if (!kept) {
      this.#dropIdle(module, mostKept - 1, mostKeptBytes)
      const make = async () => ({ ...(await module.make(outline, rest)), held: 0 })
      const made = await make().catch((error: HeedError) => {
        if (error.code !== 'out-of-memory') throw error
        this.#dropIdle(module, 0, 0)
        return make()
      })
      kept = this.#kept.get(key) // another call may have been faster
      if (kept) module.drop(made.constraint)
      else kept = made
    }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept
  }

  /** Drops those that nobody holds until there are so few, of so few bytes; the one last used goes last. */
  #dropIdle(module: ConstraintModule, most: number, mostBytes: number): void {
    let count = 0,
      bytes = 0
    for (const [key, { held, constraint, size }] of [...this.#kept].reverse()) {
      if (held > 0 || (++count <= most && (bytes += size) <= mostBytes)) continue
      this.#kept.delete(key)
      module.drop(constraint)
    }
  }
}
