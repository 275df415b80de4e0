// Finds tokens of a conversation again for the recipient of a link, who gets only its messages, without the tools before them.
import type { Model } from 'heed'
import { tokensOf } from 'heed/viewer'
import { imported } from '../conversation/file.js'
import { passageOf } from '../conversation/prompts.js'

/** The fewest equal tokens in a row that identify a place. */
const fewestAlike = 4

/** Returns the place in `others` that corresponds to one in `tokens`, by the tokens around it; undefined if there is none. */
export function placesIn(tokens: readonly number[], others: readonly number[]): (at: number) => number | undefined {
  return at => {
    let best: number | undefined
    let most = Math.min(fewestAlike, tokens.length) - 1
    others.forEach((id, other) => {
      if (id !== tokens[at]) return
      let [from, to] = [1, 1]
      while (from <= Math.min(at, other) && tokens[at - from] === others[other - from]) from++
      while (Math.max(at - tokens.length, other - others.length) + to < 0 && tokens[at + to] === others[other + to]) to++
      if (from + to - 1 <= most) return
      most = from + to - 1
      best = other
    })
    return best
  }
}

/** As `placesIn`, but maps from the tokens in view to the tokens of a link's messages. */
export async function placesInLink(
  model: Model,
  tokens: readonly number[],
  messages: string,
): Promise<(at: number) => number | undefined> {
  const { conversation } = await imported(messages)
  const passage = await passageOf(model, conversation, conversation.last, {}, Infinity)
  return placesIn(
    tokens,
    tokensOf(passage!).map(({ id }) => id),
  )
}
