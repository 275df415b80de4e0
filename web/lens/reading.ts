// The lens's data: the prediction of the next token at each layer, for each of some tokens.
import type { LensPrediction, Model } from 'heed'
import type { PassageToken } from 'heed/viewer'

/** The most tokens to read at a time: each needs a row of logits for each layer. */
const mostColumns = 40
/** Number of most probable tokens to read. */
const alternatives = 8

export interface LensWindow {
  /** All tokens of the text. */
  readonly tokens: readonly PassageToken[]
  /** The position of the first token that was read, and their number. */
  readonly first: number
  readonly count: number
  /** From the input of the first layer to the output of the last: a prediction for each token. */
  readonly layers: readonly (readonly LensPrediction[])[]
}

/** The name of a row, counted from the input of the first layer. */
export const nameOfRow = (row: number) => (row === 0 ? 'Input' : `Layer ${row}`)

/** The first position of the window of tokens that contains `position`, by default the last one. */
export const firstOf = (length: number, position = length - 1) =>
  Math.max(0, Math.min(position - mostColumns / 2, length - mostColumns))

/** The first position of the window before or after another one. */
export const stepFrom = ({ tokens, first }: LensWindow, step: -1 | 1) =>
  Math.max(0, Math.min(first + step * mostColumns, tokens.length - mostColumns))

export async function readLens(
  model: Model,
  tokens: readonly PassageToken[],
  first: number,
  signal: AbortSignal,
): Promise<LensWindow> {
  const count = Math.min(mostColumns, tokens.length - first)
  const positions = Array.from({ length: count }, (_, index) => first + index)
  const { layers } = await model.lens(
    tokens.map(({ id }) => id),
    { positions, top: alternatives, signal },
  )
  return { tokens, first, count, layers: layers.map(({ predictions }) => predictions) }
}

/** Whether the text continues as predicted, at a column of a reading. */
export const isRight = ({ tokens, first }: LensWindow, column: number, id: number | undefined) =>
  tokens[first + column + 1]?.id === id && id !== undefined
