// The conversation's tokens in the viewer, and what each one attends to: those that the last answer was written from, and its own,
// or those of the answer that the reader chose.
import type { Model } from 'heed'
import { type HeedViewer, tokensOf } from 'heed/viewer'
import type { Conversation } from './conversation.js'
import { type Asking, passageOf } from './prompts.js'
import type { AnswerTurn } from './turns.js'

export class Stage {
  readonly #viewer: HeedViewer
  readonly #conversation: Conversation
  readonly #asking: () => Asking
  readonly #onTurn: (turn: AnswerTurn | undefined) => void
  readonly #onError: (error: unknown) => void
  #model?: Model
  /** The answer that was asked for, as long as it is on the path. */
  #wanted?: AnswerTurn
  #shown?: AnswerTurn
  /** How many of its steps are shown, and whether it was whole then. */
  #state = ''
  #shows = 0

  /** `onTurn` is told which answer's attention is shown. */
  constructor(
    viewer: HeedViewer, conversation: Conversation, asking: () => Asking,
    { onTurn, onError }: { onTurn: (turn: AnswerTurn | undefined) => void, onError: (error: unknown) => void },
  ) {
    this.#viewer = viewer
    this.#conversation = conversation
    this.#asking = asking
    this.#onTurn = onTurn
    this.#onError = onError
    conversation.path.watch(() => this.refresh())
  }

  /** Shows conversations as this model reads them. Without one, it leaves the viewer alone. */
  use(model: Model | undefined): void {
    this.#model = model
    this.#state = ''
    this.#shown = undefined
    if (model) void this.refresh()
  }

  /** Turns to an answer, and holds the first token that was written in it. */
  async look(turn: AnswerTurn): Promise<void> {
    this.#wanted = turn
    await this.refresh()
    const { passage } = this.#viewer
    const first = tokensOf(passage).length - passage.written.length
    if (this.#shown === turn && passage.written.length > 0) this.#viewer.token = first
  }

  /** Shows what has changed. */
  async refresh(): Promise<void> {
    const model = this.#model
    if (!model) return
    const path = this.#conversation.path.value
    if (this.#wanted && !path.includes(this.#wanted)) this.#wanted = undefined
    const answers = path.filter((turn): turn is AnswerTurn => turn.role === 'assistant' && turn.ending !== undefined && turn.messages.length > 0)
    const turn = this.#wanted ?? answers.at(-1)
    const state = turn ? `${turn.id}` : 'none'
    if (state === this.#state && turn === this.#shown) return
    const show = ++this.#shows
    this.#state = state
    this.#shown = turn
    this.#onTurn(turn)
    try {
      const passage = turn ? await passageOf(model, this.#conversation, turn, this.#asking()) : { prompt: '', promptTokens: [], written: [] }
      if (show === this.#shows && model === this.#model) await this.#viewer.show(passage)
    } catch (error) {
      if (show === this.#shows && model === this.#model) this.#onError(error)
    }
  }
}
