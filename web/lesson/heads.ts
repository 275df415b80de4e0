// Heads of the page's model that are worth seeing, as models/training/heads.py measured them on held-out text.
import measured from '../../models/heed-stories.heads.json' with { type: 'json' }

export type HeadKind = 'answer' | 'previous' | 'repeated' | 'sentence'

export interface MeasuredHead {
  readonly kind: HeadKind
  /** From 0, as the viewer counts. */
  readonly layer: number
  readonly head: number
  /** The share of cases in which the head's largest weight is on the expected token. */
  readonly score: number
  /** A text and the position of a token in it that show the head well. */
  readonly text?: string
  readonly token?: number
}

export const heads = measured as readonly MeasuredHead[]

/** The head that looks from an answer's word to the same word in the story. */
export const answerHead = heads.find(({ kind }) => kind === 'answer')
