// The base class of the AI SDK's models.
import type { Model } from '../../page/model.js'
import type { LazyModel, OnProgress } from './lazy-model.js'

export abstract class SdkModel {
  readonly specificationVersion = 'v4'
  /** The model's name or, before it is loaded, the name of its source. */
  readonly modelId: string
  /** @internal */
  protected readonly lazy: LazyModel

  /** @internal Made by a provider. */
  constructor(lazy: LazyModel) {
    this.lazy = lazy
    this.modelId = lazy.id
  }

  /**
   * Loads the model, unless it is loaded: to do so before the first call, to show the progress of the download, or to dispose of
   * the model. If a load has already begun, `onProgress` is called at once with its progress.
   */
  load(onProgress?: OnProgress): Promise<Model> {
    return this.lazy.load(onProgress)
  }
}
