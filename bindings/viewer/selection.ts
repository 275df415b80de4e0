// The token selected: whose attention is shown, and the other one whose share of it is read.

/**
 * A token, and the position whose row of weights is shown of it: of a token that the model wrote that of the token before,
 * where it was chosen; of any other its own.
 */
export interface Subject {
  readonly token: number
  readonly row: number
}

export interface Selection {
  /** The token that was clicked, or moved to by key: it stays when the pointer leaves. */
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

/** The pointer is over a token: it is the subject, unless another one is pinned. */
export function pointAt({ pinned }: Selection, subject: Subject): Selection {
  const free = pinned === undefined || pinned.token === subject.token
  return free ? { pinned, subject: pinned ?? subject } : { pinned, subject: pinned, object: subject.token }
}

/** The pointer is over a cell of the heat map. */
export const pointAtCell = ({ pinned }: Selection, row: number, column: number): Selection =>
  ({ pinned, subject: itself(row), object: column })

export const pointAway = ({ pinned }: Selection): Selection => ({ pinned, subject: pinned })
