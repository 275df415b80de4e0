// The bubble of a user message, as typed. Editing it adds an alternative message and keeps the original.
import { sizeOf, thumbnail } from '../../images/picture.js'
import { button, make } from '../../support/dom.js'
import type { UserTurn } from '../../conversation/turns.js'
import { type Bubble, type BubbleActions, copyButton } from './bubble.js'
import { makeStepper } from './stepper.js'

const thumbnailSide = 160

export function userBubble(turn: UserTurn, actions: BubbleActions): Bubble {
  const stepper = makeStepper(turn, (to, step) => actions.choose(to, step))
  const text = make('p', { className: 'said', dir: 'auto' }, turn.text)
  const pictures = make(
    'ul',
    { className: 'said-pictures', ariaLabel: 'Pictures' },
    ...turn.pictures.map(picture => make('li', {}, thumbnail(picture, thumbnailSide, `${picture.name}, ${sizeOf(picture)}`))),
  )
  pictures.hidden = turn.pictures.length === 0
  const edit = button('Edit', () => open(true), 'Edit this message')
  const answer = button('Get an answer', () => actions.answer(turn))
  const buttons = make('div', { className: 'turn-actions' }, stepper.place, edit, copyButton(turn), answer)
  const place = make('li', { className: 'turn user' }, make('h3', { className: 'visually-hidden' }, 'You'), pictures, text, buttons)
  let editor: HTMLFormElement | undefined
  text.hidden = turn.text === ''

  /** The form is there only while it is open: what browsers do for passwords takes time with the square of a page's forms. */
  function open(isOpen: boolean): void {
    text.hidden = isOpen || turn.text === ''
    buttons.hidden = isOpen
    editor?.remove()
    editor = undefined
    if (!isOpen) return edit.focus()
    const box = make('textarea', { rows: 2, ariaLabel: 'Your message', dir: 'auto', value: turn.text })
    editor = makeEditor(box, edited => {
      open(false)
      if (edited !== undefined) actions.edit(turn, edited)
    })
    text.after(editor)
    box.focus()
  }

  return {
    place,
    stepper,
    parts: [{ element: text, raw: turn.text }],
    update() {
      place.classList.toggle('dropped', turn.isDropped)
      answer.hidden = turn.after.length > 0
    },
    focus() {
      edit.focus({ preventScroll: true })
    },
  }
}

/** A form around `box`. `close` gets its text, or undefined if nothing is to change. */
function makeEditor(box: HTMLTextAreaElement, close: (edited?: string) => void): HTMLFormElement {
  const form = make(
    'form',
    { className: 'edit' },
    box,
    make(
      'div',
      { className: 'turn-actions' },
      make('button', { type: 'submit' }, 'Send'),
      button('Cancel', () => close()),
    ),
  )
  form.addEventListener('submit', event => {
    event.preventDefault()
    if (box.value.trim() !== '') close(box.value)
  })
  box.addEventListener('keydown', event => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault()
      form.requestSubmit()
    }
  })
  return form
}
