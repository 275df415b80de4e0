// Shows the conversation's tokens in the viewer: the prompt and the tokens of the last answer, or of an answer that the user chose.
import type { Model } from 'heed'
import { type GivenToken, type Head, type HeedViewer, type Passage, type Span, tokensOf } from 'heed/viewer'
import { type AnswerSource, answerSource, lastSentence } from '../lesson/answer-source.js'
import type { MeasuredHead } from '../lesson/heads.js'
import type { Revealed } from './bubbles/pieces.js'
import { nextTask } from '../support/task.js'
import type { Conversation } from '../conversation/conversation.js'
import { type Asking, passageOf, promptOf } from '../conversation/prompts.js'
import { type AnswerTurn, textOf } from '../conversation/turns.js'

/** A layer and one of its heads. */
interface Place {
  readonly layer: number
  readonly head: Head
}

/** The most tokens to show unasked: rendering more takes longer than a frame or two. */
const mostUnasked = 1500

const sizeOf = ({ steps }: AnswerTurn): number => {
  const step = steps.at(-1)
  return step ? step.promptIds.length + step.generation.tokens.length : 0
}

const isWritten = (passage: Passage, token: number) => token >= tokensOf(passage).length - passage.written.length

function turnTo(viewer: HeedViewer, { layer, head }: MeasuredHead): void {
  viewer.measure = 'weights'
  viewer.layer = layer
  viewer.head = head
}

export class AnswerInViewer {
  readonly #viewer: HeedViewer
  readonly #conversation: Conversation
  readonly #asking: () => Asking
  readonly #onTurn: (turn: AnswerTurn | undefined) => void
  readonly #onError: (error: unknown) => void
  readonly #onLook: (turn: AnswerTurn, isSource: boolean) => void
  #model?: Model
  /** The answer that the user chose, until it leaves the path or another one is generated. */
  #wanted?: AnswerTurn
  /** An answer outside of the conversation, shown while the conversation is empty. */
  #example?: AnswerTurn
  /** The head in which the example is shown, and the layer and head that were shown before. */
  #exampleHead?: { readonly shown: Place; readonly before: Place }
  #shown?: AnswerTurn
  /** The last answer, if the tokens up to it are too many to show unasked. */
  #long?: AnswerTurn
  #isEmpty = false
  #shows = 0
  #showing: Promise<void> = Promise.resolve()

  /** `onTurn` is called with the answer whose attention is shown, `onLook` when the user has asked to see it or its source. */
  constructor(
    viewer: HeedViewer,
    conversation: Conversation,
    asking: () => Asking,
    {
      onTurn,
      onError,
      onLook,
    }: {
      onTurn: (turn: AnswerTurn | undefined) => void
      onError: (error: unknown) => void
      onLook: (turn: AnswerTurn, isSource: boolean) => void
    },
  ) {
    this.#viewer = viewer
    this.#conversation = conversation
    this.#asking = asking
    this.#onTurn = onTurn
    this.#onError = onError
    this.#onLook = onLook
    conversation.path.watch(() => this.refresh())
  }

  /** Shows the conversation as this model tokenizes it; undefined releases the viewer. */
  use(model: Model | undefined): void {
    this.#leaveExampleHead()
    this.#model = model
    this.#isEmpty = false
    this.#shown = this.#long = undefined
    if (model) void this.refresh()
  }

  /** Shows an answer, selects its first generated token, and brings the viewer into view. */
  async look(turn: AnswerTurn): Promise<void> {
    this.#wanted = turn
    await this.refresh()
    const { passage } = this.#viewer
    const first = tokensOf(passage).length - passage.written.length
    if (this.#shown !== turn) return
    if (passage.written.length > 0) this.#viewer.token = first
    this.#onLook(turn, false)
  }

  /** The tokens of the prompt that the answer in the viewer replies to; undefined if there is none. */
  async prompt(): Promise<readonly GivenToken[] | undefined> {
    return this.#model && this.#shown && promptOf(this.#model, this.#conversation, this.#shown, this.#asking())
  }

  /** The answer whose tokens are shown. */
  get shown(): AnswerTurn | undefined {
    return this.#shown
  }

  /** Shows an answer without scrolling. Resolves to its tokens; undefined if another one has been shown since. */
  async show(turn: AnswerTurn): Promise<Passage | undefined> {
    if (turn !== this.#example) this.#wanted = turn
    await this.refresh()
    return this.#shown === turn ? this.#viewer.passage : undefined
  }

  /**
   * Switches to a head, and selects the token of the shown answer from which the word at `token` was chosen. Resolves to whether
   * the answer is still shown.
   */
  async select(turn: AnswerTurn, token: number, head?: MeasuredHead, words: readonly Span[] = []): Promise<boolean> {
    if (head) turnTo(this.#viewer, head)
    await this.#viewer.settled()
    await nextTask() // so that selecting has a task of its own
    if (this.#shown !== turn) return false
    // The viewer shows a token that the model has only read with the token's own row; it was chosen from the row before.
    this.#viewer.token = isWritten(this.#viewer.passage, token) ? token : token - 1
    if (words.length > 0) this.#viewer.markWords(words)
    return true
  }

  /**
   * Shows a head's attention over an answer, and marks the word of the answer that the head found earlier in the conversation.
   * Resolves to whether the answer is shown.
   */
  async findSource(turn: AnswerTurn, head: MeasuredHead, { token, word, source }: AnswerSource): Promise<boolean> {
    if (!(await this.show(turn))) return false
    this.#viewer.revealed = Infinity // an answer that is shown token by token would go on to its other words
    this.#onLook(turn, true)
    return this.select(turn, token, head, [word, source])
  }

  /**
   * While the conversation is empty, shows a head's attention over an answer outside of it, with the answer's source, and without
   * scrolling. Resolves to what is shown; undefined if something else has been shown since.
   */
  async showExample(turn: AnswerTurn, head: MeasuredHead): Promise<{ passage: Passage; source?: AnswerSource } | undefined> {
    this.#example = turn
    const { layer, head: before } = this.#viewer
    const shown = this.refresh()
    if (this.#shown === turn) {
      // Set at once, so that only the example's layer is read and drawn.
      this.#exampleHead = { shown: head, before: { layer, head: before } }
      turnTo(this.#viewer, head)
    }
    await shown
    const source = await this.#selectSource(turn, head)
    return this.#shown === turn && this.#viewer.layer === head.layer ? { passage: this.#viewer.passage, source } : undefined
  }

  /** From now on, an empty conversation shows nothing. */
  dropExample(): void {
    this.#example = undefined
    this.#leaveExampleHead()
  }

  /** The example's head is not the user's choice, so it is reset with the example. */
  #leaveExampleHead(): void {
    const heads = this.#exampleHead
    this.#exampleHead = undefined
    const viewer = this.#viewer
    if (!heads || viewer.model !== this.#model || viewer.layer !== heads.shown.layer || viewer.head !== heads.shown.head) return
    viewer.layer = heads.before.layer
    viewer.head = heads.before.head
  }

  async #selectSource(turn: AnswerTurn, head: MeasuredHead): Promise<AnswerSource | undefined> {
    if (this.#shown !== turn || !turn.before) return undefined
    const viewer = this.#viewer
    turnTo(viewer, head)
    await viewer.settled()
    const { attention, passage } = viewer
    if (!attention || !('keys' in attention)) return undefined
    const tokens = tokensOf(passage)
    const found = answerSource(
      tokens.map(({ text }) => text),
      { from: tokens.length - passage.written.length, to: tokens.length },
      lastSentence(textOf(turn.before)),
      position => attention.look(head.head, position),
    )
    if (!found) return undefined
    return (await this.select(turn, found.token, undefined, [found.word, found.source])) ? found : undefined
  }

  /** The visible part of this answer, unless it is shown whole. */
  partOf(turn: AnswerTurn): Revealed | undefined {
    const { passage, revealed } = this.#viewer
    const left = tokensOf(passage).length - revealed
    if (this.#shown !== turn || left === 0) return undefined
    const textOf = (tokens: Passage['written']) => tokens.map(({ text, part }) => (part && part.index > 0 ? '' : text)).join('')
    return { whole: textOf(passage.written), length: textOf(passage.written.slice(0, -left)).length }
  }

  /** From now on, shows the last answer once it has ended. `turn` is the answer being written; part of it may be shown already. */
  follow(turn: AnswerTurn): void {
    this.#wanted = undefined
    if (this.#shown === turn) this.#shown = undefined
  }

  /** Updates the viewer if another answer is to be shown. Resolves when that is shown. */
  async refresh(): Promise<void> {
    const model = this.#model
    if (!model) return
    const path = this.#conversation.path.value
    if (this.#wanted && !path.includes(this.#wanted)) this.#wanted = undefined
    const answers = path.filter(
      (turn): turn is AnswerTurn => turn.role === 'assistant' && turn.ending !== undefined && turn.messages.length > 0,
    )
    const last = answers.findLast(answer => sizeOf(answer) <= mostUnasked)
    const turn = this.#wanted ?? (last === this.#long ? undefined : last) ?? (path.length === 0 ? this.#example : undefined)
    if (turn ? turn === this.#shown : this.#isEmpty) return this.#showing
    return (this.#showing = this.#show(model, turn))
  }

  async #show(model: Model, turn: AnswerTurn | undefined): Promise<void> {
    const show = ++this.#shows
    this.#shown = turn
    this.#isEmpty = turn === undefined
    this.#onTurn(turn)
    const nothing = { prompt: '', promptTokens: [], written: [] }
    try {
      const most = turn === this.#wanted ? Infinity : mostUnasked
      const passage = turn && (await passageOf(model, this.#conversation, turn, this.#asking(), most))
      if (show !== this.#shows) return this.#showing // a later call shows an answer, perhaps the same one
      if (model !== this.#model) return
      if (turn && !passage) {
        this.#long = turn
        return this.refresh()
      }
      await this.#viewer.show(passage ?? nothing)
    } catch (error) {
      if (show === this.#shows && model === this.#model) this.#onError(error)
    }
  }
}
