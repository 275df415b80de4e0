// The provider: AI SDK models over Heed's models or their sources.
import type { ProviderV4 } from '@ai-sdk/provider'
import type { Model } from '../../page/model.js'
import type { LoadOptions, ModelSource } from '../../types/index.js'
import { refuse } from '../../wire/errors.js'
import { optionBesideModel } from '../loaded-model.js'
import { HeedEmbeddingModel } from './embedding-model.js'
import { noSuchModel } from './errors.js'
import { HeedLanguageModel } from './language-model.js'
import { LazyModel } from './lazy-model.js'
import { HeedRerankingModel } from './reranking-model.js'

export type LoadModel = (source?: ModelSource, options?: LoadOptions) => Promise<Model>

/**
 * A loaded model, a promise of one, or a source for `loadModel`, loaded on first use: only once for the same source with the same
 * options. After a failed load, or if the model was disposed of or crashed, the next call or `load` loads it again.
 */
export type HeedModel = Model | PromiseLike<Model> | ModelSource

/** Options for every model that the provider loads. */
export interface HeedProviderSettings extends LoadOptions {
  /** The function that loads models, such as `loadModel` of `heed/in-thread`. */
  loadModel?: LoadModel
}

/** An AI SDK provider; calling it returns a language model. */
export interface HeedProvider extends ProviderV4 {
  (model?: HeedModel, options?: LoadOptions): HeedLanguageModel
  /** For `streamText`, `generateText` and agents: a model with a chat template, or with one in `providerOptions.heed`. */
  languageModel(model?: HeedModel, options?: LoadOptions): HeedLanguageModel
  /** For `embed` and `embedMany`: an encoder. */
  embedding(model: HeedModel, options?: LoadOptions): HeedEmbeddingModel
  embeddingModel(model: HeedModel, options?: LoadOptions): HeedEmbeddingModel
  textEmbeddingModel(model: HeedModel, options?: LoadOptions): HeedEmbeddingModel
  /** For `rerank`: a reranker. Scores are those of `Model.rerank`, before any logistic function. */
  reranking(model: HeedModel, options?: LoadOptions): HeedRerankingModel
  rerankingModel(model: HeedModel, options?: LoadOptions): HeedRerankingModel
  /** Not supported: throws a NoSuchModelError. */
  imageModel(modelId: string): never
}

const isModel = (value: unknown): value is Model => typeof (value as Model | undefined)?.generate === 'function'
const isPromise = (value: unknown): value is PromiseLike<Model> =>
  typeof (value as PromiseLike<Model> | undefined)?.then === 'function'

/** Numbers that identify objects, to tell files apart. */
function identities(): (value: object) => number {
  const known = new WeakMap<object, number>()
  let last = 0
  return value => {
    const number = known.get(value) ?? ++last
    known.set(value, number)
    return number
  }
}

const isData = (value: object) => Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** A model and the options of its last request. */
interface Kept {
  readonly lazy: LazyModel
  options: LoadOptions
}

/** Throws for load options beside a loaded model. */
function refuseOptions(options: LoadOptions): void {
  const problem = optionBesideModel(options)
  if (problem) throw refuse(problem)
}

/** The name of a source in logs: the last part of its URL, or its file name. */
function nameOf(source: ModelSource | undefined): string {
  if (source === undefined) return 'heed-stories'
  const name = typeof source === 'string' || source instanceof URL ? String(source) : (source as { name?: unknown }).name
  return typeof name === 'string' ? name.split(/[?#]/)[0]!.split(/[\\/]/).at(-1) || name : 'heed'
}

export function createProvider(defaultLoad: LoadModel, settings: HeedProviderSettings = {}): HeedProvider {
  const { loadModel = defaultLoad, ...defaults } = settings
  const named = new Map<string, Kept>()
  const held = new WeakMap<object, Map<string, Kept>>()
  const idOf = identities()

  /** Options as text; objects other than plain data are compared by identity, so that two files always differ. */
  const keyOf = ({ signal: _, onProgress: __, ...options }: LoadOptions) =>
    JSON.stringify(options, function (this: Record<string, unknown>, name, value) {
      const given = this[name] // the value before its toJSON was called
      return typeof given === 'object' && given !== null && !(given instanceof URL) && !isData(given)
        ? { id: idOf(given) }
        : (value as unknown)
    })

  /** Where a source's model is kept, a map and a key: strings and URLs are equal by text, other sources by identity. */
  function kept(source: ModelSource | undefined, options: LoadOptions): [Map<string, Kept>, string] {
    const key = keyOf(options)
    if (source === undefined || typeof source === 'string' || source instanceof URL) return [named, `${source} ${key}`]
    const of = held.get(source) ?? new Map<string, Kept>()
    held.set(source, of)
    return [of, key]
  }

  function lazy(given: HeedModel | undefined, options: LoadOptions = {}): LazyModel {
    if (isModel(given)) {
      refuseOptions(options)
      return new LazyModel(given.info.name || given.info.architecture, async () => given)
    }
    if (isPromise(given)) {
      refuseOptions(options)
      Promise.resolve(given).catch(() => {}) // reported to the callers of the model
      return new LazyModel('heed', async () => given)
    }
    const all = { ...defaults, ...options }
    const [models, key] = kept(given, all)
    const known = models.get(key)
    if (known) {
      known.options = { ...all, onProgress: all.onProgress ?? known.options.onProgress }
      return known.lazy
    }
    const made: Kept = {
      options: all,
      lazy: new LazyModel(
        nameOf(given),
        async onProgress =>
          loadModel(given, {
            ...made.options,
            onProgress(progress) {
              made.options.onProgress?.(progress)
              onProgress(progress)
            },
          }),
        true,
      ),
    }
    models.set(key, made)
    return made.lazy
  }

  const languageModel = (model?: HeedModel, options?: LoadOptions) => new HeedLanguageModel(lazy(model, options))
  const embeddingModel = (model: HeedModel, options?: LoadOptions) => new HeedEmbeddingModel(lazy(model, options))
  const rerankingModel = (model: HeedModel, options?: LoadOptions) => new HeedRerankingModel(lazy(model, options))
  return Object.assign((model?: HeedModel, options?: LoadOptions) => languageModel(model, options), {
    specificationVersion: 'v4' as const,
    languageModel,
    embedding: embeddingModel,
    embeddingModel,
    textEmbeddingModel: embeddingModel,
    reranking: rerankingModel,
    rerankingModel,
    imageModel(modelId: string): never {
      throw noSuchModel(modelId, 'imageModel')
    },
  })
}
