// A compiled constraint, which many calls can share.
/// <reference lib="esnext.disposable" preserve="true" />
import type { AcceptsOptions, Constraint, IgnoredKeyword } from '../types/index.js'
import { HeedError } from '../wire/errors.js'
import type { ConstraintInfo, WireConstraint } from '../wire/constraint.js'
import type { Connection, PageEngine } from './connection.js'
import { makeDisposable } from './disposable.js'
import { readAll, readText, signal } from './readers.js'

const dropped = new FinalizationRegistry<{ connection: Connection; source: WireConstraint }>(({ connection, source }) => {
  void release(connection, source)
})

/** @internal The compiled constraint stays in the engine's worker until it is disposed of. */
export class CompiledConstraint implements Constraint {
  readonly #engine: PageEngine
  readonly #source: WireConstraint
  readonly size: number
  readonly ignored: readonly IgnoredKeyword[]
  #disposed = false

  constructor(engine: PageEngine, source: WireConstraint, { size, ignored }: ConstraintInfo) {
    this.#engine = engine
    this.#source = source
    this.size = size
    this.ignored = ignored
    dropped.register(this, { connection: engine.connection, source }, this)
  }

  /** The source of a compiled constraint; undefined for any other value. Throws `disposed`. */
  static sourceOf(value: unknown): WireConstraint | undefined {
    return typeof value === 'object' && value !== null && #source in value ? (value as CompiledConstraint).#held : undefined
  }

  get #held(): WireConstraint {
    if (this.#disposed) throw new HeedError('disposed', 'The constraint was disposed of')
    return this.#source
  }

  async accepts(text: string, options: AcceptsOptions = {}): Promise<boolean> {
    const read = readText('accepts', text)
    return this.#engine.connection.call(
      { type: 'accepts', constraint: this.#held, text: read },
      readAll('accepts', options, { signal }),
    )
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    dropped.unregister(this)
    await release(this.#engine.connection, this.#source)
  }
}

/** Ignores errors: if the model is gone, so is the constraint. */
const release = (connection: Connection, source: WireConstraint): Promise<void> =>
  connection.call({ type: 'release', constraint: source }).catch(() => {})

export interface CompiledConstraint extends AsyncDisposable {}
makeDisposable(CompiledConstraint)
