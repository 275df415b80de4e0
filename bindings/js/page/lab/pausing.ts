// Lets events in while the page computes.
import type { WebAbortSignal } from '../../types/web.js'
import { HeedError } from '../../wire/errors.js'

/** Milliseconds that the page computes before other tasks get their turn. */
const most = 20

/** Returns a function to await often while computing; it throws `aborted`. */
export function pausing(signal?: WebAbortSignal): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < most) return
    await new Promise<void>(resolve => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.close()
        resolve()
      }
      port2.postMessage(0)
    })
    since = performance.now()
    if (signal?.aborted) throw HeedError.aborted(signal)
  }
}
