// The interface of the store for the engine worker. The store's code is a separate script, which is loaded once something must be
// downloaded, stored, verified or joined.
import type { Metadata } from '../types/store.js'
import type { HeedError } from '../wire/errors.js'
import type { FileSource, ModelRequest } from '../wire/model-request.js'
import type { LoadParameters, ModuleFiles } from '../wire/protocol.js'
import type { StoreResults, StoreTask } from '../wire/store-tasks.js'
import type { StartedEngine } from '../worker/start-engine.js'
import type { StorePlace } from './folder.js'
import type { ModelFile } from './model-file.js'
import type { ProgressReport } from './progress.js'

export type FitsTask = Extract<StoreTask, { task: 'fits' }>

/** The functions that the store needs from its worker. */
export interface FileAccess {
  /** Opens a file that is neither downloaded nor stored. Fails with `network` or `io`. */
  openFile(source: FileSource): Promise<ModelFile>
  startEngine(files: ModuleFiles, options: LoadParameters): Promise<StartedEngine>
  /** Replaces an engine that refuses a model, as a load does. */
  startLarger(
    call: Pick<FitsTask, 'modules' | 'lack' | 'options'>,
    small: StartedEngine,
    refusal: HeedError,
  ): Promise<StartedEngine>
}

export interface Store {
  /** A model as one file, for the loader. Fails with `network`, `io`, `invalid-file` or `invalid-argument`. */
  open(request: ModelRequest, access: FileAccess, report: ProgressReport): Promise<ModelFile>
  /** The place of what models keep; undefined if nothing can be stored. */
  kept(): Promise<StorePlace | undefined>
  /** All metadata of a file, or of one whose beginning is at hand. Fails as `open` does. */
  metadata(file: ModelFile | readonly Uint8Array[]): Promise<Metadata>
  run(task: StoreTask, access: FileAccess, report: ProgressReport): Promise<StoreResults[keyof StoreResults]>
}
