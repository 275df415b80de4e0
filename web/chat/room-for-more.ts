// Makes room in a conversation that does not fit into the context: its oldest turns are not sent any more.
import type { Model } from 'heed'
import type { Conversation } from './conversation.js'
import { type Asking, lengthOf } from './prompts.js'
import type { Turn } from './turns.js'

/** The share of the context that is to be free for the answer. */
const freeShare = 0.25

/**
 * Drops the oldest messages, each with its answer, until the rest up to `last` leaves room for an answer. Resolves to whether it
 * does; where the last message alone does not, nothing more can be dropped.
 */
export async function makeRoom(model: Model, conversation: Conversation, last: Turn, asking: Asking): Promise<boolean> {
  const most = model.info.contextLength * (1 - freeShare)
  const turns: Turn[] = []
  for (let at: Turn | undefined = last; at; at = at.before) turns.unshift(at)
  const fits = async () => await lengthOf(model, conversation, last, asking) <= most
  while (!await fits()) {
    const oldest = turns.findIndex(turn => !turn.isDropped)
    const next = turns.findIndex((turn, at) => at > oldest && turn.role === 'user')
    if (next < 0) return await lengthOf(model, conversation, last, asking) < model.info.contextLength
    for (const turn of turns.slice(oldest, next)) turn.isDropped = true
  }
  return true
}
