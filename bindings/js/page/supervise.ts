// Runs a call in an engine of its own, such as a load or a download: an abort, or an `onProgress` that throws, terminates the
// engine.
import type { LoadProgress } from '../types/index.js'
import type { WebAbortSignal } from '../types/web.js'
import { HeedError, refuse } from '../wire/errors.js'
import type { CallEvent } from '../wire/protocol.js'
import type { Connection } from './connection.js'
import { onAbort } from './on-abort.js'

interface Watched {
  signal?: WebAbortSignal
  onProgress?: (progress: LoadProgress) => void
}

/** `report` passes on the events of progress; `settled` must be called when the call has ended. */
export const supervise = (call: string, connection: Connection, { signal, onProgress }: Watched) => ({
  settled: onAbort(signal, () => {
    void connection.close(HeedError.aborted(signal))
  }),
  report(event: CallEvent) {
    if (event.type !== 'progress') return
    try {
      onProgress?.(event.progress)
    } catch (error) {
      void connection.close(refuse(`${call}: onProgress failed: ${(error as Error)?.message}`, error))
    }
  },
})
