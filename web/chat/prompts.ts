// What the model reads and has written of a conversation, as tokens.
import type { Model } from 'heed'
import type { Passage } from 'heed/viewer'
import type { Conversation } from './conversation.js'
import { textsOf } from './token-texts.js'
import type { AnswerTurn, Turn } from './turns.js'

/** A template's variables, which say what the prompt is. */
export interface Asking {
  readonly tools?: readonly object[]
  readonly think?: boolean
}

/** Tokens that follow one another and are of the same kind, as one text; each control token by itself. */
export interface Run {
  readonly text: string
  readonly kind: 'read' | 'written' | 'control'
}

/** Whether the answer came from this model, so that its tokens are known. */
const isOf = (model: Model, turn: Turn | undefined): turn is AnswerTurn =>
  turn?.role === 'assistant' && turn.model === model && turn.steps.length > 0

/** The tokens of a conversation up to a turn, as the model would read them, with its own turn begun after a user's. */
async function render(model: Model, conversation: Conversation, last: Turn | undefined, { tools, think }: Asking): Promise<number[]> {
  const template = await model.chatTemplate()
  const told = tools?.map(tool => ({ type: 'function' as const, function: tool as never }))
  const prompt = template.render(conversation.messagesTo(last), {
    addGenerationPrompt: last?.role !== 'assistant', think, ...told && told.length > 0 && { tools: told },
  })
  const { bosToken } = model.info
  const ids = await model.tokenize(prompt, { addSpecial: false })
  const begins = bosToken && ids[0] !== bosToken.id && (await model.tokenize('')).at(0) === bosToken.id
  return begins ? [bosToken.id, ...ids] : ids
}

/** How many tokens the prompt of a turn's answer has. */
export const lengthOf = async (model: Model, conversation: Conversation, last: Turn | undefined, asking: Asking): Promise<number> =>
  (await render(model, conversation, last, asking)).length

/**
 * The conversation up to a turn as the viewer takes it: what was read, and what was written. Of an answer that this model did not
 * write, all is as if it had been read.
 */
export async function passageOf(model: Model, conversation: Conversation, turn: Turn | undefined, asking: Asking): Promise<Passage> {
  const step = isOf(model, turn) ? turn.steps.at(-1) : undefined
  const ids = step?.promptIds ?? await render(model, conversation, turn, asking)
  const texts = await textsOf(model, ids)
  return {
    prompt: texts.map(({ text }) => text).join(''),
    promptTokens: ids.map((id, at) => ({ id, text: texts[at]!.text })),
    written: step?.generation.tokens.map(({ id, text, logprob, alternatives = [] }) => ({ id, text, logprob, alternatives })) ?? [],
  }
}

/** The same as text, in which control tokens are told from what looks like them. */
export async function runsOf(model: Model, conversation: Conversation, turn: Turn | undefined, asking: Asking): Promise<Counted> {
  const { promptTokens = [], written } = await passageOf(model, conversation, turn, asking)
  const end = isOf(model, turn) ? turn.steps.at(-1)!.generation.endToken : undefined
  const ids = [...promptTokens, ...written, ...end ? [end] : []].map(({ id }) => id)
  const texts = await textsOf(model, ids)
  const runs: (Run & { ids: number[], after?: number })[] = []
  ids.forEach((id, at) => {
    const kind = texts[at]!.isControl ? 'control' : at < promptTokens.length ? 'read' : 'written'
    const last = runs.at(-1)
    if (last?.kind === kind && kind !== 'control') last.ids.push(id)
    else runs.push({ kind, text: texts[at]!.text, ids: [id], after: last?.ids.at(-1) })
  })
  return { tokens: ids.length, runs: await Promise.all(runs.map(run => run.kind === 'control' ? run : whole(model, run))) }
}

export interface Counted {
  readonly tokens: number
  readonly runs: readonly Run[]
}

/** Several tokens may make up a character. What stands before a run keeps the space that it may begin with. */
async function whole(model: Model, { kind, ids, after }: Run & { ids: number[], after?: number }): Promise<Run> {
  const before = after === undefined ? '' : await model.detokenize([after], { special: true })
  const text = await model.detokenize(after === undefined ? ids : [after, ...ids], { special: true })
  return { kind, text: text.slice(before.length) }
}
