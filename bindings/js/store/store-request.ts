// A request to the store to open or download a model.
import type { HeedError } from '../wire/errors.js'
import type { StoreAccess } from './folder.js'
import type { HubEntry } from './hub.js'
import type { SourceRecord } from './journal-lines.js'
import type { ProgressReport } from './progress.js'

export interface StoreRequest {
  record: SourceRecord
  /** Finds the files; queries the hub if necessary. */
  find(): Promise<HubEntry[]>
  /** The expected SHA-256 of each file, in hexadecimal. */
  integrity?: string[]
  stallMs: number
  /** Whether a stored model is used only if the server still has the same one. */
  isChecked?: boolean
  /** Whether the model is only stored, and not read. */
  isForLater?: boolean
  report: ProgressReport
  access: StoreAccess
  /** Called if the model cannot be stored; throws if storing was the only purpose. */
  giveUp(error: HeedError): void
}
