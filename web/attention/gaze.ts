// What the reader looks at: the token whose attention is shown, and the one whose share of it is read.

export interface Gaze {
  /** The token that was clicked, or moved to by key: it stays when the pointer leaves. */
  readonly pinned?: number
  /** The token whose attention is shown. */
  readonly subject?: number
  /** Another token, whose share of that attention is shown. */
  readonly object?: number
}

export const nowhere: Gaze = {}

export const pin = (token: number): Gaze => ({ pinned: token, subject: token })

/** The pointer is over a token of the text: it is the subject, unless another one is pinned. */
export function pointAt({ pinned }: Gaze, token: number): Gaze {
  const free = pinned === undefined || pinned === token
  return free ? { pinned, subject: token } : { pinned, subject: pinned, object: token }
}

/** The pointer is over a cell of the heat map. */
export const pointAtCell = ({ pinned }: Gaze, subject: number, object: number): Gaze =>
  ({ pinned, subject, object })

export const lookAway = ({ pinned }: Gaze): Gaze => ({ pinned, subject: pinned })
