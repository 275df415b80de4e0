// Converts the page's edits to those of the package: measures directions, and finds tokens of words.
import type { Edit, Model } from 'heed'
import { quoted } from '../support/words.js'
import type { PageEdit, Patching, Steering } from './edits.js'
import { exchanged, refuse } from './exchange.js'

/** The prompt that edits are for. */
export interface Prompt {
  readonly tokens: readonly { readonly id: number; readonly text: string }[]
  /** Number of tokens that may follow. */
  readonly room: number
}

export class Resolver {
  readonly #model: Model
  /** Vectors by their definition: sliders scale the same vector. */
  readonly #directions = new Map<string, Promise<Float32Array>>()

  constructor(model: Model) {
    this.#model = model
  }

  async resolve(edit: PageEdit, prompt: Prompt): Promise<Edit> {
    switch (edit.kind) {
      case 'steer':
        return { add: await this.#direction(edit), layer: edit.layer, scale: edit.scale }
      case 'head':
        return { head: [edit.layer, edit.head], scale: edit.scale }
      case 'patch':
        return this.#patch(edit, prompt)
      case 'cut': {
        const { layer, head, key } = edit
        if (key >= prompt.tokens.length) throw refuse(`The text has ${prompt.tokens.length} tokens: there is no token ${key + 1}.`)
        const query = Array.from({ length: prompt.tokens.length + prompt.room - key - 1 }, (_, index) => key + 1 + index)
        return { cut: { layer, head, query, key } }
      }
    }
  }

  #direction({ toward, away, layer }: Steering): Promise<Float32Array> {
    if (toward.length === 0 || away.length === 0) throw refuse('Each of the two lists needs a text.')
    const key = JSON.stringify([toward, away, layer])
    const known = this.#directions.get(key)
    if (known) return known
    const made = this.#model.direction(toward, away, { layer }).then(({ vector }) => vector)
    this.#directions.set(key, made)
    made.catch(() => this.#directions.delete(key))
    return made
  }

  /** Patches the first occurrence of the word with the state of the other word in its place. */
  async #patch({ word, other, layer }: Patching, { tokens }: Prompt): Promise<Edit> {
    if (word === '' || other === '') throw refuse('Patching needs a word of the text, and another one.')
    const patch = await exchanged(this.#model, tokens, word, other)
    const positions = tokens.flatMap(({ id }, index) => (id === patch[index] ? [] : [[index, index] as const]))
    return { patch, layer, positions }
  }
}

/** The name of the token that an edit cuts off. */
export const nameOfKey = ({ tokens }: Prompt, key: number): string => (tokens[key] ? quoted(tokens[key]) : 'no token')
