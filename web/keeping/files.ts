// Exports all conversations to one file, and imports them.
import { isRecord, readStored, type StoredTurn, storedTurn } from '../conversation/file.js'
import { within } from './database.js'
import type { Keeper } from './keeper.js'
import { asHead, type Head, headOf, wholeTurns } from './record.js'
import { readAll, type Records } from './shelf.js'

const format = 'heed-conversations'

const withoutPlace = (turn: StoredTurn & { conversation?: string }): StoredTurn => {
  const { conversation: _, ...rest } = turn
  return rest
}

/**
 * The saved conversations, and those of which this tab has more, or everything. Unreadable records are included unchanged.
 */
export async function exportedAll(keeper: Keeper): Promise<string> {
  await keeper.flush()
  const all = await readAll().catch((): Records[] => [])
  const unkept = new Map(keeper.unkept.map(one => [one.draft.id, one]))
  const titles = new Map<string, string>()
  const unread: Records[] = []
  const conversations: object[] = []
  for (const records of all) {
    const head = asHead(records.head)
    const { turns, damaged } = wholeTurns(records.turns)
    if (!head || damaged > 0) unread.push(records)
    if (!head) continue
    titles.set(head.id, head.title)
    if (head.revision === unkept.get(head.id)?.revision) continue // this tab has all of it, and more
    const { format: _, revision: __, by: ___, last, ...rest } = head
    conversations.push({ ...rest, version: 1, path: [last], turns: turns.map(withoutPlace) })
  }
  for (const { draft, conversation } of unkept.values()) {
    const { last, ...rest } = draft
    const turns = conversation.turns.map(storedTurn)
    conversations.unshift({ ...rest, title: titles.get(draft.id), version: 1, path: [last], turns })
  }
  return JSON.stringify({ format, version: 1, conversations, ...(unread.length > 0 && { unread }) }, null, 1)
}

/** Identifies a conversation as it was at a time. */
const stateOf = ({ id, changed }: Pick<Head, 'id' | 'changed'>): string => `${changed} ${id}`

export interface Added {
  readonly added: number
  /** Number of conversations that existed already. */
  readonly known: number
  readonly malformed: number
}

/** Adds the conversations of an exported file to the saved ones. Rejects, and adds none, if there is no room. */
export async function importAll({ version, conversations, unread = [] }: Record<string, unknown>): Promise<Added> {
  if (version !== 1) throw new Error(`this page does not support version ${String(version)}`)
  if (!Array.isArray(conversations) || !Array.isArray(unread)) throw new Error('its conversations are malformed')
  const heads = (await readAll()).map(({ head }) => head)
  const ids = new Set(heads.map(head => (isRecord(head) ? String(head.id) : '')))
  const states = new Set(heads.map(asHead).map(head => head && stateOf(head)))
  const records: Records[] = []
  let known = 0
  let malformed = 0
  for (const [at, one] of conversations.entries()) {
    try {
      const { system, turns, path } = readStored(isRecord(one) ? one : {})
      const { id = '', title = '', begins = '', changed = Date.now(), model, circumstances } = one
      const told = asHead(
        headOf({ id, begins, changed, last: path.at(-1) ?? 0, system, model, circumstances }, { title, revision: 1 }),
      )
      if (!told) throw new Error('its title is malformed')
      if (told.id !== '' && states.has(stateOf(told))) {
        known++
        continue
      }
      const ownId =
        ids.has(told.id) || told.id === '' ? `${Date.now().toString(36)}-${at}-${Math.random().toString(36).slice(2)}` : told.id
      records.push({ head: { ...told, id: ownId }, turns: turns.map(turn => ({ ...turn, conversation: ownId })) })
      ids.add(ownId)
      states.add(stateOf(told))
    } catch {
      malformed++
    }
  }
  for (const one of unread) {
    if (!isRecord(one) || !isRecord(one.head) || !Array.isArray(one.turns)) continue
    const { head, turns } = one
    if (typeof head.id !== 'string' || ids.has(head.id)) continue
    // Another place would be that of another conversation's turn.
    records.push({ head, turns: turns.filter(turn => isRecord(turn) && turn.conversation === head.id && Number.isFinite(turn.id)) })
    ids.add(head.id)
  }
  await within('readwrite', async ({ heads, turns }) => {
    for (const record of records) {
      heads.put(record.head)
      for (const turn of record.turns) turns.put(turn)
    }
  })
  return { added: records.length, known, malformed }
}
