// A result that arrives in parts: an async iterable and a promise in one object.
import { withCaller } from './called-from.js'
import { onAbort } from './on-abort.js'

/**
 * Iterate it for the items as they arrive, `await` it for the result, or both. Leaving the loop early stops it. An abort is a
 * normal end: the loop just ends.
 *
 * As with any object that can be awaited, an async function that returns it resolves to its result, and is done only when the
 * result is complete: return it in an object, `{ generation }`, to iterate it elsewhere. `result` is a plain promise of the result.
 */
export class Feed<Item, Result> implements PromiseLike<Result>, AsyncIterable<Item> {
  readonly #items: Item[] = []
  readonly #stop = new AbortController()
  readonly #result: Promise<Result>
  #ended = false
  #wake!: () => void
  #changed!: Promise<void>

  /**
   * @internal `run` passes each item to `put`, and returns the result. Its signal is aborted when one of `signals` is, or when a
   * loop is left early; it must end soon after.
   */
  constructor(
    run: (stop: AbortSignal, put: (item: Item) => void, items: readonly Item[]) => Promise<Result>,
    ...signals: readonly (AbortSignal | undefined)[]
  ) {
    this.#awaitChange()
    this.#result = withCaller(this.#follow(run, signals))
    this.#result.catch(() => {}) // an error that a loop throws must not also be an unhandled rejection
  }

  /** The result alone, as a promise. */
  get result(): Promise<Result> {
    return this.#result
  }

  // biome-ignore lint/suspicious/noThenProperty: it can be awaited
  then<Fulfilled = Result, Rejected = never>(
    onResult?: ((result: Result) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onError?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#result.then(onResult, onError)
  }

  catch<Rejected = never>(onError?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null): Promise<Result | Rejected> {
    return this.#result.catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Result> {
    return this.#result.finally(onEnd)
  }

  /** Each loop gets all items, from the first. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const items = this.#iterate()
    const end = items.return
    // Stops at once, even while the loop waits for an item; the generator's own `return` would first wait for that item.
    items.return = () => {
      this.#stop.abort()
      return end.call(items, undefined)
    }
    return items
  }

  async *#iterate(): AsyncGenerator<Item, void, undefined> {
    try {
      for (let next = 0; ; next++) {
        while (next === this.#items.length && !this.#ended) await this.#changed
        if (next === this.#items.length) break
        yield this.#items[next]!
      }
      await this.#result // throws if the run failed
    } finally {
      this.#stop.abort()
    }
  }

  async #follow(
    run: (stop: AbortSignal, put: (item: Item) => void, items: readonly Item[]) => Promise<Result>,
    signals: readonly (AbortSignal | undefined)[],
  ): Promise<Result> {
    const ended = signals.map(signal => onAbort(signal, () => this.#stop.abort(signal!.reason)))
    try {
      return await run(
        this.#stop.signal,
        item => {
          this.#items.push(item)
          this.#awaitChange()
        },
        this.#items,
      )
    } finally {
      for (const end of ended) end()
      this.#ended = true
      this.#awaitChange()
    }
  }

  /** Wakes the waiting loops and creates the next promise to wait for. */
  #awaitChange(): void {
    this.#wake?.()
    this.#changed = new Promise(resolve => {
      this.#wake = resolve
    })
  }
}
