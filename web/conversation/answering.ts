// Generates one answer: the model's output becomes pieces of a turn as it arrives.
import { type ChatEvent, type ChatOptions, HeedError, type Model } from 'heed'
import { asAccepted, sharing } from '../images/messages.js'
import { isAccepted } from '../media/medium.js'
import { explain } from '../support/notices.js'
import { Filling, unmaskingOptions } from '../unmasking/filling.js'
import { readingShare } from '../writing/reading.js'
import type { Pace } from '../writing/writer.js'
import { type Begun, joined } from './continuing.js'
import type { Conversation } from './conversation.js'
import { formOf } from './plain-form.js'
import { type AnswerTurn, type Call, endedMessages, messagesOf, type Piece } from './turns.js'

/** How many of the most probable tokens to request at each position. */
const alternatives = 8

/** Clears an answer that is about to be generated again. */
export function begin(turn: AnswerTurn): void {
  turn.pieces.length = turn.steps.length = 0
  turn.messages = []
  turn.ending = turn.pace = turn.filling = undefined
  turn.changes.value++
}

/**
 * Resolves when the answer ends, complete or not: to the error if generation failed, otherwise to undefined. `begun` is the part of
 * the answer that an earlier call has generated.
 */
export async function write(
  model: Model,
  conversation: Conversation,
  turn: AnswerTurn,
  options: ChatOptions,
  signal: AbortSignal,
  begun?: Begun,
): Promise<HeedError | undefined> {
  const pieces = new Pieces(turn)
  const pace = new Pacer()
  let share = readingShare()
  let filling: Filling | undefined // of the step that is being written
  const pictures = conversation.picturesTo(turn.before).filter(medium => isAccepted(medium, model.info))
  try {
    const earlier = conversation.messagesTo(turn.before, asAccepted(model.info))
    const chat = model.chat(begun ? [...earlier, begun.message] : earlier, {
      topLogprobs: alternatives,
      ...unmaskingOptions(model.info, step => {
        turn.filling = filling ??= new Filling()
        filling.add(step)
        turn.readShare = undefined
        turn.changes.value++
      }),
      ...formOf(model.info),
      ...options,
      continueFinal: begun !== undefined,
      signal,
      onProgress(progress) {
        turn.readShare = share(progress)
        turn.changes.value++
      },
      onToken() {
        turn.readShare = undefined
        turn.pace = pace.next()
        pieces.count()
      },
    })
    for await (const event of chat) {
      if (event.type === 'step') {
        turn.steps.push(sharing(event.step, pictures))
        pace.rest()
        filling = undefined
        share = readingShare()
      } else pieces.add(event)
      turn.changes.value++
    }
    const { messages, finishReason, seed, steps, usage } = await chat
    const { decodeTokensPerSecond } = steps.at(-1)!.generation.timings
    turn.ending = {
      reason: finishReason,
      isFull: finishReason === 'context',
      seed,
      tokens: usage.generatedTokens + (begun?.tokens ?? 0),
      tokensPerSecond: decodeTokensPerSecond,
      firstTokenMs: turn.pace?.firstTokenMs,
    }
    turn.messages = endedMessages(begun ? joined(begun, messages) : messages, turn.ending)
    return undefined
  } catch (thrown) {
    const error = HeedError.from(thrown)
    turn.messages = messagesOf(turn) // the text generated before the error stays
    // Another model has replaced this one, which stopped the answer.
    if (error.code === 'disposed' && signal.aborted) {
      turn.ending = { reason: 'abort' }
      return undefined
    }
    const full = begun
      ? 'The model’s context has no room for more of this answer.'
      : 'What the tools returned does not fit into the model’s context.'
    turn.ending =
      error.code === 'context-overflow'
        ? { reason: 'context', error: full, isFull: true }
        : { reason: 'error', error: explain('The model', error) }
    return error
  } finally {
    turn.readShare = undefined
    pieces.end()
    turn.changes.value++
  }
}

/** Measures how fast an answer is generated in all of its steps, without the time of reading and of tools. */
class Pacer {
  readonly #start = performance.now()
  #first?: number
  #tokens = 0
  /** The number of intervals between tokens, and their milliseconds, in all steps. */
  #intervals = 0
  #ms = 0
  #last?: number

  next(): Pace {
    const now = performance.now()
    this.#first ??= now
    this.#tokens++
    if (this.#last !== undefined) {
      this.#intervals++
      this.#ms += now - this.#last
    }
    this.#last = now
    return {
      tokens: this.#tokens,
      firstTokenMs: this.#first - this.#start,
      tokensPerSecond: this.#ms > 0 ? (this.#intervals * 1000) / this.#ms : 0,
    }
  }

  /** Ends a step: the next token does not follow directly. */
  rest(): void {
    this.#last = undefined
  }
}

/** Assembles the pieces of an answer from chat events. */
class Pieces {
  readonly #all: Piece[]
  #began = 0

  constructor(turn: AnswerTurn) {
    this.#all = turn.pieces
  }

  /** Counts a generated token, if it belongs to reasoning. */
  count(): void {
    const last = this.#all.at(-1)
    if (last?.kind === 'reasoning' && !last.done) last.tokens++
  }

  add(event: Exclude<ChatEvent, { type: 'step' }>): void {
    switch (event.type) {
      case 'text':
        return void (this.#open('text', () => ({ kind: 'text', text: '' })).text += event.delta)
      case 'reasoning': {
        const piece = this.#open('reasoning', () => {
          this.#began = performance.now()
          return { kind: 'reasoning', text: '', tokens: 1, ms: 0, done: false }
        })
        piece.text += event.delta
        piece.ms = performance.now() - this.#began
        return
      }
      case 'tool-call-start':
        this.end()
        return void this.#all.push({ kind: 'call', id: event.id, name: event.name, given: '' })
      case 'tool-call-delta':
        return void (this.#call(event.id).given += event.delta)
      case 'tool-call': {
        const call = this.#call(event.id)
        call.given = event.text
        if (event.error) Object.assign(call, { result: event.error, isError: true })
        return
      }
      case 'tool-result':
        return void Object.assign(this.#call(event.id), { result: event.content, isError: event.isError })
    }
  }

  /** Ends the reasoning, if the last piece is one. */
  end(): void {
    const last = this.#all.at(-1)
    if (last?.kind === 'reasoning') last.done = true
  }

  #open<Kind extends 'text' | 'reasoning'>(kind: Kind, make: () => Extract<Piece, { kind: Kind }>): Extract<Piece, { kind: Kind }> {
    const last = this.#all.at(-1)
    if (last?.kind === kind) return last as Extract<Piece, { kind: Kind }>
    this.end()
    const made = make()
    this.#all.push(made)
    return made
  }

  #call(id: string): Call {
    return this.#all.find((piece): piece is Call => piece.kind === 'call' && piece.id === id)!
  }
}
