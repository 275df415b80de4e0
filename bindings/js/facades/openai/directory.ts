// Finds the models that requests name.
import type { Model } from '../../page/model.js'
import type { SchemaOptions } from '../../wire/options.generated.js'
import { NotFoundError, ParameterError } from './errors.js'
import type { Warn } from './read.js'
import type { FetchImages, ModelEntry } from './types.js'

/** One model, which is used for any name, or several by name. */
export type Models = Model | Readonly<Record<string, Model>>

export interface NamedModel {
  readonly id: string
  readonly model: Model
}

const isModel = (value: unknown): value is Model => typeof (value as Model | undefined)?.embed === 'function'

/** The time in seconds since 1970, as in OpenAI's API. */
export const now = () => Math.floor(Date.now() / 1000)

export interface Directory {
  readonly entries: readonly ModelEntry[]
  /** The model that a request names. Throws if there is none with this name. */
  find(name: string | undefined): NamedModel
}

/** The values that the calls of a client share. */
export interface Setting {
  readonly directory: Directory
  readonly fetchImages: FetchImages
  /** The options of schemas for all requests of the client. */
  readonly schemas: SchemaOptions
  readonly warn: Warn
}

/** Throws if `models` is empty or contains anything but models. */
export function directoryOf(models: Models): Directory {
  const isOne = isModel(models)
  const named = Object.entries(isOne ? { [models.info.name || models.info.architecture]: models } : { ...models })
  if (named.length === 0 || !named.every(([, model]) => isModel(model))) {
    throw new ParameterError('openai', 'expected a model, or an object of models by name')
  }
  const created = now()
  return {
    entries: named.map(([id]) => ({ id, object: 'model', created, owned_by: 'heed' })),
    find(name) {
      const found = named.find(([id]) => isOne || id === name)
      if (found) return { id: found[0], model: found[1] }
      throw new NotFoundError('model', `unknown model "${name}"; known: ${named.map(([id]) => id).join(', ')}`)
    },
  }
}
