// The conversations that are saved in this browser, and operations on them, each as one transaction.
import type { StoredTurn } from '../conversation/file.js'
import { answerOf, type Stores, within } from './database.js'
import { asHead, type Draft, type Entry, entryOf, type Head, headOf, type TurnRecord, wholeTurns } from './record.js'

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

/**
 * Writes the changes of a conversation that was written `revision` times before. Nothing is written if another tab has written it
 * since ('changed') or has deleted it ('deleted').
 */
export const write = (draft: Draft, revision: number, records: readonly TurnRecord[]): Promise<'written' | 'changed' | 'deleted'> =>
  within('readwrite', async ({ heads, turns }) => {
    const there = asHead(await answerOf<unknown>(heads.get(draft.id)))
    if ((there?.revision ?? 0) !== revision) return there ? 'changed' : 'deleted'
    heads.put(headOf(draft, there?.title ?? '', revision + 1))
    for (const record of records) turns.put(record)
    return 'written'
  })

export const rename = (id: string, title: string): Promise<void> =>
  within('readwrite', async ({ heads }) => {
    const head = asHead(await answerOf<unknown>(heads.get(id)))
    if (head) heads.put({ ...head, title })
  })

/** Deletes a conversation. Resolves to its records, for `putBack`. */
export const remove = (id: string): Promise<Records | undefined> =>
  within('readwrite', async stores => {
    const records = await recordsIn(stores, id)
    stores.heads.delete(id)
    stores.turns.delete(turnsOf(id))
    return records
  })

export const putBack = ({ head, turns: records }: Records): Promise<void> =>
  within('readwrite', async ({ heads, turns }) => {
    heads.put(head)
    for (const record of records) turns.put(record)
  })

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
