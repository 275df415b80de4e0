// The records of a conversation: one for the whole, and one for each turn. Records may come from another version of this page, or
// be damaged.
import { isRecord, isTurn, type StoredTurn } from '../conversation/file.js'

const format = 1

/** The model that a conversation was last held with. */
export interface KeptModel {
  readonly name: string
  /** Its address; absent for the bundled model or, if `isFile`, for a file of the user. */
  readonly data?: string
  readonly projector?: string
  readonly isFile?: true
  /** The name of that file, or of the files. */
  readonly file?: string
}

/** The user's settings for a conversation, besides its system message. */
export interface Circumstances {
  readonly tools: readonly string[]
  readonly think: string
  readonly form: { readonly choice: string; readonly schema: string }
  readonly sampling: Readonly<Record<string, number>>
}

export interface Head {
  readonly id: string
  readonly format: typeof format
  /** The user's name for it; empty if there is none. */
  readonly title: string
  /** The beginning of its first message. */
  readonly begins: string
  /** When a turn was last added or changed, in ms since 1970. */
  readonly changed: number
  /** The number of times it was written, which reveals writes by other tabs. */
  readonly revision: number
  /** The page that wrote it last. */
  readonly by?: string
  /** The last turn in view. */
  readonly last: number
  readonly system: string
  readonly model?: KeptModel
  readonly circumstances?: Circumstances
}

export interface TurnRecord extends StoredTurn {
  readonly conversation: string
}

/** A conversation in the list: one of a newer version or a damaged one cannot be opened. */
export interface Entry {
  readonly id: string
  readonly title: string
  readonly changed: number
  readonly model?: string
  readonly state: 'whole' | 'newer' | 'damaged' | 'unkept'
}

/** A head without the fields that only the database knows. */
export type Draft = Omit<Head, 'format' | Known>
type Known = 'title' | 'revision' | 'by'

export const headOf = (draft: Draft, known: Pick<Head, Known>): Head => ({ ...draft, format, ...known })

const isText = (value: unknown): value is string => typeof value === 'string'

export function isCircumstances(value: unknown): value is Circumstances {
  if (!isRecord(value)) return false
  const { tools, think, form, sampling } = value
  return (
    Array.isArray(tools) &&
    tools.every(isText) &&
    isText(think) &&
    isRecord(form) &&
    isText(form.choice) &&
    isText(form.schema) &&
    isRecord(sampling) &&
    Object.values(sampling).every(Number.isFinite)
  )
}

const isModel = (value: unknown): value is KeptModel =>
  isRecord(value) && isText(value.name) && [value.data, value.projector, value.file].every(one => one === undefined || isText(one))

/** A time in ms since 1970; 0 for a number that is none. */
const asTime = (value: unknown): number => (Number.isNaN(new Date(Number(value)).valueOf()) ? 0 : Number(value))

/** Reads a record as a head; undefined if it is damaged, or of a newer version. Damaged settings are left out. */
export function asHead(value: unknown): Head | undefined {
  if (!isRecord(value) || value.format !== format) return undefined
  const { id, title, begins, changed, revision, last, system, model, circumstances } = value
  if (![id, title, begins, system].every(isText) || ![changed, revision, last].every(Number.isFinite)) return undefined
  return {
    ...(value as unknown as Head),
    changed: asTime(changed),
    model: isModel(model) ? model : undefined,
    circumstances: isCircumstances(circumstances) ? circumstances : undefined,
  }
}

const isNewer = (value: unknown): boolean => isRecord(value) && typeof value.format === 'number' && value.format > format

export const longestTitle = 80

/** The beginning of a text, as a title. */
export function beginOf(text: string): string {
  const characters = [...text.trim().replace(/\s+/g, ' ')]
  return characters.length <= longestTitle ? characters.join('') : `${characters.slice(0, longestTitle - 1).join('')}…`
}

export function titleOf({ title, begins, system }: Pick<Head, 'title' | 'begins' | 'system'>): string {
  const instructions = beginOf(system)
  return title || begins || (instructions === '' ? 'Without a message' : `Without a message: ${instructions}`)
}

/** The name of a copy, which differs from the original's. */
export function titleOfCopy(original: Pick<Head, 'title' | 'begins' | 'system'>): string {
  const suffix = ' (copy)'
  return [...titleOf(original)].slice(0, longestTitle - suffix.length).join('') + suffix
}

export function entryOf(value: unknown): Entry {
  const head = asHead(value)
  if (head) return { id: head.id, title: titleOf(head), changed: head.changed, model: head.model?.name, state: 'whole' }
  const { id, changed } = isRecord(value) ? value : {}
  return {
    id: String(id),
    changed: typeof changed === 'number' ? asTime(changed) : 0,
    ...(isNewer(value)
      ? { title: 'Kept by a newer version of this page', state: 'newer' }
      : { title: 'A damaged conversation', state: 'damaged' }),
  }
}

/** The valid turns among these records, each after the one that it follows, and the number of invalid records. */
export function wholeTurns(records: readonly unknown[]): { turns: StoredTurn[]; damaged: number } {
  const there = new Set<number | null>([null])
  const turns = records.filter((record): record is TurnRecord => {
    if (!isTurn(record) || !there.has(record.after)) return false
    there.add(record.id)
    return true
  })
  return { turns, damaged: records.length - turns.length }
}
