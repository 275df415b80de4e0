// Compiles the constraints of a model on demand, and caches them. Together with its imports, this is a separate script
// (heed-constraints.js).
import type { ConstraintInfo, WireConstraint, Outline } from '../../wire/constraint.js'
import type { HeedError } from '../../wire/errors.js'
import type { ConstrainedText, Engine } from '../engine.js'
import { ConstraintModule, type Rest } from './module.js'

/** The limits of cached constraints that nothing holds: their number and their bytes. */
const mostIdle = 8,
  mostIdleBytes = 2 ** 25

interface CachedConstraint extends ConstraintInfo {
  /** The constraint's id in the module. */
  constraint: number
  /** The number of `hold` calls that have not been released. */
  holders: number
}

/** Long work regularly calls `rest`, which lets messages in, and throws what that throws. */
export class Constraints {
  readonly #engine: Engine
  readonly #interrupt: Uint8Array
  readonly #compiled: WebAssembly.Module
  #module?: ConstraintModule
  /** Cached constraints by outline, as JSON; least recently used first. */
  readonly #cached = new Map<string, CachedConstraint>()

  constructor(engine: Engine, interrupt: Uint8Array, compiled: WebAssembly.Module) {
    this.#engine = engine
    this.#interrupt = interrupt
    this.#compiled = compiled
  }

  /** Compiles a constraint, and keeps it until each `hold` has been released. Throws `invalid-argument` or `unsupported`. */
  async hold(constraint: WireConstraint, rest: Rest): Promise<ConstraintInfo> {
    const cached = await this.#find(this.#open(), constraint, rest)
    cached.holders++
    await rest().catch((error: unknown) => {
      cached.holders-- // an aborted call does not release
      throw error
    })
    return { size: cached.size, ignored: cached.ignored }
  }

  release(constraint: WireConstraint): void {
    const cached = this.#cached.get(JSON.stringify(constraint))
    if (cached && cached.holders > 0) cached.holders--
  }

  async accepts(constraint: WireConstraint, text: string, rest: Rest): Promise<boolean> {
    const module = this.#open()
    return module.accepts((await this.#find(module, constraint, rest)).constraint, text, rest)
  }

  /** Begins the text of one generation. */
  async begin(outline: Outline, rest: Rest): Promise<ConstrainedText> {
    const module = this.#open()
    return module.begin((await this.#find(module, outline, rest)).constraint, rest)
  }

  /** The module with the model's vocabulary; a new one after a failure. */
  #open(): ConstraintModule {
    if (!this.#module || this.#module.broken) {
      this.#cached.clear()
      this.#module = new ConstraintModule(
        this.#compiled,
        this.#engine.tokenTexts(),
        this.#engine.info().vocabulary,
        () => Atomics.load(this.#interrupt, 0) === 1,
      )
    }
    return this.#module
  }

  async #find(module: ConstraintModule, outline: Outline, rest: Rest): Promise<CachedConstraint> {
    const key = JSON.stringify(outline)
    let cached = this.#cached.get(key)
    if (!cached) {
      this.#dropIdle(module, mostIdle - 1, mostIdleBytes)
      const make = async () => ({ ...(await module.make(outline, rest)), holders: 0 })
      const made = await make().catch((error: HeedError) => {
        if (error.code !== 'out-of-memory') throw error
        this.#dropIdle(module, 0, 0)
        return make()
      })
      cached = this.#cached.get(key) // a concurrent call may have added it
      if (cached) module.drop(made.constraint)
      else cached = made
    }
    this.#cached.delete(key)
    this.#cached.set(key, cached)
    return cached
  }

  /** Drops constraints without a holder, least recently used first, until both limits are met. */
  #dropIdle(module: ConstraintModule, most: number, mostBytes: number): void {
    let count = 0,
      bytes = 0
    for (const [key, { holders, constraint, size }] of [...this.#cached].reverse()) {
      if (holders > 0 || (++count <= most && (bytes += size) <= mostBytes)) continue
      this.#cached.delete(key)
      module.drop(constraint)
    }
  }
}
