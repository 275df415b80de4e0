// The lines of a journal: their types, how they are written, and how they are checked when they are read.

/** The properties that identify a source; access tokens and signatures are not among them. */
export interface SourceRecord {
  /** A source for `loadModel`. */
  source: string
  revision?: string
  endpoint?: string
}

export interface PartRecord {
  name: string
  /** The expected values, if known. */
  size?: number
  sha256?: string
  /** The end and checksum of the file; set for an import, which is journaled only when it is complete. */
  complete?: Point
}

/** A position up to which a file was written, and the checksum of all bytes before it. */
export interface Point {
  bytes: number
  sha256: string
}

export interface Identity {
  size?: number
  etag?: string
  modified?: string
}

export type Line =
  | { type: 'model'; version: 1; record: SourceRecord; name: string; parts: PartRecord[]; copy?: number }
  /** A file is written from its start. */
  | { type: 'begin'; part: number; identity: Identity }
  | { type: 'point'; part: number; at: Point }
  | { type: 'complete'; part: number; at: Point }
  | { type: 'used'; time: number }

type Check = (value: unknown) => boolean

const text: Check = value => typeof value === 'string'
const count: Check = value => Number.isSafeInteger(value) && (value as number) >= 0
const sum: Check = value => typeof value === 'string' && /^[\da-f]{64}$/.test(value)
const optional =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)
/** The number of the copy is part of file names, so only 1 is valid. */
const copy: Check = value => value === 1

const shape =
  <Shape>(checks: { [Name in keyof Shape]-?: Check }): Check =>
  value =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check>(checks).every(([name, check]) => check((value as Record<string, unknown>)[name]))

const point = shape<Point>({ bytes: count, sha256: sum })
const identity = shape<Identity>({ size: optional(count), etag: optional(text), modified: optional(text) })
const part = shape<PartRecord>({ name: text, size: optional(count), sha256: optional(sum), complete: optional(point) })
const parts: Check = value => Array.isArray(value) && value.length > 0 && value.every(part)
const source = shape<SourceRecord>({ source: text, revision: optional(text), endpoint: optional(text) })

const known: Record<Line['type'], Check> = {
  model: shape<Omit<Extract<Line, { type: 'model' }>, 'type'>>({
    version: count,
    record: source,
    name: text,
    parts,
    copy: optional(copy),
  }),
  begin: shape<Omit<Extract<Line, { type: 'begin' }>, 'type'>>({ part: count, identity }),
  point: shape<Omit<Extract<Line, { type: 'point' }>, 'type'>>({ part: count, at: point }),
  complete: shape<Omit<Extract<Line, { type: 'complete' }>, 'type'>>({ part: count, at: point }),
  used: shape<Omit<Extract<Line, { type: 'used' }>, 'type'>>({ time: count }),
}

function isLine(value: unknown): value is Line {
  const { type } = (value ?? {}) as Line
  return Object.hasOwn(known, type) && known[type](value)
}

/** FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv: detects torn lines, nothing more. */
function sumOf(text: string): string {
  let sum = 0x811c9dc5
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  return (sum >>> 0).toString(16).padStart(8, '0')
}

/** The text of a line in the file. */
export const written = (line: Line) => {
  const text = JSON.stringify(line)
  return `${sumOf(text)} ${text}\n`
}

/** Reads a line; undefined if it is torn or malformed, since other programs can write to the store's folder. */
export function readLine(text: string): Line | undefined {
  try {
    if (sumOf(text.slice(9)) !== text.slice(0, 8)) return undefined
    const line = JSON.parse(text.slice(9))
    return isLine(line) ? line : undefined
  } catch {
    return undefined
  }
}
