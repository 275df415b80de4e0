// Ties generations to their request: they end when the request ends.
import { onAbort } from '../../page/on-abort.js'
import { HeedError } from '../../wire/errors.js'
import { CompletionStream } from './stream.js'

/** The generations that a request has started. */
export interface Begun {
  /** The chunks of a stream. */
  readonly chunks: AsyncGenerator<object>
  readonly whole: () => Promise<object>
}

/**
 * Answers a request, whole or in chunks. The generations that `begin` starts end if `signal` is aborted, the request fails, or the
 * loop over its stream is exited. A stream is returned once its first chunk has arrived, so that a request that fails returns none.
 */
export async function during(
  signal: AbortSignal | undefined,
  isStream: boolean,
  begin: (stop: AbortSignal) => Begun,
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the callers declare the result
): Promise<any> {
  if (signal?.aborted) throw HeedError.aborted(signal)
  const stop = new AbortController()
  onAbort(
    stop.signal,
    onAbort(signal, () => stop.abort()),
  ) // `stop` is always aborted at the end
  try {
    const { chunks, whole } = begin(stop.signal)
    const answered = isStream ? await chunks.next() : await whole()
    if (stop.signal.aborted) throw HeedError.aborted(signal)
    if (isStream) return new CompletionStream(answered as IteratorResult<object>, chunks, stop)
    stop.abort()
    return answered
  } catch (error) {
    stop.abort()
    throw error
  }
}
