// Makes a conversation fit into the model's context by no longer sending its oldest turns. They stay in it, and are sent again to a
// model with enough room.
import type { Model } from 'heed'
import type { Conversation } from './conversation.js'
import { type Asking, lengthOf } from './prompts.js'
import type { AnswerTurn, Turn, UserTurn } from './turns.js'

/** The share of the context to keep free for an answer, at most. */
const freeShare = 0.25
/**
 * The additional share to free when turns are left out, so that the next prompts have the same beginning, which is then not
 * processed again.
 */
const slackShare = 0.125
/** The fewest tokens of an answer: a shorter one is useless. */
const fewestTokens = 16
/** The most tokens that a template may add to a message, and to the whole prompt. */
const mostAdded = { message: 64, prompt: 512 }

const bytesOf = (text: string) => new TextEncoder().encode(text).length

const pathTo = (last: Turn): Turn[] => {
  const turns: Turn[] = []
  for (let at: Turn | undefined = last; at; at = at.before) turns.unshift(at)
  return turns
}

/** The number of tokens to keep free: more if an earlier answer to `asked` has filled the context. */
function roomFor(asked: UserTurn, contextLength: number, maxTokens: number): number {
  const isShort = asked.after.some(turn => turn.role === 'assistant' && turn.ending?.isFull)
  return Math.min(maxTokens, contextLength * (isShort ? 2 * freeShare : freeShare))
}

/** Whether the prompt certainly has at most `most` tokens, decided by its bytes: a token has at least one. */
function isShort(
  model: Model,
  { text, pictures, before }: UserTurn,
  { system }: Conversation,
  { tools = [] }: Asking,
  most: number,
): boolean {
  if (pictures.length > 0) return false
  if (!before) return bytesOf(text) + bytesOf(system) + bytesOf(JSON.stringify(tools)) + mostAdded.prompt <= most
  const step = (before as AnswerTurn).model === model ? (before as AnswerTurn).steps.at(-1) : undefined
  return step !== undefined && step.promptIds.length + step.generation.tokens.length + bytesOf(text) + mostAdded.message <= most
}

/**
 * Leaves out the oldest turns, each message with its answer, if the prompt for answering `asked` is too long otherwise; `asked`
 * always stays. With `isAlone`, leaves out all turns before it. Resolves to the number of tokens by which the prompt is still too
 * long: 0 if it fits.
 */
export async function makeRoom(
  model: Model,
  conversation: Conversation,
  asked: UserTurn,
  asking: Asking,
  maxTokens: number,
  isAlone = false,
): Promise<number> {
  const { contextLength } = model.info
  const most = contextLength - roomFor(asked, contextLength, maxTokens)
  const turns = pathTo(asked)
  const isCut = turns.some(turn => turn.isDropped)
  if (!isAlone && !isCut && isShort(model, asked, conversation, asking, most)) return 0
  /** Drops the turns before index `at`; resolves to the number of tokens of the prompt that is left. */
  const cutAt = (at: number) => {
    turns.forEach((turn, each) => {
      turn.isDropped = each < at
    })
    return lengthOf(model, conversation, asked, asking)
  }
  const begun = turns.findIndex(turn => !turn.isDropped)
  if (!isAlone && ((await cutAt(0)) <= most || (begun > 0 && (await cutAt(begun)) <= most))) return 0
  const begins = turns.flatMap((turn, at) => (turn.role === 'user' && at > begun ? [at] : []))
  const target = most - contextLength * slackShare
  // The first of these places at which the prompt is short enough; if there is none, the message alone.
  let [low, high] = [isAlone ? Math.max(begins.length - 1, 0) : 0, begins.length - 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await cutAt(begins[middle]!)) <= target) high = middle
    else low = middle + 1
  }
  const length = await cutAt(begins[low] ?? begun)
  return Math.max(length - (contextLength - fewestTokens), 0)
}
