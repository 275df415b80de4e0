// What comes bit by bit and ends in a whole: an async iterable and a promise in the same object.

/**
 * Iterate it for what comes, `await` it for the whole, or both. Leaving the loop early ends it. An abort is an ordinary end: the
 * loop just ends.
 */
export class Feed<Item, Result> implements PromiseLike<Result>, AsyncIterable<Item> {
  readonly #items: Item[] = []
  readonly #stop = new AbortController()
  readonly #result: Promise<Result>
  #ended = false
  #wake!: () => void
  #changed!: Promise<void>

  /**
   * @internal `run` puts what comes, gives the whole, and ends soon after its signal was aborted: by `signal`, or by someone who
   * left the loop.
   */
  constructor(run: (stop: AbortSignal, put: (item: Item) => void, items: readonly Item[]) => Promise<Result>, signal?: AbortSignal) {
    this.#awaitChange()
    this.#result = this.#follow(run, signal)
    this.#result.catch(() => {})  // an error that reaches a loop is not also an unhandled one
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

  /** Every loop sees all, from the first on. */
  async* [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    try {
      for (let next = 0; ; next++) {
        while (next === this.#items.length && !this.#ended) await this.#changed
        if (next === this.#items.length) break
        yield this.#items[next]!
      }
      await this.#result  // throws what went wrong
    } finally {
      this.#stop.abort()
    }
  }

  async #follow(
    run: (stop: AbortSignal, put: (item: Item) => void, items: readonly Item[]) => Promise<Result>, signal?: AbortSignal,
  ): Promise<Result> {
    const stop = () => this.#stop.abort(signal?.reason)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop)
    try {
      return await run(this.#stop.signal, item => {
        this.#items.push(item)
        this.#awaitChange()
      }, this.#items)
    } finally {
      signal?.removeEventListener('abort', stop)
      this.#ended = true
      this.#awaitChange()
    }
  }

  /** Wakes the loops that wait, and makes the next thing to wait for. */
  #awaitChange(): void {
    this.#wake?.()
    this.#changed = new Promise(resolve => { this.#wake = resolve })
  }
}
