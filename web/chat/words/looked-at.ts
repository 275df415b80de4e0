// Lights the words that the viewer's selected token looked at in the bubbles; words of answers are chosen there by pointer or keys.
import { type HeedViewer, type LayerAttention, type Passage, tokensOf } from 'heed/viewer'
import { shareOf } from '../../lesson/answer-source.js'
import type { AnswerTurn } from '../../conversation/turns.js'
import { hint, leastLit, light, type Lit, putOut } from './lights.js'
import { type Part, place, type Placed, TokenText } from './parts.js'
import { rangeOf, type ShownWord, wordAt, wordsIn } from './shown-words.js'

/** The shown conversation. */
export interface Shown {
  answers(): readonly AnswerTurn[]
  /** The parts of all turns up to and including this one, in order. */
  partsTo(turn: AnswerTurn): readonly Part[]
  partsOf(turn: AnswerTurn): readonly Part[]
}

/** A word and the words that it looked at, strongest first. */
export interface Look {
  readonly turn: AnswerTurn
  readonly word: string
  readonly looking: Range
  readonly at: readonly { readonly text: string; readonly share: number; readonly range: Range }[]
}

interface Choice {
  readonly turn: AnswerTurn
  /** The index among the words of the answer. */
  readonly index: number
  /** The token that stands for the word, once it is selected in the viewer. */
  token?: number
}

export class LookedAt {
  readonly #viewer: HeedViewer
  readonly #shown: Shown
  /** Shows an answer, and selects the token from which the word at `token(passage)` was chosen. Resolves to whether it is shown. */
  readonly #select: (turn: AnswerTurn, token: (passage: Passage) => number) => Promise<boolean>
  readonly #tell: (look: Look) => void
  #chosen?: Choice
  /** The position of a marked word that the model has only read: the token before it is selected. */
  #marked?: number
  #lit: readonly Range[] = []
  #rounds = 0
  #latest?: Promise<void>

  constructor(
    viewer: HeedViewer,
    shown: Shown,
    select: (turn: AnswerTurn, token: (passage: Passage) => number) => Promise<boolean>,
    tell: (look: Look) => void,
  ) {
    this.#viewer = viewer
    this.#shown = shown
    this.#select = select
    this.#tell = tell
  }

  /** The lit words, strongest first. */
  get lit(): readonly Range[] {
    return this.#lit
  }

  /** Marks the word of an answer at a point of the window, which a click would choose. Returns whether there is one. */
  hint(x: number, y: number): boolean {
    const found = this.#at(x, y)
    hint(found && rangeOf(found.word))
    return found !== undefined
  }

  /** Chooses the word of an answer at a point of the window. */
  async choose(x: number, y: number): Promise<void> {
    const found = this.#at(x, y)
    if (found) await this.#choose(found)
  }

  /** Chooses the next word of the answers, or the previous one; if none was chosen, the first one of the last answer. */
  async step(step: -1 | 1): Promise<Range | undefined> {
    const answers = this.#shown.answers()
    const from = this.#chosen && answers.includes(this.#chosen.turn) ? this.#chosen : undefined
    let turn = from?.turn ?? answers.at(-1)
    let index = from ? from.index + step : 0
    while (turn) {
      const words = this.#wordsOf(turn)
      if (index >= 0 && index < words.length) {
        await this.#choose({ turn, index })
        return rangeOf(words[index]!.word)
      }
      turn = answers[answers.indexOf(turn) + (index < 0 ? -1 : 1)]
      if (turn) index = index < 0 ? this.#wordsOf(turn).length - 1 : 0
    }
    return undefined
  }

  /** Removes all lights; the next ones are for the word at this position. */
  clear(marked?: number): void {
    this.#rounds++
    this.#marked = marked
    this.#chosen = undefined
    this.#lit = []
    putOut()
  }

  /**
   * Lights the words that the selected token of the viewer, which shows this answer, looks at. If the token stands for a chosen
   * word, reports that.
   */
  async follow(turn: AnswerTurn | undefined): Promise<void> {
    return (this.#latest = this.#follow(turn))
  }

  /** Resolves when the most recent request is lit. */
  async settled(): Promise<void> {
    for (let latest; latest !== this.#latest; ) await (latest = this.#latest)
  }

  async #follow(turn: AnswerTurn | undefined): Promise<void> {
    const round = ++this.#rounds
    await this.#viewer.settled()
    if (round !== this.#rounds) return
    const { token, attention, passage, head } = this.#viewer
    const { turn: from, token: selected = token } = this.#chosen ?? {}
    if (from !== turn || selected !== token) this.#chosen = undefined // the user has selected something else in the viewer
    if (!turn || token === undefined || !attention || !('keys' in attention) || attention.of !== 'decoder') {
      if (!this.#isComing) this.clear()
      return
    }
    this.#light(turn, passage, attention, token, head)
  }

  #light(turn: AnswerTurn, passage: Passage, attention: LayerAttention, token: number, head: HeedViewer['head']): void {
    const tokens = tokensOf(passage)
    const wasWritten = token >= tokens.length - passage.written.length
    const row = attention.look(head, wasWritten ? token - 1 : token)
    if (!row) {
      this.clear()
      return
    }
    const text = new TokenText(tokens)
    const words = place(this.#shown.partsTo(turn), text).flatMap(part =>
      wordsIn(part.element, part.raw).map(word => ({ word, span: spanOf(text, part, word) })),
    )
    const chosen = this.#chosen && this.#wordsOf(turn)[this.#chosen.index]?.word
    const looker = !wasWritten && this.#marked === token + 1 ? this.#marked : token
    const looking = chosen ?? words.find(({ span }) => span.from <= looker && looker < span.to)?.word
    const at = words
      .map(({ word, span }) => ({ text: word.text, range: rangeOf(word), share: shareOf(row, span) }))
      .filter(({ share }) => share >= leastLit)
      .sort((one, other) => other.share - one.share)
    light(at satisfies Lit[], looking ? [rangeOf(looking)] : [])
    this.#lit = at.map(({ range }) => range)
    if (chosen && this.#chosen?.token === token) this.#tell({ turn, word: chosen.text, looking: rangeOf(chosen), at })
  }

  /** Whether a chosen word is still waiting to be selected in the viewer. */
  get #isComing(): boolean {
    return this.#chosen !== undefined && this.#chosen.token === undefined
  }

  async #choose(choice: Choice): Promise<void> {
    this.#chosen = choice
    const { word, part } = this.#wordsOf(choice.turn)[choice.index]!
    light([], [rangeOf(word)]) // at once; its attention may have to be read first
    const isShown = await this.#select(choice.turn, passage => {
      const text = new TokenText(tokensOf(passage))
      const placed = place(this.#shown.partsTo(choice.turn), text).find(({ element }) => element === part.element)
      return placed ? spanOf(text, placed, word).from : -1
    })
    if (!isShown || this.#chosen !== choice) return
    choice.token = this.#viewer.token
    await this.follow(choice.turn)
  }

  #wordsOf(turn: AnswerTurn): { word: ShownWord; part: Part }[] {
    return this.#shown.partsOf(turn).flatMap(part => wordsIn(part.element, part.raw).map(word => ({ word, part })))
  }

  #at(x: number, y: number): (Choice & { word: ShownWord }) | undefined {
    const place = document.elementFromPoint(x, y)
    for (const turn of place ? this.#shown.answers() : []) {
      if (!this.#shown.partsOf(turn).some(({ element }) => element.contains(place))) continue
      const words = this.#wordsOf(turn).map(({ word }) => word)
      const word = wordAt(words, x, y)
      return word && { turn, index: words.indexOf(word), word }
    }
    return undefined
  }
}

/** The tokens that contain a word, without the space before it. */
function spanOf(text: TokenText, { start }: Placed, { at, text: { length } }: ShownWord) {
  return text.spanOf(start + at, start + at + length)
}
