// The platform's interface for the engine's worker.
import type { Store } from '../store/interface.js'
import type { ModelFile } from '../store/model-file.js'
import type { FromEngine, ToEngine } from '../wire/protocol.js'
import type { CreateModule, ThreadWorker } from './engine.js'

/** The worker's end of the connection, and platform-dependent functions. */
export interface Port {
  post(message: FromEngine, transfer?: ArrayBuffer[]): void
  /** `onEnd` is called before the worker is terminated, unless it computes; it resolves once the threads have ended, if known. */
  listen(onMessage: (message: ToEngine) => void, onEnd: () => void | Promise<void>): void
  /** The machine's memory in bytes, if known. */
  readonly memoryBytes?: number
  /** Resolves once pending messages have been handled. */
  yieldToMessages(): Promise<void>
  openPath?(path: string): ModelFile
  /** This method and the next three throw `network` or `unsupported`, with the cause. */
  readGlue(address: string): Promise<CreateModule>
  compile(address: string): Promise<WebAssembly.Module>
  /** Loads the store; `address`: the address of its script, if that is separate. */
  readStore(address?: string): Promise<Store>
  /** As `readStore`, for scripts that are loaded on demand. Other calls continue while one is being loaded. */
  readLater<Script>(name: 'constraints' | 'lab' | 'kept', address?: string): Promise<Script>
  /** Starts a worker that runs the glue as a thread; absent if there are no threads. */
  startThread?(glue: string): Promise<ThreadWorker>
  /**
   * Whether threads end with this worker, and must not be terminated before: of some 300 workers that had terminated one of their
   * own, Chromium kept one for ever, with its memory, after it was terminated itself.
   */
  readonly endsThreads?: boolean
}
