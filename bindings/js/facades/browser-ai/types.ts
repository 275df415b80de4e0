// Types that the browsers' AI interfaces share: the dictionaries of their specifications, and the options for loading the model.
import type { loadModel } from '../../index.js'
import type { Model } from '../../page/model.js'
import type { LoadOptions, ModelSource } from '../../types/index.js'

export type Availability = 'unavailable' | 'downloadable' | 'downloading' | 'available'

export interface DownloadProgress extends Event {
  /** From 0 to 1. */
  readonly loaded: number
  readonly total: 1
  readonly lengthComputable: true
}

export type CreateMonitor = {
  ondownloadprogress: ((event: DownloadProgress) => unknown) | null
  addEventListener(
    type: 'downloadprogress',
    listener: (event: DownloadProgress) => void,
    options?: boolean | AddEventListenerOptions,
  ): void
} & EventTarget

export interface CreateOptions {
  /** Aborts the creation and, later, destroys the object. */
  signal?: AbortSignal
  /** Receives the object that fires `downloadprogress` while the model loads; `loaded` goes from 0 to 1. */
  monitor?(monitor: CreateMonitor): void
}

/** The part that the classes of all these interfaces have in common. */
export interface ModelClass {
  availability(options?: object): Promise<Availability>
  create(options?: object): Promise<object>
}

/** How the first `create` loads the model; includes the options of `loadModel`. */
export interface OverModelOptions extends LoadOptions {
  /** A loaded model. */
  model?: Model
  /** The source for `loadModel`. Default: the bundled model. */
  source?: ModelSource
  /** Loads the model. Default: `loadModel` of `heed`. */
  load?: typeof loadModel
  /** Languages that the model supports; others are `unavailable`. Default: any. */
  languages?: readonly string[]
}
