// Steps between alternative turns: "2 of 3", with an arrow on either side.
import { make } from '../../support/dom.js'
import type { Turn } from '../../conversation/turns.js'

export interface Stepper {
  readonly place: HTMLElement
  update(siblings: readonly Turn[]): void
  /** Focuses an arrow, or the other one if it is disabled. */
  focus(step: -1 | 1): void
}

/** `go` is called with the turn to show, and the direction of the step. */
export function makeStepper(turn: Turn, go: (to: Turn, step: -1 | 1) => void): Stepper {
  let siblings: readonly Turn[] = []
  const what = turn.role === 'user' ? 'message' : 'answer'
  const arrow = (step: -1 | 1) => {
    const [name, sign] = step < 0 ? ['Previous', '‹'] : ['Next', '›']
    const button = make('button', { type: 'button', ariaLabel: `${name} version of this ${what}` }, sign)
    button.addEventListener('click', () => {
      const to = siblings[siblings.indexOf(turn) + step]
      if (to) go(to, step)
    })
    return button
  }
  const [previous, next] = [arrow(-1), arrow(1)]
  const text = make('span')
  const place = make('span', { className: 'stepper', role: 'group', ariaLabel: `Versions of this ${what}` }, previous, text, next)
  return {
    place,
    update(list) {
      siblings = list
      const at = list.indexOf(turn)
      place.hidden = list.length < 2
      text.textContent = `${at + 1} of ${list.length}`
      previous.disabled = at <= 0
      next.disabled = at >= list.length - 1
    },
    focus(step) {
      const [wanted, other] = step < 0 ? [previous, next] : [next, previous]
      ;(wanted.disabled ? other : wanted).focus()
    },
  }
}
