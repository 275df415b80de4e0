// The conversations that are saved in this browser, and operations on them, each as one transaction.
import { isRecord, isTurn, type StoredTurn } from '../conversation/file.js'
import { answerOf, type Stores, within } from './database.js'
import { forget, leftovers } from './leftovers.js'
import { newId } from './open.js'
import { asHead, type Draft, type Entry, entryOf, type Head, headOf, titleOfCopy, type TurnRecord, wholeTurns } from './record.js'

/** The keys of a conversation's turns; arrays sort after numbers. */
const turnsOf = (id: string) => IDBKeyRange.bound([id], [id, []])

export interface Found {
  readonly head: Head
  readonly turns: readonly StoredTurn[]
  /** Number of turns that cannot be read. */
  readonly damaged: number
}

/** All records of a conversation, as they are. */
export interface Records {
  readonly head: unknown
  readonly turns: readonly unknown[]
}

async function recordsIn({ heads, turns }: Stores, id: string): Promise<Records | undefined> {
  const [head, those] = await Promise.all([answerOf<unknown>(heads.get(id)), answerOf<unknown[]>(turns.getAll(turnsOf(id)))])
  return head === undefined ? undefined : { head, turns: those }
}

/** The most recently changed first. */
export const list = (): Promise<Entry[]> =>
  within('readonly', async ({ heads }) =>
    (await answerOf<unknown[]>(heads.getAll())).map(entryOf).sort((one, other) => other.changed - one.changed),
  )

/** A conversation; its entry if it cannot be read; undefined if there is none. */
export async function read(id: string): Promise<Found | Entry | undefined> {
  const records = await within('readonly', stores => recordsIn(stores, id))
  if (!records) return undefined
  const head = asHead(records.head)
  return head ? { head, ...wholeTurns(records.turns) } : entryOf(records.head)
}

/** Whether there is a conversation with this id. */
export const has = (id: string): Promise<boolean> => within('readonly', async ({ heads }) => (await answerOf(heads.count(id))) > 0)

/** Changes of a conversation since `revision`, the last revision that this page knows; `by` identifies the page. */
export interface Changes {
  readonly draft: Draft
  readonly revision: number
  readonly by: string
  readonly records: readonly TurnRecord[]
  /** The name of a new conversation. */
  readonly title?: string
}

/** Whether another page than `by` has written a conversation since `revision`. */
const isOthers = (there: Head, { revision, by }: Pick<Changes, 'revision' | 'by'>): boolean =>
  there.revision !== revision && there.by !== by

/**
 * Writes changes, and resolves to the new revision. Writes nothing if another page has written the conversation since, and resolves
 * to the stored head; or if another page has deleted it, and resolves to 'deleted'.
 */
export const write = ({ draft, revision, by, records, title = '' }: Changes): Promise<number | Head | 'deleted'> =>
  within('readwrite', async ({ heads, turns }) => {
    const there = asHead(await answerOf<unknown>(heads.get(draft.id)))
    if (!there && revision > 0) return 'deleted'
    if (there && isOthers(there, { revision, by })) return there
    const next = (there?.revision ?? 0) + 1
    heads.put(headOf(draft, { title: there?.title ?? title, revision: next, by }))
    for (const record of records) turns.put(record)
    return next
  })

const leftKind = 'conversation'
export const leftName = (id: string): string => `${leftKind} ${id}`

function isChanges(value: unknown): value is Changes {
  if (!isRecord(value) || !isRecord(value.draft) || !Array.isArray(value.records)) return false
  const { draft, revision, by, records } = value
  return asHead({ ...draft, format: 1, title: '', revision }) !== undefined && typeof by === 'string' && records.every(isTurn)
}

/** Writes what earlier pages could not write before they were left. */
export async function writeLeft(): Promise<void> {
  for (const [name, value] of leftovers(leftKind)) {
    try {
      if (isChanges(value)) {
        const outcome = await write(value)
        if (typeof outcome === 'object') await writeBeside(value, outcome)
      }
      forget(name)
    } catch {} // the next call tries again
  }
}

/** Writes changes as a copy, because another page has continued the conversation. `head`: the stored conversation's head. */
const writeBeside = ({ draft, by, records }: Changes, head: Head): Promise<void> =>
  within('readwrite', async ({ heads, turns }) => {
    const there = new Map((await answerOf<TurnRecord[]>(turns.getAll(turnsOf(draft.id)))).map(turn => [turn.id, turn]))
    if (records.every(turn => JSON.stringify(turn) === JSON.stringify(there.get(turn.id)))) return
    for (const turn of records) there.set(turn.id, turn)
    const id = newId()
    heads.put(headOf({ ...draft, id }, { title: titleOfCopy(head), revision: 1, by }))
    for (const turn of there.values()) turns.put({ ...turn, conversation: id })
  })

export const rename = (id: string, title: string): Promise<void> =>
  within('readwrite', async ({ heads }) => {
    const head = asHead(await answerOf<unknown>(heads.get(id)))
    if (head) heads.put({ ...head, title })
  })

interface Deleted extends Records {
  /** The ids of the other conversations. */
  readonly others: readonly IDBValidKey[]
}

function removeIn({ heads, turns }: Stores, id: string): void {
  heads.delete(id)
  turns.delete(turnsOf(id))
}

/** Deletes a conversation that has become blank, unless another page has written it since. Resolves to whether it is deleted. */
export const withdraw = (id: string, last: Pick<Changes, 'revision' | 'by'>): Promise<boolean> =>
  within('readwrite', async stores => {
    const record = await answerOf<unknown>(stores.heads.get(id))
    const there = asHead(record)
    if (record !== undefined && (!there || isOthers(there, last))) return false
    removeIn(stores, id)
    return true
  })

/** Deletes a conversation. Resolves to its records, for `putBack`. */
export const remove = (id: string): Promise<Deleted | undefined> =>
  within('readwrite', async stores => {
    const records = await recordsIn(stores, id)
    removeIn(stores, id)
    return records && { ...records, others: await answerOf(stores.heads.getAllKeys()) }
  })

/**
 * Puts a deleted conversation back. If a tab in which it was open has gone on with it since, a later conversation with all of its
 * turns exists, and gets its name instead. Resolves to the id of the restored or the later conversation.
 */
export const putBack = ({ head, turns: records, others }: Deleted): Promise<string> =>
  within('readwrite', async stores => {
    const { heads, turns } = stores
    const known = asHead(head)
    const later = known && (await goesOnFrom(stores, known, records as readonly TurnRecord[], others))
    if (!later) {
      heads.put(head)
      for (const record of records) turns.put(record)
    } else if (later.title === '' && known.title !== '') heads.put({ ...later, title: known.title })
    return later?.id ?? (head as Head).id
  })

/** A conversation that has all of these turns and is not among `others`; undefined if there is none. */
async function goesOnFrom(
  { heads, turns }: Stores,
  { begins }: Head,
  records: readonly TurnRecord[],
  others: readonly IDBValidKey[],
): Promise<Head | undefined> {
  if (records.length === 0) return undefined
  const contentOf = (turn: TurnRecord) => JSON.stringify({ ...turn, conversation: '' })
  for (const head of (await answerOf<unknown[]>(heads.getAll())).map(asHead)) {
    if (head?.begins !== begins || others.includes(head.id)) continue
    const there = new Set((await answerOf<TurnRecord[]>(turns.getAll(turnsOf(head.id)))).map(contentOf))
    if (records.every(turn => there.has(contentOf(turn)))) return head
  }
  return undefined
}

/** Deletes all conversations and drafts. */
export const clear = (): Promise<void> =>
  within('readwrite', async stores => {
    for (const store of Object.values(stores)) store.clear()
  })

/** The records of all conversations. */
export const readAll = (): Promise<Records[]> =>
  within('readonly', async stores => {
    const ids = await answerOf(stores.heads.getAllKeys())
    return (await Promise.all(ids.map(id => recordsIn(stores, id as string)))).filter(records => records !== undefined)
  })
