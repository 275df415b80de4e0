// The models of components. Components that request the same source with the same options share one model; it is disposed of soon
// after the last one has unmounted. The delay is long enough for the remount of React's StrictMode, for moving an element, and for
// changing pages, so none of these loads a model twice.
import type { Model } from '../page/model.js'
import type { LoadOptions, LoadProgress, ModelSource } from '../types/index.js'
import { HeedError } from '../wire/errors.js'
import { Observable } from './observable.js'

export type ModelState =
  /** No source has been given. */
  | { readonly status: 'idle'; readonly model?: undefined; readonly progress?: undefined; readonly error?: undefined }
  | { readonly status: 'loading'; readonly model?: undefined; readonly progress?: LoadProgress; readonly error?: undefined }
  | { readonly status: 'ready'; readonly model: Model; readonly progress?: undefined; readonly error?: undefined }
  | { readonly status: 'error'; readonly model?: undefined; readonly progress?: undefined; readonly error: HeedError }

export type UseModelOptions = Omit<LoadOptions, 'signal' | 'onProgress'>

/** Loads a model: the platform's `loadModel`. */
export type LoadModel = (source: ModelSource | undefined, options: LoadOptions) => Promise<Model>

export const idle: ModelState = { status: 'idle' }
export const loading: ModelState = { status: 'loading' }

export class SharedModel extends Observable<ModelState> {
  readonly #load: (options: Pick<LoadOptions, 'signal' | 'onProgress'>) => Promise<Model>
  #users = 0
  #ending?: ReturnType<typeof setTimeout>
  /** Aborts the most recent load; absent while nobody uses the model. */
  #stop?: AbortController

  constructor(load: (options: Pick<LoadOptions, 'signal' | 'onProgress'>) => Promise<Model>) {
    super(loading)
    this.#load = load
  }

  /** Loads the model if nobody uses it yet. Returns a function that ends this use. */
  use(): () => void {
    clearTimeout(this.#ending)
    this.#users++
    if (!this.#stop) this.#begin()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      if (--this.#users === 0) this.#ending = setTimeout(() => this.#end())
    }
  }

  /** Loads the model again after an error. */
  retry(): void {
    if (this.get().status === 'error') this.#begin()
  }

  #begin(): void {
    const { signal } = (this.#stop = new AbortController())
    const set = (state: ModelState) => {
      if (!signal.aborted) this.set(state)
    }
    set(loading)
    this.#load({ signal, onProgress: progress => set({ status: 'loading', progress }) }).then(
      model => (signal.aborted ? void model.dispose() : set({ status: 'ready', model })),
      (error: unknown) => set({ status: 'error', error: HeedError.from(error) }),
    )
  }

  #end(): void {
    this.#stop?.abort()
    this.#stop = undefined
    void this.get().model?.dispose()
    this.set(loading)
  }
}

const numbers = new WeakMap<object, number>()
let lastNumber = 0

/** Replaces values other than plain data, such as a File or a function, by their identity. */
function identity(_: string, value: unknown): unknown {
  if (value instanceof URL) return value.href
  const isPlain =
    typeof value !== 'function' &&
    (typeof value !== 'object' || value === null || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)
  if (isPlain) return value
  if (!numbers.has(value as object)) numbers.set(value as object, ++lastNumber)
  return { '': numbers.get(value as object) }
}

/** A text that is equal for equal sources and options. */
export const keyOf = (source: ModelSource | undefined, options: UseModelOptions): string =>
  JSON.stringify([source, options], identity)

/** The models of a page, by source and options. */
export class SharedModels {
  readonly #load: LoadModel
  readonly #models = new Map<string, SharedModel>()

  constructor(load: LoadModel) {
    this.#load = load
  }

  of(source: ModelSource | undefined, options: UseModelOptions, key = keyOf(source, options)): SharedModel {
    const shared = this.#models.get(key) ?? new SharedModel(given => this.#load(source, { ...options, ...given }))
    this.#models.set(key, shared)
    return shared
  }
}
