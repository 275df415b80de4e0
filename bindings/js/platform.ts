// What a browser and Node do differently, seen from the thread that uses a model.
import type { HeedError } from './errors.js'
import type { FileSource, FromEngine, ToEngine } from './protocol.js'
import type { Simd } from './types.js'

/** An engine worker, seen from outside. */
export interface Endpoint {
  post(message: ToEngine, transfer?: ArrayBuffer[]): void
  /** `onError` is called where the worker breaks down, or cannot be started. */
  listen(onMessage: (message: FromEngine) => void, onError: (error: HeedError) => void): void
  terminate(): void
  /** Whether the process must stay alive for the worker's sake. */
  setBusy(busy: boolean): void
}

export interface Platform {
  /** Cores that there are. */
  readonly cores: number
  readonly defaultModel: FileSource
  /** What a text or URL given as a source means. */
  locate(source: string | URL): FileSource
  startEngine(simd: Simd): Endpoint
}
