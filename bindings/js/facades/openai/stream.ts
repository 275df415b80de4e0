// Streamed answers.
import type { WebAbortController } from '../../types/web.js'
import { refuse } from '../../wire/errors.js'

/**
 * Chunks as they are generated, for one loop, as in OpenAI's client. Leaving the loop or calling `controller.abort()` ends the
 * generation; the loop then ends.
 */
export class CompletionStream<Chunk> implements AsyncIterable<Chunk> {
  readonly controller: WebAbortController
  readonly #first: IteratorResult<Chunk>
  readonly #rest: AsyncGenerator<Chunk>
  #isConsumed = false

  /** @internal */
  constructor(first: IteratorResult<Chunk>, rest: AsyncGenerator<Chunk>, controller: AbortController) {
    this.#first = first
    this.#rest = rest
    this.controller = controller
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk, void, undefined> {
    if (this.#isConsumed) throw refuse('The stream was read before: it is for one loop')
    this.#isConsumed = true
    try {
      if (!this.#first.done) yield this.#first.value
      yield* this.#rest
    } finally {
      this.controller.abort()
    }
  }
}

/** @internal The items of several sources, in order of arrival. */
export async function* merged<Item>(sources: readonly AsyncIterator<Item>[]): AsyncGenerator<Item> {
  const next = async (source: AsyncIterator<Item>) => ({ source, result: await source.next() })
  const waiting = new Map<AsyncIterator<Item>, ReturnType<typeof next>>()
  const wait = (source: AsyncIterator<Item>) => {
    const promise = next(source)
    promise.catch(() => {}) // another source may have failed before
    waiting.set(source, promise)
  }
  sources.forEach(wait)
  while (waiting.size > 0) {
    const { source, result } = await Promise.race(waiting.values())
    waiting.delete(source)
    if (result.done) continue
    yield result.value
    wait(source)
  }
}
