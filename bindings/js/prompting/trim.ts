// Leaves out the oldest turns of a conversation that does not fit into the context.
import type { ChatMessage } from '../chat/types.js'

const instructs = ({ role }: ChatMessage) => role === 'system' || role === 'developer'

/**
 * A conversation without its oldest `count` turns. A turn begins with a user message and extends to the next one: answers, calls
 * and their results. System messages do not belong to a turn, and stay.
 */
export function withoutOldest(messages: readonly ChatMessage[], count: number): readonly ChatMessage[] {
  let turn = 0
  return messages.filter(message => {
    if (instructs(message)) return true
    if (message.role === 'user') turn++
    return Math.max(turn, 1) > count // messages before the first user message are part of the first turn
  })
}

/**
 * Prepares a conversation without some of its oldest turns, so that it fits, and returns their number. If not even the last turn
 * fits, only this turn is left. Turns are left out several at a time, up to half of those that would fit, so that the next prompts
 * have the same beginning, which is then not processed again.
 */
export async function trimmed<Prepared extends { readonly fits: boolean }>(
  messages: readonly ChatMessage[],
  prepare: (messages: readonly ChatMessage[]) => Promise<Prepared>,
): Promise<Prepared & { readonly count: number }> {
  const without = async (count: number) => ({ ...(await prepare(withoutOldest(messages, count))), count })
  const whole = await without(0)
  const most = messages.filter(({ role }) => role === 'user').length - 1
  if (whole.fits || most < 1) return whole
  let best = await without(most)
  // Each turn that is left out shortens the prompt, so bisection finds the number: leaving out `least - 1` turns is not enough.
  for (let least = 1; best.fits && least < best.count; ) {
    const tried = await without((least + best.count) >> 1)
    if (tried.fits) best = tried
    else least = tried.count + 1
  }
  // The number is rounded up to a multiple of `together`, so that it stays the same while the conversation grows.
  const together = 2 ** Math.max(Math.floor(Math.log2((most + 1 - best.count) / 2)), 0)
  const count = Math.min(Math.ceil(best.count / together) * together, most)
  return count > best.count ? without(count) : best
}
