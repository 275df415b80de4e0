// The base class of the AI SDK's models.
/// <reference lib="esnext.disposable" preserve="true" />
import { makeDisposable } from '../../page/disposable.js'
import type { Model } from '../../page/model.js'
import type { LazyModel, OnProgress } from './lazy-model.js'

export abstract class SdkModel {
  readonly specificationVersion = 'v4'
  /** The model's name or, before it is loaded, the name of its source. */
  readonly modelId: string
  /** @internal */
  protected readonly lazy: LazyModel

  /** @internal Created by a provider. */
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

  /**
   * Disposes of the model if the provider has loaded it, or is loading it, for all that use the same source with the same options;
   * it loads nothing, and the next call loads the model again. A model that was passed in loaded stays with its owner.
   *
   * @example
   * useEffect(() => () => void model.dispose(), [])   // StrictMode mounts, unmounts and mounts again
   */
  dispose(): Promise<void> {
    return this.lazy.dispose()
  }
}

/** `await using model = heed('model.gguf')` disposes of the model at the end of its block. */
export interface SdkModel extends AsyncDisposable {}
makeDisposable(SdkModel)
