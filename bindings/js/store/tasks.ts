// The interface of the store for the engine worker. The store's code is a separate script, which is loaded once something must be
// downloaded, stored, verified or joined.
import type { FileAccess } from '../bytes.js'
import type { FileSource, ModelRequest } from '../protocol.js'
import type { ModelFile } from './model-file.js'
import type { ProgressReport } from './progress.js'
import type { StoredModel, StoreEstimate } from './types.js'

export type StoreTask =
  | { task: 'download', request: ModelRequest }
  /** `name`: the user's name for the model, or the name of its first file. */
  | { task: 'import', source: FileSource, name: string }
  | { task: 'list' | 'clear' | 'estimate' }
  | { task: 'has' | 'delete', source: FileSource }
  | { task: 'prune', keepBytes: number }

export interface StoreResults {
  download: StoredModel
  import: StoredModel
  list: StoredModel[]
  clear: void
  estimate: StoreEstimate
  has: boolean
  delete: boolean
  prune: StoredModel[]
}

export interface Store {
  /** A model as one file, for the loader. Fails with `network`, `io`, `invalid-file` or `invalid-argument`. */
  open(request: ModelRequest, access: FileAccess, report: ProgressReport): Promise<ModelFile>
  run(task: StoreTask, access: FileAccess, report: ProgressReport): Promise<StoreResults[keyof StoreResults]>
}
