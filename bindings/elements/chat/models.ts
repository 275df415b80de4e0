// The model of an element: a given model, or one that all elements with the same source and options share while they are in the
// page.
import type { LoadOptions, LoadProgress, Model, ModelSource } from 'heed'
import { SharedModels } from '#facades/shared-models.js'

/** Options of `loadModel`, except for those that the element sets itself. */
export type ElementLoadOptions = Omit<LoadOptions, 'signal' | 'onProgress'>

const models = new SharedModels(async (source, options) => (await import('#heed')).loadModel(source, options))

export interface ModelEvents {
  readonly progress: (progress: LoadProgress) => void
  readonly ready: (model: Model) => void
  readonly failed: (error: Error) => void
}

export class ElementModel {
  readonly #events: ModelEvents
  #given?: Model
  #shared?: ReturnType<typeof models.of>
  #leave = () => {}
  readonly #waiting = new Set<{ resolve: (model: Model) => void; reject: (error: unknown) => void }>()

  constructor(events: ModelEvents) {
    this.#events = events
  }

  /** The model, once there is one. */
  get value(): Model | undefined {
    return this.#given ?? (this.#shared?.get().model as Model | undefined)
  }

  /** Whether loading has failed. */
  get hasFailed(): boolean {
    return this.#shared?.get().error !== undefined
  }

  get given(): Model | undefined {
    return this.#given
  }

  give(model: Model | undefined): void {
    this.#given = model
    if (model) this.#isReady(model)
  }

  /** Resolves to the model when it is loaded. */
  ready(signal: AbortSignal): Promise<Model> {
    if (this.value) return Promise.resolve(this.value)
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject }
      this.#waiting.add(waiting)
      signal.addEventListener('abort', () => {
        this.#waiting.delete(waiting)
        reject(signal.reason)
      })
    })
  }

  /** Loads the model, unless it is loading or was given. After an error, this loads again. */
  load(source: ModelSource | undefined, options: ElementLoadOptions): void {
    if (this.#given) return
    if (this.#shared) return this.#shared.retry()
    const shared = (this.#shared = models.of(source, options))
    const changed = () => {
      const { status, progress, model, error } = shared.get()
      if (status === 'loading' && progress) this.#events.progress(progress)
      if (model) this.#isReady(model as Model)
      if (error) this.#hasFailed(error)
    }
    const unsubscribe = shared.subscribe(changed)
    const release = shared.use()
    this.#leave = () => {
      unsubscribe()
      release()
    }
    changed()
  }

  /** Gives up a model that was loaded here. */
  free(): void {
    this.#leave()
    this.#leave = () => {}
    this.#shared = undefined
  }

  #isReady(model: Model): void {
    this.#events.ready(model)
    for (const { resolve } of this.#waiting) resolve(model)
    this.#waiting.clear()
  }

  #hasFailed(error: Error): void {
    this.#events.failed(error)
    for (const { reject } of this.#waiting) reject(error)
    this.#waiting.clear()
  }
}
