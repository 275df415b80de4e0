// The models that requests name.
import type { Model } from '../model.js'
import { NotFoundError, ParameterError } from './errors.js'
import type { ModelEntry } from './types.js'

/** One model, which answers to any name, or several with theirs. */
export type Models = Model | Readonly<Record<string, Model>>

export interface NamedModel {
  readonly id: string
  readonly model: Model
}

const isModel = (value: unknown): value is Model => typeof (value as Model | undefined)?.generate === 'function'
  && 'info' in (value as Model)

/** Seconds since 1970, as OpenAI's API tells times. */
export const now = () => Math.floor(Date.now() / 1000)

export class Directory {
  readonly #models: readonly NamedModel[]
  readonly #isOne: boolean
  readonly #created = now()

  /** Throws of what is no model. */
  constructor(models: Models) {
    this.#isOne = isModel(models)
    const named = isModel(models) ? { [models.info.name || models.info.architecture]: models } : { ...models }
    this.#models = Object.entries(named).map(([id, model]) => ({ id, model }))
    if (this.#models.length === 0 || !this.#models.every(({ model }) => isModel(model))) {
      throw new ParameterError('openai', 'expected a model, or an object of models by name')
    }
  }

  /** The model that a request names. Throws where there is none of this name. */
  find(name: string | undefined): NamedModel {
    if (this.#isOne) return this.#models[0]!
    const found = this.#models.find(({ id }) => id === name)
    if (found) return found
    const names = this.#models.map(({ id }) => id).join(', ')
    throw new NotFoundError('model', `${name === undefined ? 'say which' : `there is none called "${name}"`}; there are ${names}`)
  }

  get entries(): ModelEntry[] {
    return this.#models.map(({ id }) => ({ id, object: 'model', created: this.#created, owned_by: 'heed' }))
  }

  entry(name: string): ModelEntry {
    const entry = this.entries.find(({ id }) => id === name)
    return entry ?? { ...this.entries[0]!, id: this.find(name).id }
  }
}
