// Edits of a model as the page represents them, in its list and in links. Layers count from 0, as in the package; -1 is the input
// of the first.

export interface Steering {
  readonly kind: 'steer'
  /** The state is moved in the direction of these texts, away from the others. */
  readonly toward: readonly string[]
  readonly away: readonly string[]
  readonly layer: number
  readonly scale: number
}

interface HeadScaling {
  readonly kind: 'head'
  readonly layer: number
  readonly head: number
  readonly scale: number
}

/** Replaces the state of a word by the state that another word has in the same place of the text. */
export interface Patching {
  readonly kind: 'patch'
  readonly word: string
  readonly other: string
  readonly layer: number
}

/** Later tokens do not see a token. */
interface Cutting {
  readonly kind: 'cut'
  readonly layer: number
  /** Absent: all heads of the layer. */
  readonly head?: number
  readonly key: number
}

export type PageEdit = (Steering | HeadScaling | Patching | Cutting) & {
  /** Whether the edit is in the list, but not active. */
  readonly off?: boolean
}

/** The most edits in a link. */
const mostEdits = 40
const longestText = 2000

/** Limits on the edits in a link; the user's own edits have no limits. */
interface Bounds {
  readonly edits: number
  readonly characters: number
}

const ofLinks: Bounds = { edits: mostEdits, characters: longestText }
const none: Bounds = { edits: Infinity, characters: Infinity }

type Check = (value: unknown, bounds: Bounds) => boolean

const isText: Check = (value, { characters }) => typeof value === 'string' && value.length <= characters
const areTexts: Check = (value, bounds) =>
  Array.isArray(value) && value.length <= bounds.edits && value.every(one => isText(one, bounds))
const isNumber = (value: unknown) => Number.isFinite(value)
const isIndex = (value: unknown) => Number.isInteger(value) && (value as number) >= 0
const isLayer = (value: unknown) => value === -1 || isIndex(value)

const members: Record<PageEdit['kind'], Record<string, Check>> = {
  steer: { toward: areTexts, away: areTexts, layer: isLayer, scale: isNumber },
  head: { layer: isIndex, head: isIndex, scale: isNumber },
  patch: { word: isText, other: isText, layer: isLayer },
  cut: { layer: isIndex, head: value => value === undefined || isIndex(value), key: isIndex },
}

function isEdit(value: unknown, bounds: Bounds): value is PageEdit {
  if (typeof value !== 'object' || value === null) return false
  const { kind, off, ...rest } = value as Record<string, unknown>
  if (typeof kind !== 'string' || !Object.hasOwn(members, kind) || ![undefined, true].includes(off as true | undefined))
    return false
  const checks = members[kind as PageEdit['kind']]
  return (
    Object.keys(rest).every(name => Object.hasOwn(checks, name)) &&
    Object.entries(checks).every(([name, check]) => check(rest[name], bounds))
  )
}

function editsWithin(bounds: Bounds, text: string): PageEdit[] | undefined {
  try {
    const edits: unknown = JSON.parse(text)
    return Array.isArray(edits) && edits.length <= bounds.edits && edits.every(edit => isEdit(edit, bounds)) ? edits : undefined
  } catch {
    return undefined
  }
}

/** The edits in a link; undefined if they are invalid. */
export const editsIn = (text: string): PageEdit[] | undefined => editsWithin(ofLinks, text)

/** The edits in a record of the user's own. */
export const ownEditsIn = (text: string): PageEdit[] => editsWithin(none, text) ?? []
