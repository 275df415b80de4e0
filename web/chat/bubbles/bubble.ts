// The interface of all bubbles, and the actions that they offer.
import { make } from '../../support/dom.js'
import { offerCopy } from '#elements/support/copy.js'
import { type AnswerTurn, textOf, type Turn, type UserTurn } from '../../conversation/turns.js'
import type { Part } from '../words/parts.js'
import type { Stepper } from './stepper.js'

/** The actions that a bubble can request. */
export interface BubbleActions {
  edit(turn: UserTurn, text: string): void
  /** Generates an answer, in addition to existing ones. */
  answer(turn: UserTurn): void
  /** Goes on with an answer that was stopped or has reached the longest length. */
  goOn(turn: AnswerTurn): void
  look(turn: AnswerTurn): void
  findSource(turn: AnswerTurn): void
  /** Copies a link. */
  link(turn: AnswerTurn): void
  choose(turn: Turn, step: -1 | 1): void
  startAnew(turn: AnswerTurn): void
}

export interface Bubble {
  readonly place: HTMLLIElement
  readonly stepper: Stepper
  /** The turn's texts as they were written. */
  readonly parts: readonly Part[]
  /** Updates the bubble to the turn's current state. */
  update(): void
  /** Focuses the bubble's first action, without scrolling. */
  focus(): void
}

export function copyButton(turn: Turn): HTMLButtonElement {
  const made = make('button', { type: 'button', className: 'quiet' }, 'Copy')
  offerCopy(made, () => textOf(turn), 'Copy')
  return made
}
