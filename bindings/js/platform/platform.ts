// The interface to browsers and Node, for the thread that uses a model.
import type { Assets, Pixels } from '../types/index.js'
import type { WebBlob, WebUrl } from '../types/web.js'
import type { HeedError } from '../wire/errors.js'
import type { FileSource } from '../wire/model-request.js'
import type { FromEngine, ModuleFiles, ToEngine } from '../wire/protocol.js'
import type { ModuleName } from './assets.js'

/** A started worker, seen from outside; by default the engine's worker. */
export interface Endpoint<To = ToEngine, From = FromEngine> {
  post(message: To, transfer?: (ArrayBuffer | MessagePort)[]): void
  /** `onError` is called if the worker fails. */
  listen(onMessage: (message: From) => void, onError: (error: HeedError) => void): void
  /** Resolves when the worker has ended, if the platform reports that. `hasModel`: an engine may have to end its threads first. */
  terminate(hasModel?: boolean): void | Promise<void>
  /** Whether the worker must keep the process alive. */
  setBusy(busy: boolean): void
  /** For an engine that tabs share: which tab runs it now. */
  readonly runsIn?: 'this-tab' | 'another-tab' | undefined
}

/** Calls `react` when the call is aborted, or at once if it already is. Returns a function that cancels this. */
export type WhenAborted = (react: () => void) => () => void

/** Decodes any image that is not already pixels. */
export type DecodeImage = (image: unknown, whenAborted: WhenAborted) => Promise<Pixels>

type LaterScript = 'heed-store.js' | 'heed-constraints.js' | 'heed-lab.js' | 'heed-kept.js' | 'heed-microphone.js'

export interface Platform {
  /** The number of cores. */
  readonly cores: number
  /** Interprets a text or URL given as a source. */
  locate(source: string | WebUrl): FileSource
  /** The model that comes with the package. */
  defaultModel(assets?: Assets): FileSource
  /** The files of a WebAssembly module. */
  engineFiles(name: ModuleName, assets?: Assets): ModuleFiles
  /** The address of the module of constraints. */
  constraintsModule(assets?: Assets): string
  /** The address of a script that the worker loads on demand; undefined if the worker's own script contains it. */
  workerScript(name: LaterScript, assets?: Assets): string | undefined
  /** Whether a Blob, such as one from Node's `fs.openAsBlob`, cannot be sent to a worker and must be read in this thread. */
  cannotSend?(blob: WebBlob): boolean
  /** The pixels of an image file, a Blob, or anything else that the platform can draw. */
  decodeImage(image: unknown, whenAborted: WhenAborted, assets?: Assets): Promise<Pixels>
  /** Resolves once the worker's script runs. Throws `network` or `unsupported`, with the cause and the remedy. */
  startEngine(assets?: Assets): Promise<Endpoint>
  /** As `startEngine`, for the worker that runs templates. */
  startTemplates(assets?: Assets): Promise<Endpoint<unknown, unknown>>
}
