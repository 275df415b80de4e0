// The heads worth seeing in the model of the page, as models/training/heads.py measured them on held-out text.
import measured from '../../models/heed-stories.heads.json' with { type: 'json' }

export type HeadKind = 'answer' | 'previous' | 'repeated' | 'sentence'

export interface MeasuredHead {
  readonly kind: HeadKind
  /** From 0, as the viewer counts. */
  readonly layer: number
  readonly head: number
  /** The share of cases in which its largest weight is where it belongs. */
  readonly score: number
  /** A text and the position of a token in it, where it shows well. */
  readonly text?: string
  readonly token?: number
}

export const heads = measured as readonly MeasuredHead[]

/** The head that looks at the word of an answer in the story. */
export const answerHead = heads.find(({ kind }) => kind === 'answer')
