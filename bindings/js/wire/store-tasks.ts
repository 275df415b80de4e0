// The requests of `modelStore` to the store in the worker, and their answers.
import type { Fit, StoredModel, StoreEstimate } from '../types/store.js'
import type { FileSource, ModelRequest } from './model-request.js'
import type { LoadParameters } from './options.generated.js'
import type { ModuleFiles } from './module-files.js'

export type StoreTask =
  | { task: 'download'; request: ModelRequest }
  /** `name`: the user's name for the model, or the name of its first file. */
  | { task: 'import'; source: FileSource; name: string }
  | { task: 'list' | 'clear' | 'clearKept' | 'estimate' }
  | { task: 'has' | 'delete'; source: FileSource }
  | { task: 'prune'; keepBytes: number }
  /** `modules`, `lack` and `options` are the same as for `load`. */
  | { task: 'fits'; request: ModelRequest; modules: ModuleFiles[]; lack?: string; options: LoadParameters }

export interface StoreResults {
  download: StoredModel
  import: StoredModel
  list: StoredModel[]
  clear: void
  clearKept: void
  estimate: StoreEstimate
  has: boolean
  delete: boolean
  prune: StoredModel[]
  fits: Fit
}
