// The one model in use, and the loading of the next: one that fails or is cancelled leaves the old in place.
import { HeedError, type HubOptions, loadModel, type LoadProgress, type Model, type ModelSource } from 'heed'
import { Observable } from '../support/observable.js'

/** Something to try a model with. */
export interface Example {
  /** Prompts or, for a model that knows texts and pictures, texts to compare with the picture. */
  texts?: readonly string[]
  /** The address of a picture. */
  picture?: string
}

/** A model to load; without `data`, the one that comes with the package. */
export interface Source {
  /** What to call it while it loads, and where it fails. */
  name: string
  data?: ModelSource
  /** Whether it comes from elsewhere, and is to be kept where the browser can. */
  cache?: boolean
  hub?: HubOptions
  example?: Example
}

export interface Loading {
  source: Source
  progress: LoadProgress
  /** Whether what comes is kept, so that the load can be paused. */
  isKept: boolean
  isPaused?: boolean
}

export class ModelSlot {
  readonly model = new Observable<Model | undefined>(undefined)
  readonly loading = new Observable<Loading | undefined>(undefined)
  readonly #canKeep: Promise<boolean>
  #source?: Source
  #cancel = new AbortController()

  constructor(canKeep: Promise<boolean>) {
    this.#canKeep = canKeep
  }

  /** What `model` was loaded from. */
  get source(): Source | undefined {
    return this.#source
  }

  /** Loads in place of any other load. Rejects with a HeedError, but resolves where it was cancelled. */
  async load(source: Source): Promise<void> {
    this.cancel()
    const { signal } = this.#cancel = new AbortController()
    const isKept = source.cache === true && await this.#canKeep
    if (signal.aborted) return
    this.loading.value = { source, isKept, progress: { phase: 'resolve', loaded: 0, cached: 0 } }
    try {
      const model = await loadModel(source.data, {
        signal,
        cache: isKept,
        hub: source.hub,
        onProgress: progress => {
          if (!signal.aborted) this.loading.value = { source, isKept, progress }
        },
      })
      const old = this.model.value
      this.#source = source
      this.model.value = model
      await old?.dispose()
    } catch (error) {
      if (!(error instanceof HeedError && error.code === 'aborted')) throw error
    } finally {
      if (!signal.aborted) this.loading.value = undefined
    }
  }

  /** Stops a load that is kept; loading its source goes on with it. */
  pause(): void {
    const loading = this.loading.value
    this.#cancel.abort()
    if (loading) this.loading.value = { ...loading, isPaused: true }
  }

  cancel(): void {
    this.#cancel.abort()
    this.loading.value = undefined
  }
}
