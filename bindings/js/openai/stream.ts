// Answers that come in chunks.
import { HeedError } from '../errors.js'
import type { WebAbortController } from '../web-types.js'

/** Chunks as they are written. Leaving the loop ends what writes them, and so does `controller.abort()`; the loop then just ends. */
export class CompletionStream<Chunk> implements AsyncIterable<Chunk> {
  readonly controller: WebAbortController
  readonly #chunks: AsyncGenerator<Chunk>

  /** @internal */
  constructor(chunks: AsyncGenerator<Chunk>, controller: AbortController) {
    this.#chunks = chunks
    this.controller = controller
  }

  async* [Symbol.asyncIterator](): AsyncGenerator<Chunk, void, undefined> {
    try {
      yield* this.#chunks
    } finally {
      this.controller.abort()
    }
  }
}

/**
 * @internal Answers a request. What runs for it ends with `stop`: where `signal` is aborted, where the request fails, where its
 * stream is left, and where all is done, after which nobody listens to the signal any more.
 */
export async function answering<Answer>(
  signal: AbortSignal | undefined, answer: (stop: AbortController) => Promise<Answer>,
): Promise<Answer> {
  if (signal?.aborted) throw HeedError.aborted(signal)
  const stop = new AbortController()
  signal?.addEventListener('abort', () => stop.abort(signal.reason), { signal: stop.signal })
  try {
    const answered = await answer(stop)
    if (stop.signal.aborted) throw HeedError.aborted(signal)
    if (!(answered instanceof CompletionStream)) stop.abort()
    return answered
  } catch (error) {
    stop.abort()
    throw error
  }
}

/** @internal A stream once its first chunk is there: a request that fails has none. */
export async function openStream<Chunk>(chunks: AsyncGenerator<Chunk>, stop: AbortController): Promise<CompletionStream<Chunk>> {
  const first = await chunks.next()
  return new CompletionStream((async function* () {
    if (!first.done) yield first.value
    yield* chunks
  })(), stop)
}

/** @internal What several write, in the order in which it comes. */
export async function* merged<Item>(sources: readonly AsyncIterator<Item>[]): AsyncGenerator<Item> {
  const next = async (source: AsyncIterator<Item>) => ({ source, result: await source.next() })
  const waiting = new Map<AsyncIterator<Item>, ReturnType<typeof next>>()
  const wait = (source: AsyncIterator<Item>) => {
    const promise = next(source)
    promise.catch(() => {})  // one that fails after another one did
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
