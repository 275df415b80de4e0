// The constraints of a model: made when they are first asked for, and kept for the texts that follow.
import type { IgnoredKeyword } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'
import type { Form, FormOf, Thoughts } from '../../wire/form.js'
import type { ConstrainedText, Engine } from '../engine.js'
import { ConstraintModule } from './module.js'

/** Constraints that are kept although nobody holds them. */
const mostKept = 8

interface Kept {
  constraint: number
  ignored: IgnoredKeyword[]
  /** How many times it was compiled and not released. */
  held: number
}

export class Constraints {
  readonly #engine: Engine
  readonly #compile: () => Promise<WebAssembly.Module>
  #module?: Promise<ConstraintModule>
  /** By what they were made of; the one last used is last. */
  readonly #kept = new Map<string, Kept>()

  /** `compile` fetches and compiles the module. */
  constructor(engine: Engine, compile: () => Promise<WebAssembly.Module>) {
    this.#engine = engine
    this.#compile = compile
  }

  /** Keeps a form's constraint until it is released as often. Throws `invalid-argument` and `unsupported`, for the form or the model. */
  async hold(form: Form): Promise<IgnoredKeyword[]> {
    const kept = this.#find(await this.#open(), { form })
    kept.held++
    return kept.ignored
  }

  release(form: Form): void {
    const kept = this.#kept.get(keyOf({ form }))
    if (kept && kept.held > 0) kept.held--
  }

  async accepts(form: Form, text: string): Promise<boolean> {
    const module = await this.#open()
    return module.accepts(this.#find(module, { form }).constraint, text)
  }

  /** Begins a text of the form, for one generation. */
  async begin(of: FormOf): Promise<ConstrainedText> {
    if (of.thoughts) this.#checkThoughts(of.thoughts)
    const module = await this.#open()
    return module.begin(this.#find(module, of).constraint)
  }

  /** The module with the model's vocabulary. A failure to fetch it may pass. */
  async #open(): Promise<ConstraintModule> {
    this.#module ??= this.#compile().then(compiled =>
      new ConstraintModule(compiled, this.#engine.tokenTexts(), this.#engine.info().vocabulary))
    try {
      const module = await this.#module
      if (!module.broken) return module
    } catch (error) {
      this.#module = undefined
      throw error
    }
    this.#module = undefined
    this.#kept.clear()
    return this.#open()
  }

  #find(module: ConstraintModule, of: FormOf): Kept {
    const key = keyOf(of)
    const kept = this.#kept.get(key) ?? { ...module.make(of.form, of.thoughts), held: 0 }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    const idle = [...this.#kept].filter(([, { held }]) => held === 0)
    for (const [old, { constraint }] of idle.slice(0, Math.max(idle.length - mostKept, 0))) {
      this.#kept.delete(old)
      module.drop(constraint)
    }
    return kept
  }

  /** Constraints allow no control tokens, so reasoning between them would never end. */
  #checkThoughts({ open, close, begun }: Thoughts): void {
    for (const marker of begun ? [close] : [open, close]) {
      const ids = this.#engine.tokenize(marker, false, true)
      if (this.#engine.detokenize(ids, false, false).trim() === marker) continue
      throw new HeedError('unsupported', `${marker} is a control token of this model: set \`think: false\` to have an answer in a form`)
    }
  }
}

const keyOf = ({ form, thoughts }: FormOf) => JSON.stringify([form.notation, form.text, form.options, thoughts])
