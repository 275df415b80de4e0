// What a browser and Node do differently, seen from the thread that uses a model.
import type { HeedError } from '../errors.js'
import type { FileSource, FromEngine, ModuleFiles, ModuleName, ToEngine } from '../protocol.js'
import type { Assets } from '../types.js'
import type { WebUrl } from '../web-types.js'

/** A started engine worker, seen from outside. */
export interface Endpoint {
  post(message: ToEngine, transfer?: ArrayBuffer[]): void
  /** `onError` is called where the worker breaks down. */
  listen(onMessage: (message: FromEngine) => void, onError: (error: HeedError) => void): void
  /** Resolves once it has ended, where that can be known. */
  terminate(): void | Promise<void>
  /** Whether the process must stay alive for the worker's sake. */
  setBusy(busy: boolean): void
}

export interface Platform {
  /** Cores that there are. */
  readonly cores: number
  /** What a text or URL given as a source means. */
  locate(source: string | WebUrl): FileSource
  /** The model that comes with the package. */
  defaultModel(assets?: Assets): FileSource
  /** A module that an engine worker is to run. */
  engineFiles(name: ModuleName, assets?: Assets): ModuleFiles
  /** The address of the store's script; nothing where the worker has that in it. */
  storeScript(assets?: Assets): string | undefined
  /** Resolves once the script of the worker runs. Throws `network` or `unsupported`, with the cause and the remedy. */
  startEngine(assets?: Assets): Promise<Endpoint>
}
