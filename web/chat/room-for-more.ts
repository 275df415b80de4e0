// Makes room in a conversation that does not fit into the context: its oldest turns are no longer sent.
import type { Model } from 'heed'
import type { Conversation } from './conversation.js'
import { type Asking, lengthOf } from './prompts.js'
import type { Turn } from './turns.js'

/** The share of the context to keep free for the answer. */
const freeShare = 0.25

/**
 * Drops the oldest message with its answer, repeatedly, until the turns up to `last` leave room for an answer. The last message is
 * never dropped. Resolves to whether there is room.
 */
export async function makeRoom(model: Model, conversation: Conversation, last: Turn, asking: Asking): Promise<boolean> {
  const { contextLength } = model.info
  const turns: Turn[] = []
  for (let at: Turn | undefined = last; at; at = at.before) turns.unshift(at)
  const length = () => lengthOf(model, conversation, last, asking)
  do {
    const oldest = turns.findIndex(turn => !turn.isDropped)
    const next = turns.findIndex((turn, at) => at > oldest && turn.role === 'user')
    if (next < 0) return await length() < contextLength
    for (const turn of turns.slice(oldest, next)) turn.isDropped = true
  } while (await length() > contextLength * (1 - freeShare))
  return true
}
