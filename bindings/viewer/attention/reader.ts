// Reads what the model attends to in passages, layer by layer, and caches the results.
import type { AttentionOf, AttentionOptions, AttentionParts, Model } from 'heed'
import { answerOf, type Passage, type PassagePart, type PassageToken, rename, tokensOf } from '../tokens/passage.js'
import { tokenizePassage } from '../tokens/tokenize-passage.js'
import { LayerGates } from './layer-gates.js'
import { LayerAttention, type Place } from './layer-attention.js'
import type { Measure } from './measure.js'
import { rollout } from './rollout.js'
import { valueWeighted } from './value-weighted.js'

/**
 * The number of tokens, from the start of a text, that are always shown. With fewer than `sureHeads` heads, more tokens are shown,
 * so that the total number of weights stays the same.
 */
const sureTokens = 384
const sureHeads = 32

/** The largest number of weights in the cache. */
const mostWeights = 2 ** 24

/** A request: a kind of attention, a layer, and a measure. */
export interface Question {
  of: AttentionOf
  layer: number
  measure: Measure
}

interface Layer {
  attention: LayerAttention
  /** Only in a recurrent layer. */
  gates?: LayerGates
}

export interface PassageAttention extends Layer {
  /** The passage that was read, tokenized. */
  passage: Passage
}

/** Whether a call failed because it was aborted or its model was disposed of. */
export const isUnwanted = (error: unknown) => ['aborted', 'disposed'].includes((error as { code?: string } | undefined)?.code ?? '')

export class AttentionReader {
  readonly #layers = new Map<string, Layer>()
  #call = new AbortController()

  /** Aborts the current call when the passage changes. The cache stays, since users return to earlier passages. */
  stop(): void {
    this.#call.abort()
  }

  /** Aborts the current call and clears the cache when the model changes. */
  clear(): void {
    this.stop()
    this.#layers.clear()
  }

  /** Reads one layer. Resolves to undefined if superseded by another call, `stop` or `clear`. */
  async read(model: Model, passage: Passage, question: Question): Promise<PassageAttention | undefined> {
    this.#call.abort()
    const { signal } = (this.#call = new AbortController())
    try {
      const whole = await tokenizePassage(model, passage)
      if (signal.aborted) return undefined
      const layer = await this.readBeside(model, whole, question, signal)
      return layer && { ...layer, passage: named(whole, layer.attention) }
    } catch (error) {
      if (isUnwanted(error)) return undefined
      throw error
    }
  }

  /** Reads one layer of a tokenized passage without ending other calls. Resolves to undefined if there is no text, or once aborted. */
  async readBeside(model: Model, passage: Passage, question: Question, signal: AbortSignal): Promise<Layer | undefined> {
    const name = nameOf(question, passage)
    const layer = this.#layers.get(name) ?? (await this.#ask(model, passage, question, signal))
    if (!layer || signal.aborted) return undefined
    this.#remember(name, layer)
    return layer
  }

  /** Reads the weights of a layer, or derives another measure from weights that have been read. */
  async #ask(model: Model, passage: Passage, question: Question, signal: AbortSignal): Promise<Layer | undefined> {
    const { of, layer, measure } = question
    if (measure === 'weights') return askAll(model, passage, question, signal)
    const read = await this.readBeside(model, passage, { of, layer, measure: 'weights' }, signal)
    if (!read?.attention.attends && measure === 'values') return read
    if (!read) return undefined
    if (measure === 'values')
      return { ...read, attention: valueWeighted(read.attention, await askNorms(model, passage, question, signal)) }
    const before = layer > 0 ? await this.readBeside(model, passage, { of, layer: layer - 1, measure }, signal) : undefined
    return layer > 0 && !before ? undefined : { ...read, attention: rollout(read.attention, before?.attention) }
  }

  /** Caches a layer, and evicts the least recently used ones beyond `mostWeights`. Gates are too small to count. */
  #remember(name: string, layer: Layer): void {
    this.#layers.delete(name)
    this.#layers.set(name, layer)
    let total = 0
    for (const [
      known,
      {
        attention: { heads, rows, columns },
      },
    ] of [...this.#layers].reverse()) {
      total += heads.length * rows * columns
      if (total > mostWeights && known !== name) this.#layers.delete(known)
    }
  }
}

const nameOf = ({ of, layer, measure }: Question, passage: Passage) =>
  `${of} ${layer} ${measure} ${nameOfParts(passage)} ${textsOf(passage)
    .map(text => text.map(token => token.id))
    .join(' ')}`

let namedParts = 0
const names = new WeakMap<object, number>()

/** A name that tells prompts with different images apart, because the tokens of all images are the same. */
function nameOfParts({ parts }: Passage): number | string {
  if (!parts) return ''
  const name = names.get(parts) ?? ++namedParts
  names.set(parts, name)
  return name
}

/** The passage with its tokens named as in its attention; the same object if nothing changes. */
function named(passage: Passage, { tokens, keys, place }: LayerAttention): Passage {
  const isSplit = (list: readonly { part?: unknown }[]) => list.some(token => token.part)
  const columnsNamed = isSplit(keys) ? rename(passage, keys, place.column) : passage
  return isSplit(tokens) ? rename(columnsNamed, tokens, place.row) : columnsNamed
}

/** The token sequences that a model processes: one or, for an encoder-decoder, its input and its answer. */
const textsOf = (passage: Passage): (readonly PassageToken[])[] =>
  passage.start ? [passage.promptTokens ?? [], answerOf(passage)] : [tokensOf(passage)]

/** The number of tokens of a text that are shown; at most the context length. A prompt with images is never cut: see `ask`. */
export const tokensShown = ({ info }: Model) =>
  Math.min(Math.floor(sureTokens * Math.sqrt(Math.max(sureHeads / Math.max(info.heads, 1), 1))), info.contextLength)

export const isCovered = (model: Model, passage: Passage) =>
  passage.parts ? fitsWithPictures(model, passage) : textsOf(passage).every(text => text.length <= tokensShown(model))

/** Reads a layer's attention over a tokenized passage. */
async function ask(
  model: Model,
  passage: Passage,
  { of, layer }: Question,
  signal: AbortSignal,
): Promise<LayerAttention | undefined> {
  if (passage.parts) return askWithPictures(model, passage, passage.parts, { of, layers: [layer], signal })
  const { ids, source, place } = idsOf(model, passage, of)
  if (ids.length === 0) return undefined
  return new LayerAttention(await model.attention(ids, { of, source, layers: [layer], signal }), place)
}

/** The tokens to run for this kind of attention, and the positions in the passage of the map's first row and column. */
function idsOf(model: Model, passage: Passage, of: AttentionOf): { ids: number[]; source?: number[]; place: Place } {
  const [read, answer] = textsOf(passage).map(text => text.slice(0, tokensShown(model)).map(token => token.id))
  if (!answer || of === 'encoder') return { ids: read!, place: { row: 0, column: 0 } }
  const row = passage.promptTokens!.length
  return { ids: answer, source: read!, place: { row, column: of === 'cross' ? 0 : row } }
}

/**
 * The logits after the token at a position of a passage; undefined if the decoder has not run there, or if the passage has images.
 */
export async function logitsAfter(
  model: Model,
  passage: Passage,
  position: number,
  signal: AbortSignal,
): Promise<Float32Array | undefined> {
  if (passage.parts) return undefined
  const { ids, source, place } = idsOf(model, passage, 'decoder')
  const row = position - place.row
  return row < 0 || row >= ids.length ? undefined : model.logits(ids.slice(0, row + 1), { source, signal })
}

/** The weights whose inputs to read: one head's weights of the token at a position of the passage. */
export interface WeightChoice {
  layer: number
  head: number
  position: number
}

/** The inputs of a token's weights; undefined if it does not attend, is not shown, or follows images. */
export async function readWeightParts(
  model: Model,
  passage: Passage,
  of: AttentionOf,
  { layer, head, position }: WeightChoice,
  signal: AbortSignal,
): Promise<AttentionParts | undefined> {
  if (passage.parts) return undefined
  const { ids, source, place } = idsOf(model, passage, of)
  const query = position - place.row
  return query < 0 || query >= ids.length ? undefined : model.attentionParts(ids, { of, source, layer, head, query, signal })
}

/** The norms of a layer's values, by head. */
async function askNorms(
  model: Model,
  passage: Passage,
  { of, layer }: Question,
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const { ids, source } = idsOf(model, passage, of)
  const { norms } = await model.valueNorms(ids, { of: of as 'encoder' | 'decoder', source, layers: [layer], signal })
  return norms[0]!
}

/** The largest number of weights to read from a layer if the text has images: 128 MiB. */
const mostWithPictures = 2 ** 25

/** Reads a whole text with images as its parts, because no token of an image can be left out. Undefined if the text is too long. */
async function askWithPictures(
  model: Model,
  passage: Passage,
  parts: readonly PassagePart[],
  options: AttentionOptions,
): Promise<LayerAttention | undefined> {
  if (!fitsWithPictures(model, passage)) return undefined
  const prompt = [...parts, { ids: passage.written.map(({ id }) => id) }]
  return new LayerAttention(await model.attention(prompt, { ...options, addSpecial: false }), { row: 0, column: 0 })
}

const fitsWithPictures = ({ info }: Model, passage: Passage): boolean =>
  tokensOf(passage).length ** 2 * Math.max(info.heads, 1) <= mostWithPictures

async function askAll(model: Model, passage: Passage, question: Question, signal: AbortSignal): Promise<Layer | undefined> {
  const attention = await ask(model, passage, question, signal)
  return attention && { attention, gates: await askGates(model, passage, question, signal) }
}

/** Reads a recurrent layer's gates over a tokenized passage; undefined for any other layer. */
async function askGates(
  model: Model,
  passage: Passage,
  { of, layer }: Question,
  signal: AbortSignal,
): Promise<LayerGates | undefined> {
  if (of !== 'decoder' || !model.info.recurrentLayers.includes(layer)) return undefined
  const ids = tokensOf(passage)
    .slice(0, tokensShown(model))
    .map(token => token.id)
  return new LayerGates(await model.gates(ids, { layers: [layer], signal }))
}
