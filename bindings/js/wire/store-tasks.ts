// The requests of `modelStore` to the store in the worker, and their answers.
import type { StoredModel, StoreEstimate } from '../types/store.js'
import type { FileSource, ModelRequest } from './model-request.js'

export type StoreTask =
  | { task: 'download'; request: ModelRequest }
  /** `name`: the user's name for the model, or the name of its first file. */
  | { task: 'import'; source: FileSource; name: string }
  | { task: 'list' | 'clear' | 'estimate' }
  | { task: 'has' | 'delete'; source: FileSource }
  | { task: 'prune'; keepBytes: number }

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
