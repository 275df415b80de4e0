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

  /** `id` is the name before the model is loaded. */
  constructor(readonly id: string, start: (onProgress: OnProgress) => Promise<Model>) {
    this.#start = start
  }

  /** Loads the model, unless that has begun, and reports the progress. After a failure, the next call tries again. */
  async load(onProgress?: OnProgress): Promise<Model> {
    if (onProgress) {
      this.#listeners.add(onProgress)
      if (this.#progress) onProgress(this.#progress)
    }
    try {
      return await (this.#model ??= this.#begin())
    } finally {
      if (onProgress) this.#listeners.delete(onProgress)
    }
  }

  /** The loaded model. An abort ends the wait, but the load continues for others. */
  async ready(signal?: AbortSignal): Promise<Model> {
    if (!signal) return this.load()
    signal.throwIfAborted()
    let ended = () => {}
    const aborted = new Promise<never>((_, reject) => { ended = onAbort(signal, () => reject(signal.reason)) })
    try {
      return await Promise.race([this.load(), aborted])
    } finally {
      ended()
    }
  }

  /** Settles as the call of the model does. If the model turns out to be lost, the next call loads it again. */
  async use<Result>(model: Model, call: Promise<Result>, signal?: AbortSignal): Promise<Result> {
    try {
      return await call
    } catch (error) {
      this.forgetAfter(error, model)
      throw signal?.aborted ? signal.reason : error
    }
  }

  /** Unless another one has taken its place. */
  forgetAfter(error: unknown, model: Model): void {
    if (isLost(error) && model === this.#loaded) this.#model = this.#loaded = this.#progress = undefined
  }

  async #begin(): Promise<Model> {
    try {
      return this.#loaded = await this.#start(progress => {
        this.#progress = progress
        for (const tell of this.#listeners) tell(progress)
      })
    } catch (error) {
      this.#model = this.#progress = undefined
      throw error
    }
  }
}
