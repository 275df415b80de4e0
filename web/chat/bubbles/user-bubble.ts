// The bubble of a user message, as typed. Editing it adds an alternative message and keeps the original.
import { make } from '../../support/dom.js'
import type { UserTurn } from '../turns.js'
import { type Bubble, type BubbleActions, button, copyButton } from './bubble.js'
import { makeStepper } from './stepper.js'

export function userBubble(turn: UserTurn, actions: BubbleActions): Bubble {
  const stepper = makeStepper(turn, (to, step) => actions.choose(to, step))
  const text = make('p', { className: 'said', dir: 'auto' }, turn.text)
  const box = make('textarea', { rows: 2, ariaLabel: 'Your message', dir: 'auto' })
  const edit = button('Edit', () => open(true), 'Edit this message')
  const form = make('form', { className: 'edit', hidden: true }, box, make('div', { className: 'turn-actions' },
    make('button', { type: 'submit' }, 'Send'), button('Cancel', () => open(false))))
  const answer = button('Get an answer', () => actions.answer(turn))
  const buttons = make('div', { className: 'turn-actions' }, stepper.place, edit, copyButton(turn), answer)
  const place = make('li', { className: 'turn user' },
    make('h3', { className: 'visually-hidden' }, 'You'), text, form, buttons)

  function open(isOpen: boolean): void {
    form.hidden = !isOpen
    text.hidden = buttons.hidden = isOpen
    if (!isOpen) return edit.focus()
    box.value = turn.text
    box.focus()
  }
  form.addEventListener('submit', event => {
    event.preventDefault()
    if (box.value.trim() === '') return
    open(false)
    actions.edit(turn, box.value)
  })
  box.addEventListener('keydown', event => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      open(false)
    } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault()
      form.requestSubmit()
    }
  })
  return {
    place, stepper,
    update() {
      place.classList.toggle('dropped', turn.isDropped)
      answer.hidden = turn.after.length > 0
    },
  }
}
