// What the model reads and has written of a conversation, as tokens.
import type { Model } from 'heed'
import type { Passage } from 'heed/viewer'
import type { Conversation } from './conversation.js'
import { textsOf, type TokenText } from './token-texts.js'
import type { AnswerTurn, Turn } from './turns.js'

/** A template's variables, which say what the prompt is. */
export interface Asking {
  readonly tools?: readonly object[]
  readonly think?: boolean
}

export interface RawToken extends TokenText {
  readonly id: number
  readonly isWritten: boolean
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

/** The same, with the control tokens told. */
export async function rawTokens(model: Model, conversation: Conversation, turn: Turn | undefined, asking: Asking): Promise<RawToken[]> {
  const step = isOf(model, turn) ? turn.steps.at(-1) : undefined
  const { promptTokens = [], written } = await passageOf(model, conversation, turn, asking)
  const end = step?.generation.endToken
  const ids = [...promptTokens, ...written, ...end ? [end] : []].map(({ id }) => id)
  const texts = await textsOf(model, ids)
  return ids.map((id, at) => {
    const isWritten = at >= promptTokens.length
    return { id, isWritten, isControl: texts[at]!.isControl, text: written[at - promptTokens.length]?.text ?? texts[at]!.text }
  })
}
