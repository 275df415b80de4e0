// Asks the model what it attends to in the passage, layer by layer, and remembers the answers.
import { HeedError, type Model } from 'heed'
import { type Passage, tokensOf } from '../passage/passage.js'
import { LayerAttention } from './layer.js'

/** Tokens whose attention is shown: of a longer text, the first ones. */
export const tokensShown = 384

/** Weights of the layers remembered, together. */
const mostWeights = 2 ** 24

export interface Reading {
  attention: LayerAttention
  /** What was read, with its prompt taken apart. */
  passage: Passage
}

export class AttentionReader {
  readonly #layers = new Map<number, LayerAttention>()
  #call = new AbortController()

  /** Forgets everything, and ends the call under way: the passage has changed. */
  clear(): void {
    this.#call.abort()
    this.#layers.clear()
  }

  /** Reads one layer. Resolves to nothing where another call or `clear` came before the answer. */
  async read(model: Model, passage: Passage, layer: number): Promise<Reading | undefined> {
    this.#call.abort()
    const { signal } = this.#call = new AbortController()
    const known = this.#layers.get(layer)
    if (known) return { attention: known, passage }
    try {
      const reading = await ask(model, passage, layer, signal)
      if (signal.aborted) return undefined
      if (reading) this.#remember(reading.attention)
      return reading
    } catch (error) {
      const { code } = HeedError.from(error)
      if (code === 'aborted' || code === 'disposed') return undefined
      throw error
    }
  }

  /** Forgets the layers read longest ago, where there are too many. */
  #remember(attention: LayerAttention): void {
    this.#layers.set(attention.layer, attention)
    const each = attention.heads.length * attention.size ** 2
    for (const layer of this.#layers.keys()) {
      if (this.#layers.size > 1 && this.#layers.size * each > mostWeights) this.#layers.delete(layer)
    }
  }
}

async function ask(
  model: Model, passage: Passage, layer: number, signal: AbortSignal,
): Promise<Reading | undefined> {
  const promptIds = passage.promptTokens?.map(token => token.id) ?? await model.tokenize(passage.prompt)
  const ids = [...promptIds, ...passage.written.map(token => token.id)].slice(0, tokensShown)
  if (ids.length === 0) return undefined
  const attention = new LayerAttention(await model.attention(ids, { layers: [layer], signal }))
  if (passage.promptTokens) return { attention, passage }
  // The texts of a prompt longer than what is shown are asked for one by one.
  const rest = await Promise.all(promptIds.slice(tokensShown).map(async id =>
    ({ id, text: await model.detokenize([id], { special: true }) })))
  const promptTokens = [...attention.tokens.slice(0, promptIds.length), ...rest]
  return { attention, passage: { ...passage, promptTokens } }
}

export const isCovered = (passage: Passage) => tokensOf(passage).length <= tokensShown
