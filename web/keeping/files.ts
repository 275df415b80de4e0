// Exports all conversations to one file, and imports them.
import { isRecord, readStored, type StoredTurn, storedTurn } from '../conversation/file.js'
import { within } from './database.js'
import type { Keeper } from './keeper.js'
import { asHead, headOf, wholeTurns } from './record.js'
import { readAll, type Records } from './shelf.js'

const format = 'heed-conversations'

const withoutPlace = (turn: StoredTurn & { conversation?: string }): StoredTurn => {
  const { conversation: _, ...rest } = turn
  return rest
}

/** The saved conversations, and those that exist only in this tab. Unreadable records are included unchanged. */
export async function exportedAll(keeper: Keeper): Promise<string> {
  await keeper.flush()
  const all = await readAll().catch((): Records[] => [])
  const unread: Records[] = []
  const conversations: object[] = keeper.unkept.map(({ draft: { last, ...draft }, conversation }) => ({
    ...draft,
    version: 1,
    path: [last],
    turns: conversation.turns.map(storedTurn),
  }))
  for (const records of all) {
    const head = asHead(records.head)
    const { turns, damaged } = wholeTurns(records.turns)
    if (!head || damaged > 0) unread.push(records)
    if (!head) continue
    const { format: _, revision: __, by: ___, last, ...rest } = head
    conversations.push({ ...rest, version: 1, path: [last], turns: turns.map(withoutPlace) })
  }
  return JSON.stringify({ format, version: 1, conversations, ...(unread.length > 0 && { unread }) }, null, 1)
}

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
  const there = new Map((await readAll()).map(({ head }) => [isRecord(head) ? String(head.id) : '', head]))
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
      const kept = there.get(told.id)
      if (kept && asHead(kept)?.changed === told.changed) {
        known++
        continue
      }
      const ownId = kept || told.id === '' ? `${Date.now().toString(36)}-${at}-${Math.random().toString(36).slice(2)}` : told.id
      records.push({ head: { ...told, id: ownId }, turns: turns.map(turn => ({ ...turn, conversation: ownId })) })
    } catch {
      malformed++
    }
  }
  for (const one of unread)
    if (
      isRecord(one) &&
      isRecord(one.head) &&
      typeof one.head.id === 'string' &&
      Array.isArray(one.turns) &&
      !there.has(one.head.id) &&
      !records.some(({ head }) => (head as { id: string }).id === (one.head as { id: string }).id)
    )
      records.push(one as unknown as Records)
  await within('readwrite', async ({ heads, turns }) => {
    for (const record of records) {
      heads.put(record.head)
      for (const turn of record.turns) turns.put(turn)
    }
  })
  return { added: records.length, known, malformed }
}
