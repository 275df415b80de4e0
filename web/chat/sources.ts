// Finds the answers of a conversation that have a source in the text before them, according to the model's head for answers, and
// offers to show it.
import { type Model, HeedError } from 'heed'
import { type AttentionRow, tokensOf } from 'heed/viewer'
import { type AnswerSource, answerSource, lastSentence, mayHaveSource } from '../lesson/answer-source.js'
import type { MeasuredHead } from '../lesson/heads.js'
import type { Conversation } from '../conversation/conversation.js'
import { type Asking, passageOf, promptOf } from '../conversation/prompts.js'
import { type AnswerTurn, textOf, type Turn } from '../conversation/turns.js'

/** The maximum length of an answer, in characters; a longer one counts as a story. */
const longestAnswer = 300
/** The most tokens to read for a source. */
const mostTokens = 1500
/** The most turns and characters before the answer, estimated from `mostTokens`: each turn takes some tokens for markers. */
const mostTurns = mostTokens / 5,
  mostCharacters = mostTokens * 8

/** Whether an answer is short, and may contain a word from the text before it. */
function mayBeFromText(turn: AnswerTurn): boolean {
  const text = textOf(turn)
  if (!turn.before || text === '' || text.length > longestAnswer) return false
  const earlier: string[] = []
  let characters = 0
  for (let at: Turn | undefined = turn.before; at; at = at.before) {
    const said = textOf(at)
    characters += said.length
    if (earlier.push(said) > mostTurns || characters > mostCharacters) return false
  }
  return mayHaveSource(text, lastSentence(earlier[0]!), earlier.join('\n'))
}

export class Sources {
  readonly #conversation: Conversation
  readonly #asking: () => Asking
  readonly #offer: (turn: AnswerTurn, isOffered: boolean) => void
  #model?: Model
  #head?: MeasuredHead
  /** All models with the head: a model that is loaded again is another object with the same weights. */
  readonly #models = new WeakSet<Model>()
  #known = new WeakMap<AnswerTurn, AnswerSource | undefined>()
  #rounds = 0

  /** `offer` is called with each answer, and whether it has a source. */
  constructor(conversation: Conversation, asking: () => Asking, offer: (turn: AnswerTurn, isOffered: boolean) => void) {
    this.#conversation = conversation
    this.#asking = asking
    this.#offer = offer
  }

  /** Switches to a model with a head for answers, or to one without. */
  use(model: Model | undefined, head: MeasuredHead | undefined): void {
    this.#model = model
    this.#head = head
    if (model && head) this.#models.add(model)
    void this.refresh()
  }

  /** The source of an answer, if one is known. */
  of(turn: AnswerTurn): AnswerSource | undefined {
    return this.#isFor(turn) ? this.#known.get(turn) : undefined
  }

  /** Whether an answer is this model's, or belongs to a shared conversation, which counts as its own. */
  #isFor({ model }: AnswerTurn): boolean {
    return this.#head !== undefined && (model === undefined || this.#models.has(model))
  }

  /** Examines the answers in view that have not been examined, last ones first. */
  async refresh(): Promise<void> {
    const round = ++this.#rounds
    const model = this.#model
    const head = this.#head
    const answers = this.#conversation.path.value.filter((turn): turn is AnswerTurn => turn.role === 'assistant').reverse()
    for (const turn of answers) this.#offer(turn, this.of(turn) !== undefined)
    if (!model || !head) return
    for (const turn of answers) {
      if (!turn.ending || this.#known.has(turn) || !this.#isFor(turn) || !mayBeFromText(turn)) continue
      try {
        const found = await this.#find(model, head, turn)
        if (round !== this.#rounds) return
        this.#known.set(turn, found)
        this.#offer(turn, found !== undefined)
      } catch (error) {
        if (round !== this.#rounds || HeedError.from(error).code === 'disposed') return
        this.#known.set(turn, undefined) // nothing is offered, and the user need not know
      }
    }
  }

  async #find(model: Model, { layer, head }: MeasuredHead, turn: AnswerTurn): Promise<AnswerSource | undefined> {
    const passage = await passageOf(model, this.#conversation, turn, this.#asking(), mostTokens)
    if (!passage || passage.parts) return undefined
    const tokens = tokensOf(passage)
    const from =
      passage.written.length > 0
        ? tokens.length - passage.written.length
        : (await promptOf(model, this.#conversation, turn, this.#asking())).length
    const { weights } = await model.attention(
      tokens.map(({ id }) => id),
      { layers: [layer], heads: [head] },
    )
    const all = weights[0]![0]!
    const look = (position: number): AttentionRow => ({
      first: 0,
      weights: all.subarray(position * tokens.length, position * tokens.length + position + 1),
    })
    return answerSource(
      tokens.map(({ text }) => text),
      { from, to: tokens.length },
      lastSentence(textOf(turn.before!)),
      look,
    )
  }
}
