// Asks the model what it attends to in passages, layer by layer, and remembers the answers.
import type { AttentionOf, Model } from 'heed'
import { answerOf, type Passage, type PassageToken, rename, tokensOf } from '../text/passage.js'
import { takeApart } from '../text/take-apart.js'
import { LayerGates } from '../gates/layer-gates.js'
import { LayerAttention } from './layer-attention.js'

/**
 * Tokens whose attention is always shown: of a longer text, the first ones. Where a model has fewer heads than this, there are more,
 * of as many weights in all.
 */
const sureTokens = 384
const sureHeads = 32

/** Weights of the layers remembered, together. */
const mostWeights = 2 ** 24

/** What is asked: which kind of attention, and in which layer. */
export interface Question {
  of: AttentionOf
  layer: number
}

interface Layer {
  attention: LayerAttention
  /** Of a recurrent layer. */
  gates?: LayerGates
}

export interface Reading extends Layer {
  /** What was read, taken apart. */
  passage: Passage
}

/** Whether a call ended because nobody waits for its answer any more. */
export const isUnwanted = (error: unknown) =>
  ['aborted', 'disposed'].includes((error as { code?: string } | undefined)?.code ?? '')

export class AttentionReader {
  readonly #layers = new Map<string, Layer>()
  #call = new AbortController()

  /** Ends the call under way: the passage has changed. What is known of others stays, since readers come back to them. */
  stop(): void {
    this.#call.abort()
  }

  /** Forgets everything: the model has changed. */
  clear(): void {
    this.stop()
    this.#layers.clear()
  }

  /** Reads one layer. Resolves to nothing where another call, `stop` or `clear` came before the answer. */
  async read(model: Model, passage: Passage, question: Question): Promise<Reading | undefined> {
    this.#call.abort()
    const { signal } = this.#call = new AbortController()
    try {
      const whole = await takeApart(model, passage)
      if (signal.aborted) return undefined
      const name = nameOf(question, whole)
      const layer = this.#layers.get(name) ?? await askAll(model, whole, question, signal)
      if (!layer || signal.aborted) return undefined
      this.#remember(name, layer)
      return { ...layer, passage: named(whole, layer.attention) }
    } catch (error) {
      if (isUnwanted(error)) return undefined
      throw error
    }
  }

  /** Forgets the layers that were asked for longest ago, where there are too many weights; gates are few beside these. */
  #remember(name: string, layer: Layer): void {
    this.#layers.delete(name)
    this.#layers.set(name, layer)
    let total = 0
    for (const [known, { attention: { heads, rows, columns } }] of [...this.#layers].reverse()) {
      total += heads.length * rows * columns
      if (total > mostWeights && known !== name) this.#layers.delete(known)
    }
  }
}

const nameOf = ({ of, layer }: Question, passage: Passage) =>
  `${of} ${layer} ${textsOf(passage).map(text => text.map(token => token.id)).join(' ')}`

/** The passage with the tokens named as in its attention; the same object where nothing changes. */
function named(passage: Passage, { tokens, keys, place }: LayerAttention): Passage {
  const isSplit = (list: readonly { part?: unknown }[]) => list.some(token => token.part)
  const columnsNamed = isSplit(keys) ? rename(passage, keys, place.column) : passage
  return isSplit(tokens) ? rename(columnsNamed, tokens, place.row) : columnsNamed
}

/** The texts that a model sees: all in one, or what it reads apart from what it writes. */
const textsOf = (passage: Passage): (readonly PassageToken[])[] =>
  passage.start ? [passage.promptTokens ?? [], answerOf(passage)] : [tokensOf(passage)]

/** How many tokens of a text are shown: no more than the model can read at once. */
export const tokensShown = ({ info }: Model) =>
  Math.min(Math.floor(sureTokens * Math.sqrt(Math.max(sureHeads / info.heads, 1))), info.contextLength)

export const isCovered = (model: Model, passage: Passage) =>
  textsOf(passage).every(text => text.length <= tokensShown(model))

/** Reads a layer of a passage that has been taken apart. */
export async function ask(
  model: Model, passage: Passage, { of, layer }: Question, signal: AbortSignal,
): Promise<LayerAttention | undefined> {
  const [read, answer] = textsOf(passage).map(text => text.slice(0, tokensShown(model)).map(token => token.id))
  if (read!.length === 0) return undefined
  const options = { of, layers: [layer], signal }
  if (!answer || of === 'encoder') return new LayerAttention(await model.attention(read!, options), { row: 0, column: 0 })
  const row = passage.promptTokens!.length
  const column = of === 'cross' ? 0 : row
  return new LayerAttention(await model.attention(answer, { ...options, source: read! }), { row, column })
}

async function askAll(
  model: Model, passage: Passage, question: Question, signal: AbortSignal,
): Promise<Layer | undefined> {
  const attention = await ask(model, passage, question, signal)
  return attention && { attention, gates: await askGates(model, passage, question, signal) }
}

/** What a recurrent layer forgets and writes of a passage that has been taken apart. */
async function askGates(
  model: Model, passage: Passage, { of, layer }: Question, signal: AbortSignal,
): Promise<LayerGates | undefined> {
  if (of !== 'decoder' || !model.info.recurrentLayers.includes(layer)) return undefined
  const ids = tokensOf(passage).slice(0, tokensShown(model)).map(token => token.id)
  return new LayerGates(await model.gates(ids, { layers: [layer], signal }))
}
