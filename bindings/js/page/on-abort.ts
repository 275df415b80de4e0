// Reacts to aborted signals. Each signal gets one listener, however many calls it is passed to: Node warns of a leak at eleven.
import type { WebAbortSignal } from '../types/web.js'
import { HeedError } from '../wire/errors.js'

const reactions = new WeakMap<object, Set<() => void>>()

const fire = ({ target }: { target: unknown }) => {
  for (const react of reactions.get(target as object)!) react()
}

/**
 * Calls `react` once the signal is aborted, or now if it already is. Returns a function that cancels this. Each call needs a
 * `react` function of its own.
 */
export function onAbort(signal: WebAbortSignal | undefined, react: () => void): () => void {
  if (signal?.aborted) react()
  if (!signal || signal.aborted) return () => {}
  const set = reactions.get(signal) ?? new Set()
  reactions.set(signal, set.add(react))
  signal.addEventListener('abort', fire) // has no effect if it already listens
  return () => {
    set.delete(react)
    if (set.size === 0) signal.removeEventListener('abort', fire)
  }
}

/** For a queue: makes a task leave it when the signal is aborted. */
export const leavesOnAbort = (signal: WebAbortSignal | undefined) => (leave: (reason: HeedError) => void) =>
  onAbort(signal, () => leave(HeedError.aborted(signal)))

/** Settles like `running`, but rejects at once when the signal is aborted. */
export function unlessAborted<Result>(running: Promise<Result>, signal?: WebAbortSignal): Promise<Result> {
  if (!signal) return running
  return new Promise((resolve, reject) => {
    running.then(resolve, reject).finally(onAbort(signal, () => reject(HeedError.aborted(signal))))
  })
}
