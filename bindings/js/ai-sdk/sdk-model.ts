// What all models that the AI SDK is given have in common.
import type { Model } from '../model.js'
import type { LazyModel, OnProgress } from './lazy-model.js'

export abstract class SdkModel {
  readonly specificationVersion = 'v4'
  /** The model's name or, before it is loaded, what its source is called. */
  readonly modelId: string
  /** @internal */
  protected readonly lazy: LazyModel

  /** @internal Made by a provider. */
  constructor(lazy: LazyModel) {
    this.lazy = lazy
    this.modelId = lazy.id
  }

  /**
   * Loads the model, unless it is there: to do so ahead of the first call, to show the download's progress, or to dispose of the
   * model. `onProgress` is told at once how far a load is that was begun before.
   */
  load(onProgress?: OnProgress): Promise<Model> {
    return this.lazy.load(onProgress)
  }
}
