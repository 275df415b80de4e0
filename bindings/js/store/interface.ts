// The interface of the store for the engine worker. The store's code is a separate script, which is loaded once something must be
// downloaded, stored, verified or joined.
import type { FileSource, ModelRequest } from '../wire/model-request.js'
import type { StoreResults, StoreTask } from '../wire/store-tasks.js'
import type { ModelFile } from './model-file.js'
import type { ProgressReport } from './progress.js'

/** The functions that the store needs from its worker. */
export interface FileAccess {
  /** Opens a file that is neither downloaded nor stored. Fails with `network` or `io`. */
  openFile(source: FileSource): Promise<ModelFile>
}

export interface Store {
  /** A model as one file, for the loader. Fails with `network`, `io`, `invalid-file` or `invalid-argument`. */
  open(request: ModelRequest, access: FileAccess, report: ProgressReport): Promise<ModelFile>
  run(task: StoreTask, access: FileAccess, report: ProgressReport): Promise<StoreResults[keyof StoreResults]>
}
