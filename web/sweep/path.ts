// A path that a sweep of the page measures: from each head to one end, through no other head.

/** The ends of paths, in words, by what a path enters there. */
export const ends = {
  logits: 'to the token that follows',
  q: 'to the queries of a head',
  k: 'to the keys of a head',
  v: 'to the values of a head',
} as const

export interface Path {
  readonly to: 'logits' | readonly [layer: number, head: number]
  /** What the path enters in the head; absent if it leads to the logits. */
  readonly via?: 'q' | 'k' | 'v'
}

const isPlace = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(one => Number.isInteger(one) && one >= 0)

/** Whether a link's value is a path. */
export function isPath(value: unknown): value is Path {
  if (typeof value !== 'object' || value === null) return false
  const { to, via, ...rest } = value as Record<string, unknown>
  if (Object.keys(rest).length > 0) return false
  return to === 'logits'
    ? via === undefined
    : isPlace(to) && typeof via === 'string' && via !== 'logits' && Object.hasOwn(ends, via)
}
