// Makes a conversation fit into the model's context: its oldest turns are no longer sent. They stay in it, and are sent again to a model that
// has room for them.
import type { Model } from 'heed'
import type { Conversation } from './conversation.js'
import { type Asking, lengthOf } from './prompts.js'
import type { AnswerTurn, Turn, UserTurn } from './turns.js'

/** The share of the context that is kept free for an answer, at most. */
const freeShare = 0.25
/** The share that is freed besides once turns are left out, so that the next turns find their beginning read. */
const slackShare = 0.125
/** A shorter answer is none. */
const fewestTokens = 16
/** What a template may add to a message, and to all of a prompt. */
const mostAdded = { message: 64, prompt: 512 }

const bytesOf = (text: string) => new TextEncoder().encode(text).length

const pathTo = (last: Turn): Turn[] => {
  const turns: Turn[] = []
  for (let at: Turn | undefined = last; at; at = at.before) turns.unshift(at)
  return turns
}

/** How many tokens to keep free: more after an answer to the same message that has filled the context. */
function roomFor(asked: UserTurn, contextLength: number, maxTokens: number): number {
  const isShort = asked.after.some(turn => turn.role === 'assistant' && turn.ending?.isFull)
  return Math.min(maxTokens, contextLength * (isShort ? 2 * freeShare : freeShare))
}

/** Whether the prompt is certainly that short, which needs no tokens to be counted: a token is a byte at least. */
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
 * Leaves the oldest turns out, each message with its answer, if the prompt for an answer to `asked` needs it; the message itself never.
 * With `isAlone`, all of them are. Resolves to how many tokens the prompt then has too many: 0 if it fits.
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
  /** The number of tokens if the turns from this one on are sent. */
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
  // The first of these places with which the prompt is short enough; the message alone, if none is.
  let [low, high] = [isAlone ? Math.max(begins.length - 1, 0) : 0, begins.length - 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await cutAt(begins[middle]!)) <= target) high = middle
    else low = middle + 1
  }
  const length = await cutAt(begins[low] ?? begun)
  return Math.max(length - (contextLength - fewestTokens), 0)
}
