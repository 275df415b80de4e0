// The constraints of a model: made when they are first asked for, and kept for the texts that follow.
import type { CompiledForm, Form, Outline } from '../../wire/form.js'
import type { ConstrainedText, Engine } from '../engine.js'
import { ConstraintModule } from './module.js'

/** Constraints that are kept although nobody holds them. */
const mostKept = 8

interface Kept extends CompiledForm {
  constraint: number
  /** How many times it was compiled and not released. */
  held: number
}

export class Constraints {
  readonly #engine: Engine
  readonly #compile: () => Promise<WebAssembly.Module>
  #module?: Promise<ConstraintModule>
  /** By their outlines, as JSON; the one last used is last. */
  readonly #kept = new Map<string, Kept>()

  /** `compile` fetches and compiles the module. */
  constructor(engine: Engine, compile: () => Promise<WebAssembly.Module>) {
    this.#engine = engine
    this.#compile = compile
  }

  /** Keeps a form's constraint until it is released as often. Throws `invalid-argument` and `unsupported`, for the form or the model. */
  async hold(form: Form): Promise<CompiledForm> {
    const kept = this.#find(await this.#open(), form)
    kept.held++
    return { size: kept.size, ignored: kept.ignored }
  }

  release(form: Form): void {
    const kept = this.#kept.get(JSON.stringify(form))
    if (kept && kept.held > 0) kept.held--
  }

  async accepts(form: Form, text: string): Promise<boolean> {
    const module = await this.#open()
    return module.accepts(this.#find(module, form).constraint, text)
  }

  /** Begins a text, for one generation. */
  async begin(outline: Outline): Promise<ConstrainedText> {
    const module = await this.#open()
    return module.begin(this.#find(module, outline).constraint)
  }

  /** The module with the model's vocabulary. A failure to fetch it may pass. */
  async #open(): Promise<ConstraintModule> {
    const opening = this.#module ??= this.#compile().then(compiled =>
      new ConstraintModule(compiled, this.#engine.tokenTexts(), this.#engine.info().vocabulary))
    const module = await opening.catch((error: unknown) => {
      if (this.#module === opening) this.#module = undefined
      throw error
    })
    if (!module.broken) return module
    if (this.#module === opening) {  // no other call has replaced it
      this.#module = undefined
      this.#kept.clear()
    }
    return this.#open()
  }

  #find(module: ConstraintModule, outline: Outline): Kept {
    const key = JSON.stringify(outline)
    const kept = this.#kept.get(key) ?? { ...module.make(outline), held: 0 }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    const idle = [...this.#kept].filter(([, { held }]) => held === 0)
    for (const [old, { constraint }] of idle.slice(0, Math.max(idle.length - mostKept, 0))) {
      this.#kept.delete(old)
      module.drop(constraint)
    }
    return kept
  }
}
