// What the lens has read: for each layer and each of some tokens, which token would follow.
import type { LensPrediction, Model } from 'heed'
import type { PassageToken } from 'heed/viewer'

/** The most tokens that are read at a time: each needs a row of logits for each layer. */
const mostColumns = 40
/** How many of the most probable tokens are read. */
const alternatives = 8

export interface LensWindow {
  /** All tokens of the text. */
  readonly tokens: readonly PassageToken[]
  /** The position of the first token that was read, and how many were. */
  readonly first: number
  readonly count: number
  /** From what enters the first layer to the last: a prediction for each token. */
  readonly layers: readonly (readonly LensPrediction[])[]
}

/** The name of a row, counted from what enters the first layer. */
export const nameOfRow = (row: number) => (row === 0 ? 'Input' : `Layer ${row}`)

/** The window of the tokens that has this position in it; the last one without a position. */
export const firstOf = (length: number, position = length - 1) =>
  Math.max(0, Math.min(position - mostColumns / 2, length - mostColumns))

/** The beginning of the window that is before or after another. */
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

/** Whether the text goes on as a prediction says, at a column of a reading. */
export const isRight = ({ tokens, first }: LensWindow, column: number, id: number | undefined) =>
  tokens[first + column + 1]?.id === id && id !== undefined
