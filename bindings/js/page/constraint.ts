// A compiled constraint, which many calls can share.
/// <reference lib="esnext.disposable" preserve="true" />
import type { AcceptsOptions, Constraint, IgnoredKeyword } from '../types/index.js'
import { HeedError } from '../wire/errors.js'
import type { CompiledForm, Form } from '../wire/form.js'
import type { Connection, EngineLease } from './connection.js'
import { makeDisposable } from './disposable.js'
import { readAll, readText, signal } from './readers.js'

const dropped = new FinalizationRegistry<{ connection: Connection; form: Form }>(({ connection, form }) => {
  void release(connection, form)
})

/** @internal The form's constraint stays in the engine's worker until it is disposed of. */
export class CompiledConstraint implements Constraint {
  readonly #engine: EngineLease
  readonly #form: Form
  readonly size: number
  readonly ignored: readonly IgnoredKeyword[]
  #disposed = false

  constructor(engine: EngineLease, form: Form, { size, ignored }: CompiledForm) {
    this.#engine = engine
    this.#form = form
    this.size = size
    this.ignored = ignored
    dropped.register(this, { connection: engine.connection, form }, this)
  }

  /** The form of a constraint; undefined for anything else. Throws `disposed`. */
  static formOf(value: unknown): Form | undefined {
    return typeof value === 'object' && value !== null && #form in value ? (value as CompiledConstraint).#held : undefined
  }

  get #held(): Form {
    if (this.#disposed) throw new HeedError('disposed', 'The constraint was disposed of')
    return this.#form
  }

  async accepts(text: string, options: AcceptsOptions = {}): Promise<boolean> {
    const read = readText('accepts', text)
    return this.#engine.connection.call({ type: 'accepts', form: this.#held, text: read }, readAll('accepts', options, { signal }))
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    dropped.unregister(this)
    await release(this.#engine.connection, this.#form)
  }
}

/** Ignores errors: if the model is gone, so is the constraint. */
const release = (connection: Connection, form: Form): Promise<void> => connection.call({ type: 'release', form }).catch(() => {})

export interface CompiledConstraint extends AsyncDisposable {}
makeDisposable(CompiledConstraint)
