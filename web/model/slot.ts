// Holds the current model and loads the next one. If a load fails or is canceled, the old model stays.
import {
  type AttentionOf,
  HeedError,
  type HubOptions,
  loadModel,
  type LoadProgress,
  type Model,
  type ModelInfo,
  type ModelSource,
} from 'heed'
import { Observable } from '../support/observable.js'

/** Example input for a model. */
export interface Example {
  /** Prompts or, for a model of texts and images, texts to compare with the image. */
  texts?: readonly string[]
  /** The address of an image. */
  picture?: string
  /** For a model that reads images, the addresses of images to ask about; `texts` are then questions. */
  pictures?: readonly string[]
  /** Whether the model was trained on nothing but questions about images, so that its answer means nothing without one. */
  needsPicture?: boolean
  /** For a model that transcribes, the address of a sound. */
  sound?: string
  /** An interesting place; without a head, the mean of the heads. Layers and heads count from 1, as in the page's texts. */
  view?: { readonly kind?: AttentionOf; readonly layer: number; readonly head?: number }
}

/** The projector of a pair, which lets a text model read images. */
export interface Projector {
  /** Its name in messages. */
  readonly name: string
  readonly data: ModelSource
}

/** A model to load; without `data`, the one bundled with the package. */
export interface Source {
  /** Its name in progress and error messages. */
  name: string
  data?: ModelSource
  /** Lets the model read images. */
  projector?: Projector
  /** Whether to store the model in the browser, if possible, because it is downloaded from elsewhere. */
  cache?: boolean
  hub?: HubOptions
  /** The context length in tokens; by default what the model and the memory allow. */
  contextLength?: number
  /** The sources of the copies of its files in the store, if there are any. */
  stored?: { data: string; projector?: string }
  example?: Example
}

export interface Loading {
  source: Source
  progress: LoadProgress
  /** Whether the download is stored, so that it can be paused and resumed. */
  isKept: boolean
  isPaused?: boolean
}

export class ModelSlot {
  readonly model = new Observable<Model | undefined>(undefined)
  readonly loading = new Observable<Loading | undefined>(undefined)
  readonly #canKeep: Promise<boolean>
  readonly #exampleOf: (info: ModelInfo) => Promise<Example | undefined>
  #source?: Source
  #cancel = new AbortController()

  /** `exampleOf` returns the example for a model other than the bundled one. */
  constructor(canKeep: Promise<boolean>, exampleOf: (info: ModelInfo) => Promise<Example | undefined>) {
    this.#canKeep = canKeep
    this.#exampleOf = exampleOf
  }

  /** The source of the current model. */
  get source(): Source | undefined {
    return this.#source
  }

  /** Loads a model, canceling any other load. Rejects with a HeedError, but resolves if canceled. */
  async load(source: Source): Promise<void> {
    this.cancel()
    const { signal } = (this.#cancel = new AbortController())
    const isKept = source.cache === true && (await this.#canKeep)
    if (signal.aborted) return
    this.loading.value = { source, isKept, progress: { phase: 'resolve', loaded: 0, cached: 0 } }
    try {
      const model = await loadModel(source.data, {
        signal,
        cache: isKept,
        hub: source.hub,
        contextLength: source.contextLength,
        ...(source.projector && { projector: source.projector.data }),
        onProgress: progress => {
          if (!signal.aborted) this.loading.value = { source, isKept, progress }
        },
      })
      if (source.data !== undefined) source.example = await this.#exampleOf(model.info)
      if (signal.aborted) return void model.dispose()
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

  /** Stops a load whose data is stored; loading its source again resumes it. */
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
