// The selection: the token whose attention is shown, and another token whose share of it is shown.

/**
 * A token, and the position whose row of weights is shown for it: for a generated token, that of the previous token, from which it
 * was chosen; otherwise its own.
 */
export interface Subject {
  readonly token: number
  readonly row: number
}

export interface Selection {
  /** The token that was clicked or reached by keyboard; it stays selected when the pointer leaves. */
  readonly pinned?: Subject
  /** The token whose attention is shown. */
  readonly subject?: Subject
  /** Another token, whose share of that attention is shown. */
  readonly object?: number
}

export const nothing: Selection = {}

/** A token with its own row. */
export const itself = (token: number): Subject => ({ token, row: token })

export const pin = (subject: Subject): Selection => ({ pinned: subject, subject })

/** The selection while the pointer is over a token: it is the subject or, if another token is pinned, the object. */
export function pointAt({ pinned }: Selection, subject: Subject): Selection {
  const free = pinned === undefined || pinned.token === subject.token
  return free ? { pinned, subject: pinned ?? subject } : { pinned, subject: pinned, object: subject.token }
}

/** The selection while the pointer is over a cell of the heat map. */
export const pointAtCell = ({ pinned }: Selection, row: number, column: number): Selection => ({
  pinned,
  subject: itself(row),
  object: column,
})

export const pointAway = ({ pinned }: Selection): Selection => ({ pinned, subject: pinned })
