// What the lab's larger calls work with: a model's engine, its description, and where files are.
import type { ModelInfo } from '../../types/index.js'
import type { Connection } from '../connection.js'
import type { Place } from '../files.js'

export interface Desk {
  readonly connection: Connection
  readonly info: ModelInfo
  readonly place: Place
}
