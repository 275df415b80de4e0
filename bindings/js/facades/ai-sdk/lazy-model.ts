// A model that is loaded, is being loaded, or will be loaded when it is first needed.
import type { Model } from '../../page/model.js'
import { onAbort } from '../../page/on-abort.js'
import type { LoadProgress } from '../../types/index.js'
import { isLost } from '../../wire/errors.js'

export type OnProgress = (progress: LoadProgress) => void

export class LazyModel {
  #model?: Promise<Model>
  #loaded?: Model
  #progress?: LoadProgress
  readonly #listeners = new Set<OnProgress>()
  readonly #start: (onProgress: OnProgress) => Promise<Model>
  readonly #isOwn: boolean

  /** `id` is the name until the model is loaded; a model that the user has loaded is not the provider's own. */
  constructor(
    readonly id: string,
    start: (onProgress: OnProgress) => Promise<Model>,
    isOwn = false,
  ) {
    this.#start = start
    this.#isOwn = isOwn
  }

  /**
   * Loads the model, unless a load has begun, and reports the progress. After a failure, the next call tries again; a model that
   * has crashed or been disposed of meanwhile is loaded again, unless the user passed it in.
   */
  async load(onProgress?: OnProgress): Promise<Model> {
    if (onProgress) {
      this.#listeners.add(onProgress)
      if (this.#progress) onProgress(this.#progress)
    }
    try {
      for (let lost: Model | undefined; ; ) {
        const model = await (this.#model ??= this.#begin())
        if (!model.isLost || model === lost) return model
        this.#forget(model)
        lost = model
      }
    } finally {
      if (onProgress) this.#listeners.delete(onProgress)
    }
  }

  /** The loaded model. An abort ends the wait, but the load continues for others. */
  async ready(signal?: AbortSignal): Promise<Model> {
    if (!signal) return this.load()
    signal.throwIfAborted()
    let ended = () => {}
    const aborted = new Promise<never>((_, reject) => {
      ended = onAbort(signal, () => reject(signal.reason))
    })
    try {
      return await Promise.race([this.load(), aborted])
    } finally {
      ended()
    }
  }

  /** Settles as the model's call does. If the model turns out to be unusable, the next call loads it again. */
  async use<Result>(model: Model, call: Promise<Result>, signal?: AbortSignal): Promise<Result> {
    try {
      return await call
    } catch (error) {
      this.forgetAfter(error, model)
      throw signal?.aborted ? signal.reason : error
    }
  }

  /** Forgets `model` if `error` says that it is lost, unless another model has replaced it. */
  forgetAfter(error: unknown, model: Model): void {
    if (isLost(error)) this.#forget(model)
  }

  /** Disposes of the model, loaded or loading, if it is the provider's own; later calls load it again. */
  async dispose(): Promise<void> {
    const loading = this.#model
    if (!this.#isOwn || !loading) return
    this.#model = this.#loaded = this.#progress = undefined
    await (await loading.catch(() => undefined))?.dispose()
  }

  #forget(model: Model): void {
    if (model === this.#loaded) this.#model = this.#loaded = this.#progress = undefined
  }

  #begin(): Promise<Model> {
    let isLast = () => true // whether no later load has begun, and the model is not disposed of
    const loading = this.#start(progress => {
      if (isLast()) this.#progress = progress
      for (const tell of this.#listeners) tell(progress)
    }).then(
      model => {
        if (isLast()) this.#loaded = model
        return model
      },
      (error: unknown) => {
        if (isLast()) this.#model = this.#progress = undefined
        throw error
      },
    )
    isLast = () => this.#model === loading
    return loading
  }
}
