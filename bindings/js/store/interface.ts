// The interface of the store for the engine worker. The store's code is a separate script, which is loaded once something must be
// downloaded, stored, verified or joined.
import type { ModelInfo } from '../types/index.js'
import type { Metadata } from '../types/store.js'
import type { HeedError } from '../wire/errors.js'
import type { FileSource, ModelRequest } from '../wire/model-request.js'
import type { StoreResults, StoreTask } from '../wire/store-tasks.js'
import type { StorePlace } from './folder.js'
import type { ModelFile } from './model-file.js'
import type { ProgressReport } from './progress.js'

export type FitsTask = Extract<StoreTask, { task: 'fits' }>

/** Forecast in src/runtime/forecast.hpp. */
export interface Forecast {
  info: Omit<ModelInfo, 'simd' | 'memory64' | 'embedsImages' | 'acceptsImages' | 'acceptsAudio' | 'readsImages'>
  /** In bytes: the most that the model may take (`limit`), its weights, and the KV cache of a text that fills the context. */
  limit: number
  weights: number
  cache: number
  longestContext: number
  /** Tokens per second, for reading a prompt and for writing. */
  reading: number
  writing: number
}

/** An engine without a model. */
export interface Forecaster {
  readonly memory64: boolean
  readonly threads: number
  forecast(header: Uint8Array): Promise<Forecast>
  /**
   * Replaces the engine by one with 64-bit memory, as a load does for a model that does not fit; throws `refusal` if there is none.
   */
  larger(refusal: HeedError): Promise<Forecaster>
  end(): Promise<void>
}

/** The functions that the store needs from its worker. */
export interface FileAccess {
  /** Opens a file that is neither downloaded nor stored. Fails with `network` or `io`. */
  openFile(source: FileSource): Promise<ModelFile>
  /** Starts the engine that a load would start first. */
  startForecaster(task: FitsTask): Promise<Forecaster>
}

export interface Store {
  /** A model as one file, for the loader. Fails with `network`, `io`, `invalid-file` or `invalid-argument`. */
  open(request: ModelRequest, access: FileAccess, report: ProgressReport): Promise<ModelFile>
  /** The place where the texts and answers of models are kept; undefined if nothing can be stored. */
  kept(): Promise<StorePlace | undefined>
  /** All metadata of a file, or of its beginning. Fails as `open` does. */
  metadata(file: ModelFile | readonly Uint8Array[]): Promise<Metadata>
  run(task: StoreTask, access: FileAccess, report: ProgressReport): Promise<StoreResults[keyof StoreResults]>
}
