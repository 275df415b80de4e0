// The tokens of a conversation as runs of text: the raw prompt.
import type { Model } from 'heed'
import type { PassagePart } from 'heed/viewer'
import type { Conversation } from './conversation.js'
import { type Asking, isOf, passageOf } from './prompts.js'
import { isOfPicture, textsOf } from './token-texts.js'
import type { Turn } from './turns.js'

/** The text of consecutive tokens of the same kind, or of a single control token; for an image's or a sound's tokens, its name. */
export interface Run {
  readonly text: string
  readonly kind: 'read' | 'written' | 'control' | 'medium'
  readonly ids: readonly number[]
}

/** The conversation up to a turn, with control tokens apart from text that looks like them. */
export async function runsOf(model: Model, conversation: Conversation, turn: Turn | undefined, asking: Asking): Promise<Counted> {
  const { promptTokens = [], parts = [], written } = (await passageOf(model, conversation, turn, asking, Infinity))!
  const end = isOf(model, turn) ? turn.steps.at(-1)!.generation.endToken : undefined
  const ids = [...promptTokens, ...written, ...(end ? [end] : [])].map(({ id }) => id)
  const texts = await textsOf(model, ids)
  const name = nameOfMedia(parts)
  const runs: (Run & Joined)[] = []
  ids.forEach((id, at) => {
    const kind = isOfPicture(id) ? 'medium' : texts[at]!.isControl ? 'control' : at < promptTokens.length ? 'read' : 'written'
    const last = runs.at(-1)
    if (last?.kind === kind && kind !== 'control') last.ids.push(id)
    else
      runs.push({
        kind,
        text: kind === 'medium' ? name : texts[at]!.text,
        ids: [id],
        after: last?.kind === 'medium' ? undefined : last?.ids.at(-1),
      })
  })
  return {
    tokens: ids.length,
    runs: await Promise.all(runs.map(run => (run.kind === 'control' || run.kind === 'medium' ? run : whole(model, run)))),
  }
}

function nameOfMedia(parts: readonly PassagePart[]): string {
  const has = (kind: string) => parts.some(part => typeof part === 'object' && kind in part)
  return ['image', 'audio']
    .filter(has)
    .map(kind => (kind === 'image' ? 'picture' : 'sound'))
    .join(' or ')
}

/** A run that may become longer; `after` is the token before it. */
interface Joined {
  ids: number[]
  after?: number
}

export interface Counted {
  readonly tokens: number
  readonly runs: readonly Run[]
}

/**
 * Detokenizes a run as a whole, because a character can span several tokens. The token before the run is included and cut off
 * again, so that a leading space is kept.
 */
async function whole(model: Model, { kind, ids, after }: Run & Joined): Promise<Run> {
  const before = after === undefined ? '' : await model.detokenize([after], { special: true })
  const text = await model.detokenize(after === undefined ? ids : [after, ...ids], { special: true })
  return { kind, ids, text: text.slice(before.length) }
}
